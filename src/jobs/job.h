#pragma once

// A request being carried out: its tables, threads, deadline and checkpoint, whoever asked.

#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/options.h"
#include "base/thread_pool.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "jobs/requests.h"
#include "slm/context.h"
#include "slm/requests.h"

namespace slm {

class Job {
 public:
  // Reads the files of the request, and its checkpoint if there is one. `command` is the name of
  // the request. Throws InputError for what the user can fix. A dry run has neither a
  // checkpoint nor a time limit.
  template <class Request>
  Job(std::string_view command, const Request& request, bool dry_run = false)
      : Job(request, request, dry_run) {
    Begin(command, RequestToDecide(request), dry_run);
  }
  // On tables that are in memory already, and must outlive this.
  template <class Request>
  Job(std::string_view command, const Request& request, const Tables& tables, bool dry_run = false)
      : Job(request, request, tables, dry_run) {
    Begin(command, RequestToDecide(request), dry_run);
  }
  Job(const Job&) = delete;

  // Without the rows that have no target, if the request lets them go.
  const Tables& tables() const { return *tables_; }
  ThreadPool& pool() { return pool_; }

  // The request on these tables, with that k: lists of columns are resolved, and a relative k is a
  // number. For k auto, and for requests without k, it is left at 0.
  SelectionSpec Resolve(const FeatureCount& k);

  // Looks for what is wrong with the data of the request as it was resolved, and tells the observer
  // what they are and what it found; columns that leak are left out if the request says so. Throws
  // a DataError with the warnings if the request is strict.
  void CheckData(SelectionSpec* spec);

  // For work that ends so many seconds after the start; 0 for no limit. It leaves time to measure
  // and write what there is.
  Context context(double time_limit);

  // The end of the work: brings the checkpoint to the disk, and notes how long reading, and all up
  // to now, took.
  void Finish(Outcome* outcome);
  void Flush();

 private:
  Job(const DataRequest& data, const RunControl& run, bool dry_run);
  Job(const DataRequest& data, const RunControl& run, const Tables& tables, bool dry_run);

  // Everything that decides what a finished run finds, by name.
  template <class Request>
  static Json RequestToDecide(Request request) {
    OptionList list;
    Describe(&request, &list);
    const MethodChoice* choice = nullptr;
    if constexpr (std::is_base_of_v<MethodChoice, Request>) choice = &request;
    return DecidingFields(list, choice);
  }
  static Json DecidingFields(const OptionList& list, const MethodChoice* choice);
  void LeaveOutRowsWithoutTarget();
  // What a column is, is for the training rows to say: odd cells elsewhere make no text of it.
  void TypeByTrainingRows(SelectionSpec spec);
  Tables* OwnTables();
  void Begin(std::string_view command, const Json& request, bool dry_run);

  const Clock::time_point start_ = Clock::now();
  const double time_limit_;  // 0 for none
  const Context reading_;  // has nothing but the limit, so that a signal ends the process as usual
  const DataRequest& data_;
  const RunControl& run_;
  ThreadPool pool_;
  Tables read_;  // what was read, if it was, or what is left of tables in memory
  const Tables* tables_;
  size_t without_target_ = 0;  // rows left out
  std::vector<Warning> warnings_;
  bool unchecked_ = false;  // there was no time for some of the checks that give them
  double read_seconds_ = 0;
  std::optional<Checkpoint> checkpoint_;
};

}  // namespace slm
