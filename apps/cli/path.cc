// slm path: quality against the number of columns.

#include "jobs/path.h"

#include <unistd.h>

#include <string>

#include "base/output.h"
#include "cli/commands.h"
#include "cli/request_flags.h"
#include "cli/terminal.h"
#include "jobs/execute.h"
#include "report/path_svg.h"
#include "report/table.h"

namespace slm {

int RunPath(Arguments arguments) {
  PathRequest request;
  std::string svg;
  RequestFlags flags(
      arguments, {.example = "slm path houses.csv --target price --svg path.svg",
                  .usage = "path DATA --target COL [flags]",
                  .summary = "Measures on held-out folds how well COL is predicted from the best "
                             "1, 2, 3, 5, ... columns of\nDATA, beside columns chosen at random, "
                             "and says how many are enough."});
  flags.own().File("svg", &svg, "draw the path to `FILE`");
  flags.Instead(
      "k", "a path measures many numbers of columns; --k-max limits them, --k-list names them");
  if (!flags.Parse(&request)) return kDone;
  if (!svg.empty()) CheckOutput(svg);
  Job job("path", request, flags.dry_run);
  if (flags.dry_run) return flags.FinishPlan(PlanOf(request, job));
  const PathResult result = Execute(request, job);
  if (!svg.empty()) WriteFile(svg, PathToSvg(result));
  return flags.Finish(result, result.ToJson(), RenderPath(result, DescribeTerminal(STDOUT_FILENO)),
                      result.hurried ? "this is what it came to by then"
                                     : "these are the folds that were finished");
}

}  // namespace slm
