#include "data/synthetic/synth.h"

#include <algorithm>
#include <span>

#include "base/options.h"
#include "base/text.h"
#include "data/synthetic/synth_draft.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr uint64_t kSynthStream = 0x5e7;

constexpr std::pair<std::string_view, PaperForm> kForms[] = {
    {"signed", PaperForm::kSigned},
    {"signed_median", PaperForm::kSignedMedian},
    {"printed", PaperForm::kPrinted},
    {"printed_median", PaperForm::kPrintedMedian},
};

std::vector<SynthEntry> Entries() {
  std::vector<SynthEntry> all;
  for (std::span<const SynthEntry> part : {ClassKinds(), ValueKinds()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(),
            [](const SynthEntry& a, const SynthEntry& b) { return a.kind.name < b.kind.name; });
  return all;
}

SynthEntry FindKind(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const SynthEntry& entry : Entries()) {
    if (entry.kind.name == name) return entry;
    all.append(all.empty() ? "" : ", ").append(entry.kind.name);
    names.emplace_back(entry.kind.name);
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no synthetic set '" + name + "'; " +
                   (near.empty() ? "the kinds are " + all : "did you mean '" + near + "'?"));
}

// What was asked for, with the defaults of the kind for the rest.
SynthPlan MakePlan(const SynthOptions& options, const SynthEntry& entry) {
  const auto& [kind, make, traits] = entry;
  auto pick = [](int wanted, int standard) {
    return static_cast<size_t>(wanted > 0 ? wanted : standard);
  };
  SynthPlan plan{pick(options.rows, kind.rows) + static_cast<size_t>(options.test_rows),
                 pick(options.features, kind.features),
                 pick(options.salient, kind.salient),
                 pick(options.classes, kind.classes),
                 options.shift > 0 ? options.shift : traits.shift,
                 options.form,
                 RandomStream(options.seed, kSynthStream)};
  const std::string set = "the set '" + options.kind + "' ";
  if (plan.salient > plan.features) {
    throw UsageError("the set cannot have " + std::to_string(plan.salient) +
                     " salient columns among " + std::to_string(plan.features) +
                     "; ask for fewer of them or more features");
  }
  if (kind.classes == 0 && plan.classes != 0) {
    throw UsageError(set + "has values to predict; omit " + FieldRef("classes"));
  }
  if (kind.classes != 0 && (plan.classes < 2 || (plan.classes != 2 && !traits.any_classes))) {
    throw UsageError(set + "cannot have " + std::to_string(plan.classes) + " classes");
  }
  if (options.shift > 0 && traits.shift == 0) {
    throw UsageError(set + "has no shift between classes to set; omit " + FieldRef("shift"));
  }
  return plan;
}

// Hands the columns to the table in a random order and lists where the salient ones went.
SyntheticSet Assemble(const SynthPlan& plan, Draft draft) {
  const std::vector<size_t> place = ShuffledPlaces(plan.features, plan.ShuffleStream());
  SyntheticSet set;
  set.table.rows = plan.rows;
  set.table.columns.resize(plan.features + 1);
  std::vector<std::pair<int, std::vector<int>>> salient(plan.salient);
  for (size_t j = 0; j < plan.features; ++j) {
    Column& column = set.table.columns[place[j]];
    column.name = "x" + std::to_string(place[j]);
    column.numbers = std::move(draft.columns[j]);
    if (j < plan.salient) salient[j].first = static_cast<int>(place[j]);
  }
  for (auto [original, column] : draft.copies) {
    salient[original].second.push_back(static_cast<int>(place[column]));
  }
  std::sort(salient.begin(), salient.end());
  for (auto& [column, copies] : salient) {
    std::sort(copies.begin(), copies.end());
    set.salient.push_back(column);
    set.copies.push_back(std::move(copies));
  }
  set.table.columns.back().name = "y";
  set.table.columns.back().numbers = std::move(draft.target);
  return set;
}

}  // namespace

std::vector<SynthKind> SynthKinds() {
  std::vector<SynthKind> kinds;
  for (const SynthEntry& entry : Entries()) kinds.push_back(entry.kind);
  return kinds;
}

void DescribeOptions(SynthOptions* options, OptionList* list) {
  list->Int("rows", &options->rows, 0, 100000000, "rows; 0 takes the default of the kind");
  list->Int("test_rows", &options->test_rows, 0, 100000000,
            "further rows of the same set, for testing");
  list->Int("features", &options->features, 0, 10000000,
            "columns other than the target; 0 takes the default of the kind");
  list->Int("salient", &options->salient, 0, 10000000,
            "columns the target depends on; 0 takes the default of the kind");
  list->Int("classes", &options->classes, 0, 1000,
            "classes, for the kinds that can have more than two; 0 takes the default of the kind");
  list->Real("shift", &options->shift, 0, 1000,
             "distance between the classes in a salient column of blocks and skewed, in standard "
             "deviations; 0 takes the default of the kind");
  list->Choice(
      "form", &options->form,
      std::vector<std::pair<std::string_view, PaperForm>>(std::begin(kForms), std::end(kForms)),
      "label of the paper's sets: as printed nearly all rows are positive; signed drops an "
      "absolute value; a median threshold balances either");
}

SyntheticSet Synthesize(const SynthOptions& options) {
  const SynthEntry entry = FindKind(options.kind);
  const SynthPlan plan = MakePlan(options, entry);
  SyntheticSet set = Assemble(plan, entry.make(plan));
  set.test_rows = static_cast<size_t>(options.test_rows);
  set.description = options.kind + ": " + std::to_string(plan.rows - set.test_rows) + " rows, ";
  if (set.test_rows > 0) set.description += std::to_string(set.test_rows) + " test rows, ";
  set.description += std::to_string(plan.features) + " features, " + std::to_string(plan.salient) +
                     " of them salient";
  if (plan.shift > 0) set.description += ", shift " + FormatNumber(plan.shift);
  if (entry.traits.has_form) {
    for (const auto& [name, form] : kForms) {
      if (form == plan.form) set.description += ", label form " + std::string(name);
    }
  }
  return set;
}

}  // namespace slm
