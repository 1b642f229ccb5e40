#pragma once

// `select` but for files and words: its flags and its work, for the command line and for the Python
// package, so that both take the same flags and find the same bits.

#include <string>

#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/method_flags.h"
#include "jobs/path.h"
#include "jobs/plan.h"
#include "jobs/select.h"

namespace slm {

class SelectionJob {
 public:
  // `method` is that of a file, as in MethodFlags.
  explicit SelectionJob(Arguments arguments, const FileSetting* method = nullptr);

  // Adds every flag of the work. `what` are the caller's own, behind --method; `run` those on how
  // to run.
  void Describe(const OptionList& what, OptionList run, ArgParser* parser);
  // After parsing: mends what the flags say together. Throws a UsageError if they contradict.
  void Validate(const ArgParser& parser);

  // Finds k if it is auto, selects, and then repeats that on folds and with shuffled labels, as far
  // as the flags ask for it.
  SelectionResult Run(Job& job);

  // What Run would do.
  Plan MakePlan(Job& job);
  // The recipe that its method would follow.
  std::string Explain(Job& job) const;

  JobFlags& flags() { return flags_; }

 private:
  // The k that -k auto stands for becomes that of the request.
  PathResult FindK(Job& job);
  PathRequest PathToK() const;
  SelectionWork Work(const Job& job) const;

  JobFlags flags_;
  MethodFlags method_;
  PathRequest path_;
  int folds_ = 0, null_runs_ = 0;
};

}  // namespace slm
