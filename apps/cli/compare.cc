// slm compare: every method on the same splits, judged by the same predictors.

#include "jobs/compare.h"

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/job.h"
#include "cli/memory_meter.h"
#include "cli/method_list.h"
#include "cli/terminal.h"
#include "report/table.h"

namespace slm {

int RunCompare(Arguments arguments) {
  JobFlags flags;
  ConfigFlag config(arguments);
  flags.free_flags.clear();  // what is late is not what it would have been
  CompareRequest request;
  std::vector<std::string> written, set;
  ArgParser parser(
      {.example = "slm compare houses.csv --target price -k 10 --methods slm,lasso,rf,mrmr",
       .usage = "compare DATA --target COL -k N [flags]",
       .summary = "Chooses N columns of DATA by each method on the same splits, fits the same "
                  "predictors on each\nset, and ranks the methods by what those reach on test "
                  "rows."});
  OptionList what;
  what.Add(
      ListOption("methods", &written, "`A,B` of 'slm methods', or all, the default; repeatable"));
  what.Add(ListOption("set", &set, "`METHOD.OPTION=VALUE` for one method; repeatable"));
  config.Describe(&what, &parser);
  OptionList run;
  run.Int("seeds", &request.seeds, 1, 1000, "how many splits, from --seed on");
  run.Int("refits", &request.refits, 1, 100, "predictors tried on each set; validation chooses");
  DescribeJob(&flags, what, std::move(run),
              "for each selection `SECONDS`, then it ends with its best and is marked late; 0 for "
              "no limit",
              &parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  ValidateJob("compare", parser, &flags);
  if (written.empty()) written = {"all"};
  written.push_back("random");  // a line to compare with
  request.methods = MethodsByName(written, set);
  request.time_limit = flags.time_limit;
  AllocationMeter memory;
  request.memory = &memory;

  if (flags.dry_run) {
    return FinishPlan(flags, RunJob(flags, [&](Job& job) {
                        request.select = flags.request;
                        return PlanComparison(job.tables(), request, job.context(0));
                      }));
  }
  const ComparisonResult result = RunJob(flags, [&](Job& job) {
    request.select = flags.request;
    return CompareMethods(job.tables(), request, job.context(0));
  });
  return Finish(flags, result, result.ToJson(),
                RenderComparison(result, DescribeTerminal(STDOUT_FILENO)),
                "these are the runs that were finished");
}

}  // namespace slm
