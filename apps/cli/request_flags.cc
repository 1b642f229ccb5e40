#include "cli/request_flags.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/text.h"
#include "cli/file_roles.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "jobs/methods.h"
#include "report/plan_table.h"
#include "report/table.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kDroppedShown = 5;
constexpr size_t kRemarksShown = 4;

// The method that the line names, or the file, or the default. It decides which flags exist, so it
// is looked up before the line is parsed.
const MethodEntry& Lookup(const std::string& on_line, const FileSetting* setting,
                          const std::string& otherwise) {
  if (!on_line.empty() || setting == nullptr) {
    return FindMethod(on_line.empty() ? otherwise : on_line);
  }
  try {
    return FindMethod(setting->value);
  } catch (const InputError& error) {
    throw UsageError(setting->where + ": " + error.marked());
  }
}

ProgressMeter::Mode ModeOf(bool quiet, bool verbose, const Terminal& terminal) {
  if (quiet) return ProgressMeter::Mode::kSilent;
  if (terminal.interactive) return ProgressMeter::Mode::kBar;
  return verbose ? ProgressMeter::Mode::kLines : ProgressMeter::Mode::kSilent;
}

// Fields of a request that name files which are written, the others are read.
constexpr std::string_view kWritten[] = {"checkpoint", "journal"};

void RefuseOverwriting(const DataRequest& data, const OptionList& fields, const OptionList& own) {
  std::vector<NamedFile> inputs, outputs;
  for (const std::string& path : data.data) inputs.push_back({"DATA", path});
  for (const OptionField& field : fields.fields()) {
    if (!field.reaches_out || field.kind != OptionField::Kind::kText) continue;
    const bool written =
        std::find(std::begin(kWritten), std::end(kWritten), field.name) != std::end(kWritten);
    (written ? outputs : inputs).push_back({FlagStyle(field.name), field.get()});
  }
  for (const OptionField& field : own.fields()) {
    if (field.reaches_out) outputs.push_back({FlagStyle(field.name), field.get()});
  }
  RefuseOverwriting(inputs, outputs);
}

}  // namespace

RequestFlags::RequestFlags(Arguments arguments, CommandText text, std::string remark)
    : arguments_(arguments),
      parser_(std::move(text)),
      config_(arguments),
      remark_(std::move(remark)) {
  own_.Group(std::string(kRunGroup));
}

bool RequestFlags::ParseFields(OptionList fields, MethodChoice* choice, DataRequest* data,
                               RunControl* run) {
  fields.Group(std::string(kWhatGroup));
  config_.Describe(&fields, &parser_);
  own_.Bool("dry_run", &dry_run,
            "only report what would be done, with estimates of memory and time; writes no file");
  own_.File("output", &output_, "also write the result as JSON to `FILE`");
  own_.Bool("json", &json_, "print the result as JSON instead of the table");
  own_.Bool("quiet", &quiet_, "no progress and no remarks");
  own_.Bool("verbose", &verbose, "progress as plain lines off a terminal, and all remarks");
  parser_.Flags(fields);
  parser_.Flags(own_);
  if (choice != nullptr) {
    const MethodEntry& entry =
        Lookup(FlagValue(arguments_, "--method", ""), config_.Find("method"), choice->method);
    selector_ = entry.make();
    method_options_.Group("Options of method " + std::string(entry.name) + remark_);
    selector_->DescribeOptions(method_options_);
    parser_.Flags(method_options_);
    parser_.ExplainUnknown([this](std::string_view flag) {
      if (const auto found = instead_.find(flag); found != instead_.end()) return found->second;
      const std::string owners = OwnersOf(flag);
      return owners.empty() ? "" : "it belongs to --method " + owners;
    });
  }
  parser_.Positionals(
      "DATA", &data->data,
      "A file: CSV, TSV, .xlsx, JSON, JSON lines, .npy, .npz, libsvm, ARFF or Parquet, also .gz, "
      ".zst or .zip; a "
      "pattern such as 'parts/*.csv', or several files, which are one table; a query such as "
      "\"SELECT * FROM 'a.parquet'\"; - is standard input.",
      "name the file to read, or - for standard input");
  if (!parser_.Parse(arguments_)) {
    WriteStdout(parser_.Help());
    return false;
  }
  if (choice != nullptr) {
    for (const OptionField& field : method_options_.fields()) {
      if (parser_.Given(field.name)) choice->options.push_back({field.name, field.get()});
    }
  }
  RefuseOverwriting(*data, fields, own_);
  if (output_ == "-") {
    json_ = true;
    output_.clear();
  }
  if (!output_.empty()) CheckOutput(output_);
  const Terminal terminal = DescribeTerminal(STDERR_FILENO);
  meter_.emplace(
      ModeOf(quiet_, verbose, terminal), terminal.width,
      [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); },
      [this](std::string_view text) {
        if (!quiet_) Log(text);
      },
      !json_);
  run->observer = &*meter_;
  run->field_style = FlagStyle;
  run_ = run;
  return true;
}

int RequestFlags::Finish(const Outcome& outcome, const Json& json, const std::string& text,
                         const std::string& kept) {
  meter_.reset();  // wipes the line of progress
  std::string dump;
  if (json_ || !output_.empty()) dump = json.Dump(2) + "\n";
  if (!output_.empty()) WriteFile(output_, dump);
  WriteStdout(json_ ? dump : text);

  const DataSummary& data = outcome.data;
  const std::string dropped = RenderDropped(data, verbose ? data.dropped.size() : kDroppedShown);
  if (!quiet_ && !dropped.empty()) Log(dropped);
  const size_t shown = quiet_    ? 0
                       : verbose ? data.remarks.size()
                                 : std::min(data.remarks.size(), kRemarksShown);
  for (size_t i = 0; i < shown; ++i) Log(Printable(data.remarks[i]));
  if (!quiet_ && shown < data.remarks.size()) {
    Log("and " + std::to_string(data.remarks.size() - shown) + " more such remarks; see --verbose");
  }
  if (!outcome.stopped_early) return kDone;
  const std::string on = run_->checkpoint.empty() ? "" : "; --resume continues from the checkpoint";
  if (Interrupted()) {
    Log("interrupted; " + kept + on);
    return kInterrupted;
  }
  Log("the time limit of " + FormatNumber(run_->time_limit) + " s was reached; " + kept + on);
  return kTimeLimit;
}

int RequestFlags::FinishPlan(const Plan& plan) {
  output_.clear();
  return Finish(plan, plan.ToJson(), RenderPlan(plan, DescribeTerminal(STDOUT_FILENO)),
                "this is the plan so far");
}

}  // namespace slm
