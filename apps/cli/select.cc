// slm select: from a file to exactly k chosen columns.

#include "jobs/select.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/job.h"
#include "cli/method_flags.h"
#include "cli/selection_job.h"
#include "cli/terminal.h"
#include "report/table.h"
#include "slm/errors.h"

namespace slm {

int RunSelect(Arguments arguments) {
  ConfigFlag config(arguments);
  SelectionJob selection(arguments, config.Find("method"));

  ArgParser parser({.example = "slm select houses.csv --target price -k 10",
                    .usage = "select DATA --target COL -k N [flags]",
                    .summary = "Chooses exactly N columns of DATA that predict COL best, trains a "
                               "predictor on them,\nand prints them ranked by weight."});
  std::string model_path;
  OptionList what, run;
  config.Describe(&what, &parser);
  run.Text("model", &model_path, "write the trained model to `FILE`, for apply and predict");
  bool explain = false;
  run.Bool("explain_recipe", &explain,
           "print the runs that slm would make of this table, and train nothing");
  selection.Describe(what, std::move(run), &parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  selection.Validate(parser);
  if (model_path == "-") throw UsageError("--model needs the name of a file");
  if (!model_path.empty()) CheckOutput(model_path);

  JobFlags& flags = selection.flags();
  if (explain) {
    flags.dry_run = true;  // no checkpoint is made
    Job job(flags);
    WriteStdout(selection.Explain(job));
    return kDone;
  }
  if (flags.dry_run) {
    return FinishPlan(flags, RunJob(flags, [&](Job& job) { return selection.MakePlan(job); }));
  }
  const SelectionResult result = RunJob(flags, [&](Job& job) { return selection.Run(job); });
  if (!model_path.empty()) SaveModel(result.model, model_path);
  const Terminal terminal = DescribeTerminal(STDOUT_FILENO);
  return Finish(
      flags, result, result.ToJson(),
      RenderSelection(result, terminal) + (flags.verbose ? RenderReasons(result, terminal) : ""),
      "this is the best so far");
}

}  // namespace slm
