// slm stability: how much selections change with rows and seeds.

#include "jobs/stability.h"

#include <unistd.h>

#include <limits>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/job.h"
#include "cli/method_list.h"
#include "cli/terminal.h"
#include "report/table.h"

namespace slm {
namespace {

constexpr size_t kColumnsShown = 20;

OptionField SubsampleOption(std::optional<double>* share) {
  return {"subsample",
          "`SHARE` of the rows in each resample, or bootstrap for as many with replacement",
          "a share above 0 and at most 1, or bootstrap",
          OptionField::Kind::kText,
          [share] { return *share ? FormatNumber(**share) : std::string("bootstrap"); },
          [share](const std::string& text) {
            double value = 0;
            const bool number = ParseNumber(text, &value) && value > 0 && value <= 1;
            if (!number && text != "bootstrap") return false;
            *share = number ? std::optional(value) : std::nullopt;
            return true;
          }};
}

}  // namespace

int RunStability(Arguments arguments) {
  JobFlags flags;
  ConfigFlag config(arguments);
  flags.request.split = {0.875, 0.125, 0};
  StabilityRequest request;
  std::vector<std::string> written, set;
  ArgParser parser(
      {.example = "slm stability houses.csv --target price -k 10 --methods slm,lasso,mrmr",
       .usage = "stability DATA --target COL -k N [flags]",
       .summary =
           "Chooses N columns of DATA again and again, from other rows and with other seeds, "
           "and says for each\nmethod how much the selections agree and how often each "
           "column was chosen."});
  OptionList what;
  what.Add(ListOption("methods", &written,
                      "`A,B` of 'slm methods', or all; slm is the default; repeatable"));
  what.Add(ListOption("set", &set, "`METHOD.OPTION=VALUE` for one method; repeatable"));
  config.Describe(&what, &parser);
  OptionList run;
  run.Int("resamples", &request.resamples, 2, 100000, "how many selections of each method");
  run.Add(SubsampleOption(&request.subsample));
  DescribeJob(&flags, what, std::move(run),
              "end after `SECONDS` with the selections finished by then (exit code 5); 0 for no "
              "limit",
              &parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  ValidateJob("stability", parser, &flags);
  request.methods = MethodsByName(written.empty() ? std::vector<std::string>{"slm"} : written, set);

  if (flags.dry_run) {
    return FinishPlan(flags, RunJob(flags, [&](Job& job) {
                        request.select = flags.request;
                        return PlanStability(job.tables(), request, job.context(0));
                      }));
  }
  const StabilityResult result = RunJob(flags, [&](Job& job) {
    request.select = flags.request;
    return CompareStability(job.tables(), request, job.context(flags.time_limit));
  });
  const size_t limit = flags.verbose ? std::numeric_limits<size_t>::max() : kColumnsShown;
  return Finish(flags, result, result.ToJson(),
                RenderStability(result, limit, DescribeTerminal(STDOUT_FILENO)),
                "these are the selections that were finished");
}

}  // namespace slm
