// slm select: from a file to exactly k chosen columns.

#include "eval/select.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/job.h"
#include "cli/method_flags.h"
#include "cli/path_flags.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "eval/path.h"
#include "slm/errors.h"

namespace slm {

int RunSelect(Arguments arguments) {
  JobFlags flags;
  flags.k_flag = KFlag::kNumberOrAuto;
  std::string name = "slm", config = FlagValue(arguments, "--config", "");
  std::vector<FileSetting> settings;
  if (!config.empty()) settings = ReadConfig(config);
  for (const FileSetting& setting : settings) {
    if (setting.name == "method") name = setting.value;
  }
  MethodFlags method(arguments, name);
  PathRequest path;

  ArgParser parser({.example = "slm select houses.csv --target price -k 10",
                    .usage = "select DATA --target COL -k N [flags]",
                    .summary = "Chooses exactly N columns of DATA that predict COL best, trains a "
                               "predictor on them,\nand prints them ranked by weight."});
  std::string model_path;
  OptionList run;
  run.Text("model", &model_path, "write the trained model to `FILE`, for apply and predict");
  OptionList what;
  method.DescribeMethod(&what);
  what.Text("config", &config, "`FILE` of flags as key = value, see 'slm tune --config-out'");
  what.Int("ensemble", &flags.request.ensemble, 1, 1000,
           "choose by the mean weights of `N` selections, from --seed on");
  DescribePathOptions(&path, "for -k auto: ", &what);
  DescribeJob(&flags, what, run,
              "end after `SECONDS` with the best so far (exit code 5); 0 for no limit", &parser);
  method.DescribeOptions(&parser);
  parser.Preset(std::move(settings));
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  SettleJob("select", parser, &flags);
  if (model_path == "-") throw UsageError("--model needs the name of a file");
  if (!model_path.empty()) CheckOutput(model_path);

  const SelectionResult result = RunJob(flags, [&](Job& job) {
    std::optional<Json> k_path;
    if (flags.auto_k) {
      path.select = flags.request;
      path.method = method.name();
      path.make = [&] { return method.Make(); };
      // Half of the time is left for the selection itself.
      const PathResult found = FollowPath(job.tables(), path, job.context(flags.time_limit / 2));
      flags.request.k = found.chosen_k;
      k_path = found.ToJson();
    }
    SelectionResult found = SelectFromTable(job.tables(), flags.request, method.name(),
                                            method.selector(), job.context(flags.time_limit));
    found.k_path = std::move(k_path);
    return found;
  });
  if (!model_path.empty()) SaveModel(result.model, model_path);
  return Finish(flags, result, result.ToJson(),
                RenderSelection(result, DescribeTerminal(STDOUT_FILENO)),
                "this is the best so far");
}

}  // namespace slm
