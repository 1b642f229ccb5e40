#include "cli/job.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "base/output.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/split_flags.h"
#include "cli/terminal.h"
#include "jobs/fingerprint.h"
#include "report/plan_table.h"
#include "report/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kDroppedShown = 5;
constexpr size_t kRemarksShown = 4;

// What of a time limit is left for measuring and writing what there is: so large a share of it, and
// no more seconds than that.
constexpr double kEndShare = 0.01, kEndSeconds = 1;

// Words that --ignore takes where no column has that name.
constexpr std::string_view kIdentifiers = "identifiers", kNone = "none";

// Flags that never decide about what is found. Of tables the content counts, not the name.
constexpr std::string_view kNeverDecide[] = {
    "checkpoint",     "checkpoint_every", "config", "config_out", "dry_run",
    "explain_recipe", "journal",          "json",   "model",      "output",
    "quiet",          "resume",           "svg",    "test",       "threads",
    "valid",          "verbose"};

// The same option, which also takes the word auto.
OptionField OrAuto(OptionField field, bool* is_auto) {
  field.help += ", or auto: as few as do as well as the best";
  field.allowed += ", or auto";
  field.get = [is_auto, get = field.get] { return *is_auto ? "auto" : get(); };
  field.set = [is_auto, set = field.set](const std::string& text) {
    *is_auto = text == "auto";
    return *is_auto || set(text);
  };
  return field;
}

bool HasColumn(const Table& table, const std::string& name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

// A text that is the name of a column is that column; any other is a list.
std::vector<std::string> ResolveColumns(const std::vector<std::string>& written,
                                        const Table& table) {
  std::vector<std::string> columns;
  for (const std::string& text : written) {
    std::vector<std::string> parts = HasColumn(table, text) ? std::vector{text} : SplitList(text);
    columns.insert(columns.end(), parts.begin(), parts.end());
  }
  return columns;
}

ProgressMeter::Mode ModeOf(const JobFlags& flags, const Terminal& terminal) {
  if (flags.quiet) return ProgressMeter::Mode::kSilent;
  if (terminal.interactive) return ProgressMeter::Mode::kBar;
  return flags.verbose ? ProgressMeter::Mode::kLines : ProgressMeter::Mode::kSilent;
}

}  // namespace

void DescribeJob(JobFlags* flags, const OptionList& what, OptionList run, std::string time_limit,
                 ArgParser* parser) {
  SelectRequest& request = flags->request;

  OptionList choose;
  choose.Text("target", &request.target, "the `COL` to predict");
  parser->Require("target", "name the column to predict");
  if (flags->k_flag != KFlag::kNone) {
    // 0 stands for "not given" and is no value.
    OptionList number;
    number.Int("k", &request.k, 1, 1 << 30, "how many columns to choose: exactly `N`");
    choose.Add(flags->k_flag == KFlag::kNumber ? number.fields()[0]
                                               : OrAuto(number.fields()[0], &flags->auto_k));
    parser->Require("k", "say how many columns to choose");
  }
  for (const OptionField& field : what.fields()) choose.Add(field);
  choose.Choice<TaskChoice>("task", &request.task,
                            {{"auto", TaskChoice::kAuto},
                             {"classification", TaskChoice::kClassification},
                             {"regression", TaskChoice::kRegression}},
                            "`KIND` of target: auto, classification or regression");
  choose.Text("metric", &request.metric, "what to measure: `NAME`, or auto for the task's own");
  parser->Flags("What to choose", std::move(choose));

  OptionList rows;
  rows.Add(SplitOption(&request.split, &request.split_by));
  rows.Text("valid", &flags->valid, "`FILE` with the rows for validation");
  rows.Text("test", &flags->test, "`FILE` with the rows for testing");
  rows.Add(ListOption("drop", &flags->drop, "columns that must not be chosen: `A,B`; repeatable"));
  rows.Add(ListOption("ignore", &flags->ignore,
                      "the same as --drop, for what is no input at all: `A,B`; columns that look "
                      "like identifiers are ignored unless this is none; repeatable"));
  rows.Add(ListOption("keep", &flags->keep,
                      "columns or groups that are always chosen, and count: `A,B`; repeatable"));
  rows.Add(ListOption("groups", &request.groups,
                      "columns that count as one: `NAME=A,B`, a pattern such as 'lab_*', or "
                      "prefix:_ for all that begin alike; repeatable"));
  rows.Text("weights", &request.weights, "`COL` with the weight of each row");
  rows.Choice<bool>("class_weight", &request.balanced, {{"none", false}, {"balanced", true}},
                    "`HOW` classes count: none, or balanced for all the same");
  DescribeOptions(&flags->read, &rows);
  parser->Flags("Rows and columns", std::move(rows));

  OptionList own = std::move(run);
  own.Add(SeedOption("seed", &request.seed, "the same seed gives the same result"));
  own.Int("threads", &flags->threads, 0, 1024, "0 is one for each core; the result is the same");
  own.Real("time_limit", &flags->time_limit, 0, 1e9, std::move(time_limit));
  own.Text("checkpoint", &flags->checkpoint, "keep in `FILE` what a run goes on from after a kill");
  own.Real("checkpoint_every", &flags->checkpoint_every, 0.01, 1e9,
           "write it every `SECONDS`, so that no more than those are lost");
  own.Bool("resume", &flags->resume, "go on from the checkpoint, if it exists");
  own.Bool("dry_run", &flags->dry_run,
           "only say what would be done, with estimates of memory and time; writes no file");
  own.Text("output", &flags->output, "also write the result as JSON to `FILE`");
  own.Bool("json", &flags->json, "print the result as JSON instead of the table");
  own.Bool("quiet", &flags->quiet, "no progress and no remarks");
  own.Bool("verbose", &flags->verbose, "progress in plain lines off a terminal, all remarks");
  parser->Flags("Run and output", std::move(own));

  parser->Positionals("DATA", &flags->data,
                      "A file: CSV, TSV, .npy, .npz, libsvm, ARFF, Parquet or JSON lines, also .gz "
                      "or .zst; a pattern such as 'parts/*.csv', or several files, which are one "
                      "table; a query such as \"SELECT * FROM 'a.parquet'\"; - is standard input.",
                      "name the file to read, or - for standard input");
}

