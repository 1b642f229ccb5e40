#pragma once

// What the commands that select from a file have in common: their flags, reading the data, threads,
// progress and the deadline, and getting the result out.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/thread_pool.h"
#include "cli/args.h"
#include "cli/progress.h"
#include "data/reader.h"
#include "eval/outcome.h"
#include "eval/prepare.h"
#include "slm/context.h"

namespace slm {

enum class KFlag { kNumber, kNumberOrAuto, kNone };

struct JobFlags {
  KFlag k_flag = KFlag::kNumber;  // what -k takes
  bool auto_k = false;            // -k auto was given
  std::string data;
  SelectRequest request;
  ReadOptions read;
  std::string valid, test;        // files
  std::vector<std::string> drop;  // as written: a column, or several between commas
  int threads = 0;
  double time_limit = 0;  // seconds; 0 for none
  std::string output;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

// Flags under three headings. `what` are the command's own on what to choose, `run` those on how to
// run; `time_limit` says what is limited.
void DescribeJob(JobFlags* flags, const OptionList& what, OptionList run, std::string time_limit,
                 ArgParser* parser);

// Mends what the flags say together; call it after parsing and before the work.
void SettleOutput(JobFlags* flags);

// The running command. Reads the files when made; Ctrl-C is caught from then on.
class Job {
 public:
  explicit Job(JobFlags& flags);
  // On tables that are in memory already. Ctrl-C is left to the caller, whose `observer` may be
  // null.
  Job(JobFlags& flags, SelectTables tables, Observer* observer);

  const SelectTables& tables() const { return tables_; }

  // Whose work ends so many seconds after the start; 0 for no limit.
  Context context(double time_limit);

  // Notes how long reading, and all up to now, took.
  void Time(Outcome* outcome) const;

 private:
  const Clock::time_point start_ = Clock::now();
  ThreadPool pool_;
  SelectTables tables_;
  double read_seconds_ = 0;
  ProgressMeter meter_;
  Observer* observer_ = &meter_;
};

// Reads the files, runs work(job), and gives back what it found. The line of progress is gone then.
template <class Work>
auto RunJob(JobFlags& flags, Work work) {
  Job job(flags);
  auto result = work(job);
  job.Time(&result);
  return result;
}

// The end of a command: writes the result, as JSON to --output if given and to standard output as
// JSON or as `text`, says what there is to say about it, and gives back the exit code. After an
// early end `kept` is what there is: "this is the best so far".
int Finish(const JobFlags& flags, const Outcome& outcome, const Json& json, const std::string& text,
           const std::string& kept);

}  // namespace slm
