// slm compare: every method on the same splits, judged by the same predictors.

#include "jobs/compare.h"

#include <unistd.h>

#include "cli/commands.h"
#include "cli/memory_meter.h"
#include "cli/request_flags.h"
#include "cli/terminal.h"
#include "jobs/execute.h"
#include "report/table.h"

namespace slm {

int RunCompare(Arguments arguments) {
  CompareRequest request;
  RequestFlags flags(
      arguments,
      {.example = "slm compare houses.csv --target price -k 10 --methods slm,lasso,rf,mrmr",
       .usage = "compare DATA --target COL -k N [flags]",
       .summary = "Chooses N columns of DATA by each method on the same splits, fits the same "
                  "predictors on each\nset, and ranks the methods by test score."});
  if (!flags.Parse(&request)) return kDone;
  Job job("compare", request, flags.dry_run);
  if (flags.dry_run) return flags.FinishPlan(PlanOf(request, job));
  AllocationMeter memory;
  const ComparisonResult result = Execute(request, job, &memory);
  return flags.Finish(result, result.ToJson(),
                      RenderComparison(result, DescribeTerminal(STDOUT_FILENO)),
                      "these are the runs that were finished");
}

}  // namespace slm
