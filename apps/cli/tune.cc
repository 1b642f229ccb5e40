// slm tune: the search for the best settings of a method.

#include "jobs/tune.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/request_flags.h"
#include "cli/terminal.h"
#include "jobs/execute.h"
#include "report/table.h"

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
  TuneRequest request;
  std::string config_out;
  RequestFlags flags(
      arguments,
      {.example = "slm tune houses.csv --target price -k 10 --journal houses.jsonl",
       .usage = "tune DATA --target COL -k N [flags]",
       .summary =
           "Searches the settings of a method: each trial chooses N columns of DATA, the same "
           "predictors\nevaluate all of them on validation rows, and the best is measured "
           "on test rows. Trial 0 has the\ndefaults. Options of the method that are given "
           "stay as given."},
      ", fixed where given");
  flags.own().File("config_out", &config_out,
                   "write the best settings to `FILE` for select --config");
  if (!flags.Parse(&request)) return kDone;
  if (!config_out.empty()) CheckOutput(config_out);
  Job job("tune", request, flags.dry_run);
  if (flags.dry_run) return flags.FinishPlan(PlanOf(request, job));
  const TuningResult result = Execute(request, job);
  if (!config_out.empty()) WriteFile(config_out, BestAsConfig(result, flags.method_options()));
  const size_t limit = flags.verbose ? result.trials.size() : kTrialsShown;
  return flags.Finish(result, result.ToJson(),
                      RenderTuning(result, limit, DescribeTerminal(STDOUT_FILENO)),
                      "this is the best so far");
}

}  // namespace slm
