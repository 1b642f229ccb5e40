// What is written as text: configuration files, results and journals.

#include <span>
#include <string>

#include "base/json.h"
#include "base/json_reader.h"
#include "cli/args.h"
#include "cli/config.h"
#include "cli/terminal.h"
#include "jobs/journal.h"
#include "jobs/predict.h"
#include "report/model_table.h"
#include "report/plan_table.h"
#include "report/table.h"
#include "search/describe_options.h"
#include "slm/errors.h"
#include "slm/options.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace slm {

// Settings are given to flags of each kind, as --config does.
void FuzzConfig(std::string_view bytes) {
  bool json = false;
  int k = 1;
  double rate = 0.5;
  uint64_t seed = 0;
  std::string target;
  std::vector<std::string> drop;
  SlmOptions options;
  OptionList list("Flags");
  list.Bool("json", &json, "a switch");
  list.Int("k", &k, 1, 1000, "a number");
  list.Real("rate", &rate, 0, 1, "a share");
  list.Text("target", &target, "a text");
  list.Seed("seed", &seed, "a seed");
  list.List("drop", &drop, "a list");
  DescribeOptions(options, list);
  ArgParser parser({.example = "slm x", .usage = "x", .summary = "X."});
  parser.Flags(list);
  parser.Preset(ParseConfig(bytes, "input"));
  parser.Parse(std::span<const std::string>());
  for (const OptionField& field : list.fields()) {
    if (field.name == "preset") continue;  // sets the others
    const std::string text = field.get();
    if (field.kind != OptionField::Kind::kList && !field.set(text)) {
      ReportFinding("a value that its own field does not take");
    }
  }
}

namespace {

// What the JSON is a result of is written the same again after it was read, and can be shown.
template <class Result, class Render>
void ReadAs(const Json& json, Render render) {
  std::string text;
  try {
    const Result result = Result::FromJson(json);
    render(result);
    text = result.ToJson().Dump();
  } catch (const InputError&) {  // a result of another kind, or none
    return;
  }
  if (Result::FromJson(ParseJson(text)).ToJson().Dump() != text) {
    ReportFinding("a result that changes when it is read");
  }
}

void ReadAsAnyResult(const Json& json) {
  const Terminal terminal{.color = true};
  ReadAs<SelectionResult>(json, [&](const auto& r) { RenderSelection(r, terminal); });
  ReadAs<ComparisonResult>(json, [&](const auto& r) { RenderComparison(r, terminal); });
  ReadAs<TuningResult>(json, [&](const auto& r) { RenderTuning(r, 5, terminal); });
  ReadAs<PathResult>(json, [&](const auto& r) { RenderPath(r, terminal); });
  ReadAs<StabilityResult>(json, [&](const auto& r) { RenderStability(r, 5, terminal); });
  ReadAs<PredictionResult>(json, [](const auto&) {});
  ReadAs<Plan>(json, [&](const auto& r) { RenderPlan(r, terminal); });
}

}  // namespace

void FuzzJson(std::string_view bytes) {
  const Json json = ParseJson(bytes);
  for (int indent : {0, 2}) {
    const std::string text = json.Dump(indent);
    if (ParseJson(text).Dump(indent) != text) ReportFinding("JSON that changes when it is read");
  }
  if (!json.is_object()) return;
  try {
    RenderResult(json, "input", {.color = true});
  } catch (const InputError&) {  // JSON of something else
  }
  ReadAsAnyResult(json);
}

void FuzzJournal(std::string_view bytes) {
  const MemoryFile file(bytes);
  Json header = Json::MakeObject();
  header.Add("schema", "slm.journal/1");
  header.Add("k", 3);
  Journal journal(file.path(), header, /*resume=*/true);
  for (int index : {0, 1}) {
    Trial trial;
    trial.index = index;
    trial.settings = {{"rate", "0.5"}};
    try {
      journal.Find(&trial);
    } catch (const InputError&) {  // a trial with other settings
    }
  }
}

}  // namespace slm