void ValidateJob(std::string_view command, const ArgParser& parser, JobFlags* flags) {
  if (flags->output == "-") {
    flags->json = true;
    flags->output.clear();
  }
  if (!flags->output.empty()) CheckOutput(flags->output);
  if (flags->checkpoint.empty()) {
    if (!flags->resume || parser.Given("journal")) return;
    throw UsageError(std::string("--resume needs the --checkpoint ") +
                     (command == "tune" ? "or the --journal " : "") + "to go on from");
  }
  if (flags->checkpoint == "-") throw UsageError("--checkpoint needs the name of a file");
  CheckOutput(flags->checkpoint);
  flags->identity = Json::MakeObject();
  flags->identity.Add("version", Version());
  flags->identity.Add("command", command);
  auto holds = [](const auto& names, const std::string& name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  for (OptionSetting& setting : parser.Values()) {
    if (holds(kNeverDecide, setting.name) || holds(flags->free_flags, setting.name)) continue;
    flags->identity.Add(std::move(setting.name), std::move(setting.value));
  }
}

Job::Job(JobFlags& flags)
    : pool_(flags.threads),
      meter_(ModeOf(flags, DescribeTerminal(STDERR_FILENO)), DescribeTerminal(STDERR_FILENO).width,
             [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }) {
  tables_.data = ReadTables(flags.data, flags.read, pool_);
  flags.read.like = &tables_.data;
  if (!flags.valid.empty()) tables_.valid = ReadTable(flags.valid, flags.read, pool_);
  if (!flags.test.empty()) tables_.test = ReadTable(flags.test, flags.read, pool_);
  read_seconds_ = SecondsSince(start_);
  Begin(flags);
  CatchInterrupt();
}

Job::Job(JobFlags& flags, SelectTables tables, Observer* observer)
    : pool_(flags.threads),
      tables_(std::move(tables)),
      meter_(ProgressMeter::Mode::kSilent, 0, nullptr),
      observer_(observer) {
  Begin(flags);
}

void Job::Begin(JobFlags& flags) {
  flags.request.drop = ResolveColumns(flags.drop, tables_.data);
  for (std::string& name : ResolveColumns(flags.ignore, tables_.data)) {
    const bool word = name == kNone || name == kIdentifiers;
    if (word && !HasColumn(tables_.data, name)) {
      flags.request.ignore_identifiers = name == kIdentifiers;
    } else {
      flags.request.ignore.push_back(std::move(name));
    }
  }
  flags.request.keep = ResolveColumns(flags.keep, tables_.data);
  if (!flags.checkpoint.empty() && !flags.dry_run) {
    flags.identity.Add("rows", tables_.data.rows);
    flags.identity.Add("columns", tables_.data.columns.size());
    flags.identity.Add("fingerprint", Fingerprint(tables_));
    checkpoint_.emplace(flags.checkpoint, flags.identity, flags.resume, flags.checkpoint_every);
  }
}

Context Job::context(double time_limit) {
  Context context{.pool = &pool_, .observer = observer_};
  if (time_limit > 0) {
    const double end = std::min(kEndShare * time_limit, kEndSeconds);
    context.deadline = start_ + SecondsLong(time_limit - end);
  }
  if (checkpoint_) context.checkpoint = &*checkpoint_;
  return context;
}

void Job::Flush() {
  if (checkpoint_) checkpoint_->Flush();
}

void Job::Time(Outcome* outcome) const {
  outcome->read_seconds = read_seconds_;
  outcome->total_seconds = SecondsSince(start_);
}

int Finish(const JobFlags& flags, const Outcome& outcome, const Json& json, const std::string& text,
           const std::string& kept) {
  std::string dump;
  if (flags.json || !flags.output.empty()) dump = json.Dump(2) + "\n";
  if (!flags.output.empty()) WriteFile(flags.output, dump);
  WriteStdout(flags.json ? dump : text);

  const DataSummary& data = outcome.data;
  const std::string dropped =
      RenderDropped(data, flags.verbose ? data.dropped.size() : kDroppedShown);
  if (!flags.quiet && !dropped.empty()) Log(dropped);
  const size_t shown = flags.quiet     ? 0
                       : flags.verbose ? data.remarks.size()
                                       : std::min(data.remarks.size(), kRemarksShown);
  for (size_t i = 0; i < shown; ++i) Log(Printable(data.remarks[i]));
  if (!flags.quiet && shown < data.remarks.size()) {
    Log("and " + std::to_string(data.remarks.size() - shown) + " more such remarks; see --verbose");
  }
  if (!outcome.stopped_early) return kDone;
  const std::string on = flags.checkpoint.empty() ? "" : "; --resume goes on from the checkpoint";
  if (Interrupted()) {
    Log("interrupted; " + kept + on);
    return kInterrupted;
  }
  Log("the time limit of " + FormatNumber(flags.time_limit) + " s was reached; " + kept + on);
  return kTimeLimit;
}

int FinishPlan(JobFlags flags, const Plan& plan) {
  flags.output.clear();
  return Finish(flags, plan, plan.ToJson(), RenderPlan(plan, DescribeTerminal(STDOUT_FILENO)),
                "this is the plan so far");
}

}  // namespace slm
