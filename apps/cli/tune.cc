// slm tune: the search for the best settings of a method.

#include "jobs/tune.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/job.h"
#include "cli/method_flags.h"
#include "cli/terminal.h"
#include "report/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kTrialsShown = 10;

std::string BestAsConfig(const TuningResult& result, const OptionList& options) {
  const Trial& best = result.best();
  std::string comment = "Found by slm tune: trial " + std::to_string(best.index) + " of " +
                        std::to_string(result.request.trials) + ", " + result.metric + " " +
                        FormatNumber(best.valid_metric) + " on validation rows, for " +
                        Printable(result.request.select.target) + " from " +
                        std::to_string(result.request.select.k) + " features.\n" +
                        "slm select DATA --target COL -k N --config THIS_FILE";
  std::vector<OptionSetting> settings = result.request.fixed;
  settings.insert(settings.end(), best.settings.begin(), best.settings.end());
  return WriteConfig(comment, result.request.method, settings, options);
}

}  // namespace

int RunTune(Arguments arguments) {
  JobFlags flags;
  TuneRequest request;
  ConfigFlag config(arguments);
  MethodFlags method(arguments, config.Find("method"));
  std::string config_out;

  ArgParser parser({.example = "slm tune houses.csv --target price -k 10 --journal houses.jsonl",
                    .usage = "tune DATA --target COL -k N [flags]",
                    .summary = "Searches the settings of a method: each trial chooses N columns of "
                               "DATA, the same predictors\njudge all of them on validation rows, "
                               "and the best is measured on test rows. Trial 0 has the\ndefaults. "
                               "Options of the method that are given stay as given."});
  OptionList what;
  method.DescribeMethod(&what);
  config.Describe(&what, &parser);
  OptionList run;
  run.Int("trials", &request.trials, 1, 100000, "how many settings to try");
  run.Choice<Strategy>("strategy", &request.strategy,
                       {{"random", Strategy::kRandom}, {"halving", Strategy::kHalving}},
                       "random runs all trials to the end, halving the best of short ones");
  run.Int(
      "judges", &request.judges, 1, 100,
      "predictors fitted on the columns of a trial, the best of which counts; twice as many larger "
      "ones for the winner");
  run.Text("journal", &request.journal, "append every finished trial to `FILE` at once");
  run.Text("config_out", &config_out, "write the best settings to `FILE` for select --config");
  DescribeJob(&flags, what, std::move(run),
              "end the search after `SECONDS` with the best so far (exit code 5); 0 for no limit",
              &parser);
  method.DescribeOptions(&parser, ", fixed where given");
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  // A random search may be made longer; in halving the number decides which trials go on.
  if (request.strategy == Strategy::kRandom) flags.free_flags.push_back("trials");
  ValidateJob("tune", parser, &flags);
  if (!config_out.empty()) CheckOutput(config_out);
  request.resume = flags.resume;
  request.method = method.entry().name;
  request.make = method.entry().make;
  for (const OptionField& field : method.options().fields()) {
    if (parser.Given(field.name)) request.fixed.push_back({field.name, field.get()});
  }

  if (flags.dry_run) {
    return FinishPlan(flags, RunJob(flags, [&](Job& job) {
                        request.select = flags.request;
                        return PlanTuning(job.tables(), request, job.context(0));
                      }));
  }
  const TuningResult result = RunJob(flags, [&](Job& job) {
    request.select = flags.request;
    return Tune(job.tables(), request, job.context(flags.time_limit));
  });
  if (!config_out.empty()) WriteFile(config_out, BestAsConfig(result, method.options()));
  const size_t limit = flags.verbose ? result.trials.size() : kTrialsShown;
  return Finish(flags, result, result.ToJson(),
                RenderTuning(result, limit, DescribeTerminal(STDOUT_FILENO)),
                "this is the best so far");
}

}  // namespace slm
