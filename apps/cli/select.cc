// slm select: from a file to exactly k chosen columns.

#include "eval/select.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "data/reader.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Clock = Context::Clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct SelectFlags {
  std::string data;
  SelectRequest request;
  ReadOptions read;
  std::string valid, test;        // files
  std::vector<std::string> drop;  // as written: a column, or several between commas
  std::string method = "slm";
  int threads = 0;
  double time_limit = 0;  // seconds; 0 for none
  std::string output;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

// Three shares that make a whole; the part for testing may be empty.
OptionField SplitOption(std::array<double, 3>* split) {
  return {"split",
          "shares `A,B,C` of the rows for training, validation and testing",
          "three shares from 0 to 1 whose sum is 1, the first two above 0",
          OptionField::Kind::kText,
          [split] {
            return FormatNumber((*split)[0]) + "," + FormatNumber((*split)[1]) + "," +
                   FormatNumber((*split)[2]);
          },
          [split](const std::string& text) {
            std::vector<std::string> parts = SplitList(text);
            std::array<double, 3> shares{};
            if (parts.size() != shares.size()) return false;
            for (size_t i = 0; i < parts.size(); ++i) {
              const char* end = parts[i].data() + parts[i].size();
              auto [stop, error] = std::from_chars(parts[i].data(), end, shares[i]);
              if (error != std::errc() || stop != end || !(shares[i] >= 0)) return false;
            }
            bool whole = std::abs(shares[0] + shares[1] + shares[2] - 1) < 1e-6;
            if (!whole || shares[0] <= 0 || shares[1] <= 0) return false;
            *split = shares;
            return true;
          }};
}

void DescribeFlags(SelectFlags* flags, ArgParser* parser) {
  using TaskChoice = SelectRequest::TaskChoice;
  SelectRequest& request = flags->request;

  OptionList what;
  what.Text("target", &request.target, "the `COL` to predict");
  // 0 stands for "not given" and is no value.
  what.Int("k", &request.k, 1, 1 << 30, "how many columns to choose: exactly `N`");
  what.Text("method", &flags->method, "how to choose: the `NAME` of a method, see 'slm methods'");
  what.Choice<TaskChoice>("task", &request.task,
                          {{"auto", TaskChoice::kAuto},
                           {"classification", TaskChoice::kClassification},
                           {"regression", TaskChoice::kRegression}},
                          "`KIND` of target: auto, classification or regression");
  what.Text("metric", &request.metric, "what to measure: `NAME`, or auto for the task's own");
  parser->Flags("What to choose", std::move(what));

  OptionList rows;
  rows.Add(SplitOption(&request.split));
  rows.Text("valid", &flags->valid, "`FILE` with the rows for validation");
  rows.Text("test", &flags->test, "`FILE` with the rows for testing");
  rows.Add(ListOption("drop", &flags->drop, "columns that must not be chosen: `A,B`; repeatable"));
  rows.Text("weights", &request.weights, "`COL` with the weight of each row");
  rows.Choice<bool>("class_weight", &request.balanced, {{"none", false}, {"balanced", true}},
                    "`HOW` classes count: none, or balanced for all the same");
  DescribeOptions(&flags->read, &rows);
  parser->Flags("Rows and columns", std::move(rows));

  OptionList run;
  run.Add(SeedOption("seed", &request.seed, "the same seed gives the same result"));
  run.Int("threads", &flags->threads, 0, 1024, "0 is one for each core; the result is the same");
  run.Real("time_limit", &flags->time_limit, 0, 1e9,
           "end after `SECONDS` with the best so far (exit code 5); 0 for no limit");
  run.Text("output", &flags->output, "also write the result as JSON to `FILE`");
  run.Bool("json", &flags->json, "print the result as JSON instead of the table");
  run.Bool("quiet", &flags->quiet, "no progress and no remarks");
  run.Bool("verbose", &flags->verbose, "progress in plain lines off a terminal, all remarks");
  parser->Flags("Run and output", std::move(run));

  parser->Require("target", "name the column to predict");
  parser->Require("k", "say how many columns to choose");
}

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

