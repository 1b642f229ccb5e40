// slm stability: how much selections change with rows and seeds.

#include "jobs/stability.h"

#include <unistd.h>

#include <limits>

#include "cli/commands.h"
#include "cli/request_flags.h"
#include "cli/terminal.h"
#include "jobs/execute.h"
#include "report/table.h"

namespace slm {
namespace {

constexpr size_t kColumnsShown = 20;

}  // namespace

int RunStability(Arguments arguments) {
  StabilityRequest request;
  RequestFlags flags(
      arguments,
      {.example = "slm stability houses.csv --target price -k 10 --methods slm,lasso,mrmr",
       .usage = "stability DATA --target COL -k N [flags]",
       .summary =
           "Repeats a selection of N columns of DATA on other rows and with other seeds, and "
           "reports for each\nmethod how stable it is and how often each column was chosen."});
  if (!flags.Parse(&request)) return kDone;
  Job job("stability", request, flags.dry_run);
  if (flags.dry_run) return flags.FinishPlan(PlanOf(request, job));
  const StabilityResult result = Execute(request, job);
  const size_t limit = flags.verbose ? std::numeric_limits<size_t>::max() : kColumnsShown;
  return flags.Finish(result, result.ToJson(),
                      RenderStability(result, limit, DescribeTerminal(STDOUT_FILENO)),
                      "these are the selections that were finished");
}

}  // namespace slm
