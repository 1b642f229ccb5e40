#pragma once

// What the commands that select from a file have in common: their flags, reading the data, threads,
// progress and the deadline, and getting the result out.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/thread_pool.h"
#include "cli/args.h"
#include "cli/progress.h"
#include "data/readers/reader.h"
#include "jobs/outcome.h"
#include "jobs/plan.h"
#include "jobs/prepare.h"
#include "slm/context.h"

namespace slm {

enum class KFlag { kNumber, kNumberOrAuto, kNone };

struct JobFlags {
  KFlag k_flag = KFlag::kNumber;  // what -k takes
  bool auto_k = false;            // -k auto was given
  std::vector<std::string> data;  // files, one after the other
  SelectRequest request;
  ReadOptions read;
  std::string valid, test;                      // files
  std::vector<std::string> drop, ignore, keep;  // as written: a column, or several between commas
  int threads = 0;
  double time_limit = 0;  // seconds; 0 for none
  std::string output;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string checkpoint;        // file; empty for none
  double checkpoint_every = 10;  // seconds
  bool resume = false;
  bool dry_run = false;  // say what would be done, and do not do it
  // Flags that do not decide about what a finished run finds, beside those that no command has
  // decide about it: a run may go on with other values of them.
  std::vector<std::string_view> free_flags = {"time_limit"};
  Json identity;  // what a checkpoint is of, but for the data
};

// Flags under three headings. `what` are the command's own on what to choose, `run` those on how to
// run; `time_limit` says what is limited.
void DescribeJob(JobFlags* flags, const OptionList& what, OptionList run, std::string time_limit,
                 ArgParser* parser);

// Mends what the flags of `command` say together; call it after parsing and before the work.
void ValidateJob(std::string_view command, const ArgParser& parser, JobFlags* flags);

// The running command. Reads the files, and the checkpoint if there is one, when made; Ctrl-C is
// caught from then on.
class Job {
 public:
  explicit Job(JobFlags& flags);
  // On tables that are in memory already. Ctrl-C is left to the caller, whose `observer` may be
  // null.
  Job(JobFlags& flags, SelectTables tables, Observer* observer);

  const SelectTables& tables() const { return tables_; }

  // Whose work ends so many seconds after the start; 0 for no limit.
  Context context(double time_limit);

  // Brings the checkpoint to the disk.
  void Flush();

  // Notes how long reading, and all up to now, took.
  void Time(Outcome* outcome) const;

 private:
  // Once the tables are there: what flags mean in them, and the checkpoint.
  void Begin(JobFlags& flags);

  const Clock::time_point start_ = Clock::now();
  ThreadPool pool_;
  SelectTables tables_;
  double read_seconds_ = 0;
  ProgressMeter meter_;
  Observer* observer_ = &meter_;
  std::optional<Checkpoint> checkpoint_;
};

// Runs work(job), and gives back what it found.
template <class Work>
auto RunOn(Job& job, Work work) {
  auto result = [&] {
    try {
      return work(job);
    } catch (const NoResultYet&) {
      job.Flush();
      throw;
    }
  }();
  job.Flush();
  job.Time(&result);
  return result;
}

// The same, reading the files first. The line of progress is gone then.
template <class Work>
auto RunJob(JobFlags& flags, Work work) {
  Job job(flags);
  return RunOn(job, work);
}

// The end of a command: writes the result, as JSON to --output if given and to standard output as
// JSON or as `text`, says what there is to say about it, and gives back the exit code. After an
// early end `kept` is what there is: "this is the best so far".
int Finish(const JobFlags& flags, const Outcome& outcome, const Json& json, const std::string& text,
           const std::string& kept);

// The same for --dry-run, which writes no file.
int FinishPlan(JobFlags flags, const Plan& plan);

}  // namespace slm
