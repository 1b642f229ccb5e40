// slm compare: every method on the same splits, judged by the same predictors.

#include "eval/compare.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/memory_meter.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

// METHOD.OPTION=VALUE as the user wrote it: the method, and the setting.
std::pair<std::string, OptionSetting> ParseSetting(const std::string& text) {
  const size_t dot = text.find('.'), equals = text.find('=');
  if (dot == std::string::npos || equals == std::string::npos || equals < dot) {
    throw UsageError("--set got '" + text + "'; it takes METHOD.OPTION=VALUE, as in stg.epochs=50");
  }
  return {text.substr(0, dot), {text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)}};
}

std::unique_ptr<Selector> MakeWith(const MethodEntry& entry,
                                   const std::vector<OptionSetting>& settings) {
  std::unique_ptr<Selector> selector = entry.make();
  OptionList options;
  selector->DescribeOptions(options);
  options.SetAll(settings);
  return selector;
}

// The methods by name; "all" stands for the whole catalog. The reference line `random` is always
// there.
std::vector<ComparedMethod> ChooseMethods(const std::vector<std::string>& written,
                                          const std::vector<std::string>& set) {
  std::vector<const MethodEntry*> entries;
  auto add = [&](const MethodEntry& entry) {
    if (std::find(entries.begin(), entries.end(), &entry) == entries.end()) {
      entries.push_back(&entry);
    }
  };
  for (const std::string& text : written) {
    for (const std::string& name : SplitList(text)) {
      if (name == "all") {
        for (const MethodEntry& entry : Methods()) add(entry);
      } else {
        add(FindMethod(name));
      }
    }
  }
  add(FindMethod("random"));
  std::map<std::string_view, std::vector<OptionSetting>> settings;
  for (const std::string& text : set) {
    auto [method, setting] = ParseSetting(text);
    settings[FindMethod(method).name].push_back(std::move(setting));
  }
  std::vector<ComparedMethod> methods;
  for (const MethodEntry* entry : entries) {
    std::vector<OptionSetting> own = settings[entry->name];
    MakeWith(*entry, own);  // complains about options now, not in a row of the result
    methods.push_back({std::string(entry->name), [entry, own] { return MakeWith(*entry, own); }});
  }
  return methods;
}

}  // namespace

int RunCompare(Arguments arguments) {
  JobFlags flags;
  CompareRequest request;
  std::vector<std::string> written, set;
  ArgParser parser(
      {.example = "slm compare houses.csv --target price -k 10 --methods slm,lasso,rf,mrmr",
       .usage = "compare DATA --target COL -k N [flags]",
       .summary = "Chooses N columns of DATA by each method on the same splits, fits the same "
                  "predictors on each\nset, and ranks the methods by what those reach on test "
                  "rows."});
  OptionList what;
  what.Add(
      ListOption("methods", &written, "`A,B` of 'slm methods', or all, the default; repeatable"));
  what.Add(ListOption("set", &set, "`METHOD.OPTION=VALUE` for one method; repeatable"));
  OptionList run;
  run.Int("seeds", &request.seeds, 1, 1000, "how many splits, from --seed on");
  run.Int("refits", &request.refits, 1, 100, "predictors tried on each set; validation chooses");
  DescribeJob(&flags, std::move(what), std::move(run),
              "for each selection `SECONDS`, then it ends with its best and is marked late; 0 for "
              "no limit",
              &parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  SettleOutput(&flags);
  request.methods = ChooseMethods(written.empty() ? std::vector<std::string>{"all"} : written, set);
  request.time_limit = flags.time_limit;
  AllocationMeter memory;
  request.memory = &memory;

  ComparisonResult result;
  {
    Job job(flags);
    request.select = flags.request;
    result = CompareMethods(job.tables(), request, job.context());
    result.read_seconds = job.read_seconds();
    result.total_seconds = job.Seconds();
  }
  WriteResult(flags, result.ToJson(), RenderComparison(result, DescribeTerminal(STDOUT_FILENO)));
  std::string dropped = RenderDropped(result.data, flags.verbose ? result.data.dropped.size() : 5);
  if (!flags.quiet && !dropped.empty()) Say(dropped);
  if (!result.stopped_early) return kDone;
  Say("interrupted; these are the runs that were finished");
  return kInterrupted;
}

}  // namespace slm