// A text that is the name of a column is that column; any other is a list.
std::vector<std::string> ResolveDrops(const std::vector<std::string>& written, const Table& table) {
  std::vector<std::string> columns;
  for (const std::string& text : written) {
    bool whole = std::any_of(table.columns.begin(), table.columns.end(),
                             [&](const Column& column) { return column.name == text; });
    std::vector<std::string> parts = whole ? std::vector{text} : SplitList(text);
    columns.insert(columns.end(), parts.begin(), parts.end());
  }
  return columns;
}

ProgressMeter::Mode ModeOf(const SelectFlags& flags, const Terminal& terminal) {
  if (flags.quiet) return ProgressMeter::Mode::kSilent;
  if (terminal.interactive) return ProgressMeter::Mode::kBar;
  return flags.verbose ? ProgressMeter::Mode::kLines : ProgressMeter::Mode::kSilent;
}

SelectionResult Run(SelectFlags& flags, Selector& selector) {
  Clock::time_point start = Clock::now();
  ThreadPool pool(flags.threads);
  SelectTables tables;
  tables.data = ReadTable(flags.data, flags.read, pool);
  flags.read.like = &tables.data;
  if (!flags.valid.empty()) tables.valid = ReadTable(flags.valid, flags.read, pool);
  if (!flags.test.empty()) tables.test = ReadTable(flags.test, flags.read, pool);
  double read_seconds = SecondsSince(start);
  flags.request.drop = ResolveDrops(flags.drop, tables.data);

  Terminal terminal = DescribeTerminal(STDERR_FILENO);
  ProgressMeter meter(ModeOf(flags, terminal), terminal.width, [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  });
  Context context{.pool = &pool, .observer = &meter};
  if (flags.time_limit > 0) {
    context.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(flags.time_limit, 1e9)));
  }
  CatchInterrupt();
  SelectionResult result = SelectFromTable(tables, flags.request, flags.method, selector, context);
  result.read_seconds = read_seconds;
  result.total_seconds = SecondsSince(start);
  return result;
}

}  // namespace

int RunSelect(Arguments arguments) {
  SelectFlags flags;
  const MethodEntry& method = FindMethod(MethodOf(arguments, flags.method));
  std::unique_ptr<Selector> selector = method.make();
  OptionList options;
  selector->DescribeOptions(options);

  ArgParser parser({.example = "slm select houses.csv --target price -k 10",
                    .usage = "select DATA --target COL -k N [flags]",
                    .summary = "Chooses exactly N columns of DATA that predict COL best, trains a "
                               "predictor on them,\nand prints them ranked by weight."});
  parser.Positional("DATA", &flags.data,
                    "A CSV or TSV file, also .gz or .zst; - is standard input.",
                    "name the file to read, or - for standard input");
  DescribeFlags(&flags, &parser);
  parser.Flags("Options of method " + std::string(method.name), options);
  parser.ExplainUnknown(OtherOwners);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  if (flags.output == "-") {
    flags.json = true;
    flags.output.clear();
  }
  if (!flags.output.empty()) CheckOutput(flags.output);

  SelectionResult result = Run(flags, *selector);

  std::string json;
  if (flags.json || !flags.output.empty()) json = result.ToJson().Dump(2) + "\n";
  if (!flags.output.empty()) WriteFile(flags.output, json);
  WriteStdout(flags.json ? json : RenderSelection(result, DescribeTerminal(STDOUT_FILENO)));
  std::string dropped = RenderDropped(result, flags.verbose ? result.dropped.size() : 5);
  if (!flags.quiet && !dropped.empty()) Say(dropped);
  if (!result.stopped_early) return kDone;
  if (Interrupted()) {
    Say("interrupted; this is the best so far");
    return kInterrupted;
  }
  Say("the time limit of " + FormatNumber(flags.time_limit) +
      " s was reached; this is the best so "
      "far");
  return kTimeLimit;
}

}  // namespace slm
