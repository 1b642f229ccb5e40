// slm select: from a file to exactly k chosen columns.

#include "jobs/select.h"

#include <unistd.h>

#include <string>

#include "base/output.h"
#include "cli/commands.h"
#include "cli/request_flags.h"
#include "cli/terminal.h"
#include "jobs/execute.h"
#include "report/table.h"
#include "slm/errors.h"

namespace slm {

int RunSelect(Arguments arguments) {
  SelectRequest request;
  std::string model_path;
  RequestFlags flags(
      arguments,
      {.example = "slm select houses.csv --target price -k 10",
       .usage = "select DATA --target COL (-k N | --fdr Q) [flags]",
       .summary = "Chooses exactly N columns of DATA that predict COL best, or those that are "
                  "significant at the\nfalse discovery rate Q, trains a predictor on "
                  "them, and prints them ranked by importance."});
  flags.own().File("model", &model_path,
                   "write the trained model to `FILE`, for apply and predict");
  bool explain = false;
  flags.own().Bool("explain_recipe", &explain,
                   "print the runs that slm would make of this table, and train nothing");
  if (!flags.Parse(&request)) return kDone;
  if (model_path == "-") throw UsageError("--model needs the name of a file");
  if (!model_path.empty()) CheckOutput(model_path);

  Job job("select", request, flags.dry_run || explain);
  if (explain) {
    WriteStdout(ExplainRecipe(request, job, flags.json()));
    return kDone;
  }
  if (flags.dry_run) return flags.FinishPlan(PlanOf(request, job));
  const SelectionResult result = Execute(request, job);
  const bool nothing = result.selected.empty();
  if (!model_path.empty() && !nothing) SaveModel(result.model, model_path);
  const Terminal terminal = DescribeTerminal(STDOUT_FILENO);
  const int code = flags.Finish(
      result, result.ToJson(),
      RenderSelection(result, terminal) + (flags.verbose ? RenderReasons(result, terminal) : ""),
      nothing ? "nothing was found so far" : "this is the best so far");
  if (!nothing) return code;
  if (!model_path.empty()) {
    Log("there is no model without columns; " + model_path + " was not written");
  }
  return code == kDone ? kNothingFound : code;
}

}  // namespace slm
