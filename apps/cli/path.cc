// slm path: quality against the number of columns.

#include "jobs/path.h"

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
#include "cli/path_flags.h"
#include "cli/terminal.h"
#include "report/path_svg.h"
#include "report/table.h"

namespace slm {
namespace {

OptionField NumbersOption(std::string name, std::vector<int>* values, std::string help) {
  return {std::move(name),
          std::move(help),
          "whole numbers from 1 on, between commas",
          OptionField::Kind::kText,
          [values] {
            std::string text;
            for (int value : *values) text += (text.empty() ? "" : ",") + FormatNumber(value);
            return text;
          },
          [values](const std::string& text) {
            std::vector<int> numbers;
            for (const std::string& part : SplitList(text)) {
              int number = 0;
              if (!ParseNumber(part, &number) || number < 1) return false;
              numbers.push_back(number);
            }
            *values = std::move(numbers);
            return true;
          }};
}

}  // namespace

int RunPath(Arguments arguments) {
  JobFlags flags;
  flags.k_flag = KFlag::kNone;
  flags.request.split = {0.875, 0.125, 0};
  ConfigFlag config(arguments);
  MethodFlags method(arguments, config.Find("method"));
  PathRequest request;
  std::string svg;

  ArgParser parser({.example = "slm path houses.csv --target price --svg path.svg",
                    .usage = "path DATA --target COL [flags]",
                    .summary = "Measures on held-out folds how well COL is predicted from the best "
                               "1, 2, 3, 5, ... columns of\nDATA, beside columns drawn by lot, and "
                               "says how many are enough."});
  OptionList what;
  method.DescribeMethod(&what);
  config.Describe(&what, &parser);
  what.Int("k_max", &request.k_max, 0, 1 << 30, "the most columns to try: `N`; 0: all, up to 1000");
  what.Add(NumbersOption("k_list", &request.ks, "just these: `A,B,C`"));
  DescribePathOptions(&request, "", &what);
  OptionList run;
  run.Int("refits", &request.refits, 1, 100, "predictors tried on each set; validation chooses");
  run.Text("svg", &svg, "draw the path to `FILE`");
  DescribeJob(&flags, what, std::move(run),
              "end after `SECONDS` with the folds finished by then (exit code 5); 0 for no limit",
              &parser);
  method.DescribeOptions(&parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  ValidateJob("path", parser, &flags);
  if (!svg.empty()) CheckOutput(svg);
  request.method = method.name();
  request.make = [&] { return method.Make(); };

  if (flags.dry_run) {
    return FinishPlan(flags, RunJob(flags, [&](Job& job) {
                        request.select = flags.request;
                        return PlanPath(job.tables(), request, job.context(0));
                      }));
  }
  const PathResult result = RunJob(flags, [&](Job& job) {
    request.select = flags.request;
    return FollowPath(job.tables(), request, job.context(flags.time_limit));
  });
  if (!svg.empty()) WriteFile(svg, PathToSvg(result));
  return Finish(flags, result, result.ToJson(), RenderPath(result, DescribeTerminal(STDOUT_FILENO)),
                "these are the folds that were finished");
}

}  // namespace slm
