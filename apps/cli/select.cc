// slm select: from a file to exactly k chosen columns.

#include "eval/select.h"

#include <unistd.h>

#include <memory>
#include <string>

#include "base/options.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "selectors/catalog.h"

namespace slm {
namespace {

// The method decides which flags exist, so it is looked up before the line is parsed.
std::string MethodOf(Arguments arguments, std::string method) {
  constexpr std::string_view kFlag = "--method";
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    if (argument == kFlag && i + 1 < arguments.size()) method = arguments[i + 1];
    if (argument.starts_with("--method=")) method = argument.substr(kFlag.size() + 1);
  }
  return method;
}

// Which other methods have the option of that name.
std::string OtherOwners(std::string_view flag) {
  std::string owners;
  for (const MethodEntry& method : Methods()) {
    std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    if (options.Find(flag) == nullptr) continue;
    owners += (owners.empty() ? "" : ", ") + std::string(method.name);
  }
  return owners.empty() ? "" : "it belongs to --method " + owners;
}

}  // namespace

int RunSelect(Arguments arguments) {
  JobFlags flags;
  std::string name = "slm";
  const MethodEntry& method = FindMethod(MethodOf(arguments, name));
  std::unique_ptr<Selector> selector = method.make();
  OptionList options;
  selector->DescribeOptions(options);

  ArgParser parser({.example = "slm select houses.csv --target price -k 10",
                    .usage = "select DATA --target COL -k N [flags]",
                    .summary = "Chooses exactly N columns of DATA that predict COL best, trains a "
                               "predictor on them,\nand prints them ranked by weight."});
  OptionList what;
  what.Text("method", &name, "how to choose: the `NAME` of a method, see 'slm methods'");
  DescribeJob(&flags, std::move(what), {},
              "end after `SECONDS` with the best so far (exit code 5); 0 for no limit", &parser);
  parser.Flags("Options of method " + std::string(method.name), options);
  parser.ExplainUnknown(OtherOwners);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  SettleOutput(&flags);

  SelectionResult result;
  {
    Job job(flags);
    Context context = job.context();
    if (flags.time_limit > 0) context.deadline = job.After(flags.time_limit);
    result = SelectFromTable(job.tables(), flags.request, method.name, *selector, context);
    result.read_seconds = job.read_seconds();
    result.total_seconds = job.Seconds();
  }
  WriteResult(flags, result.ToJson(), RenderSelection(result, DescribeTerminal(STDOUT_FILENO)));
  std::string dropped = RenderDropped(result.data, flags.verbose ? result.data.dropped.size() : 5);
  if (!flags.quiet && !dropped.empty()) Say(dropped);
  if (!result.stopped_early) return kDone;
  if (Interrupted()) {
    Say("interrupted; this is the best so far");
    return kInterrupted;
  }
  Say("the time limit of " + FormatNumber(flags.time_limit) +
      " s was reached; this is the best so far");
  return kTimeLimit;
}

}  // namespace slm
