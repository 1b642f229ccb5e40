#include "jobs/cross_validate.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "base/thread_pool.h"
#include "jobs/resample.h"
#include "jobs/select.h"
#include "jobs/side_by_side.h"

namespace slm {
namespace {

// One of many selections.
struct Repetition {
  SelectionSpec request;
  const RowParts* parts;
};

struct Repeated {
  std::optional<FoldResult> fold;  // empty if it was cut short
  std::vector<SelectedFeature> selected;
  std::string metric;
};

std::vector<RowParts> PartsOf(const SelectionWork& work) {
  if (work.folds > 0) {
    return Resampler(*work.tables, work.request).Folds(static_cast<size_t>(work.folds));
  }
  std::vector<RowParts> one;
  one.push_back(CutRows(*work.tables, work.request));
  return one;
}

// All repetitions, side by side.
std::vector<Repeated> RunAll(const SelectionWork& work, const std::vector<Repetition>& repetitions,
                             std::string_view phase, const Context& context) {
  const SideBySide crowd(context);
  std::vector<Repeated> results(repetitions.size());
  std::atomic<int> done = 0;
  auto run = [&](size_t i) {
    if (context.ShouldStop()) return;
    const std::unique_ptr<Selector> selector = work.make();
    SelectionSpec request = repetitions[i].request;
    request.explain = false;
    request.significance = SignificanceTest::kNone;
    Context own = crowd.each().Inside(std::string(phase) + " " + std::to_string(i));
    own.latest = own.deadline;  // a selection was made already
    SelectionResult result;
    try {
      result = SelectFromParts(*work.tables, request, *repetitions[i].parts, work.method, *selector,
                               own);
    } catch (const NoResultYet&) {
      return;
    }
    results[i].metric = result.metric;
    if (context.ShouldStop()) return;
    results[i].fold = FoldResult{.train = result.data.train,
                                 .valid = result.data.valid,
                                 .held_out = result.data.test,
                                 .metric = result.test_metric.value_or(result.valid_metric),
                                 .selected = {}};
    for (const SelectedFeature& feature : result.selected) {
      results[i].fold->selected.push_back(feature.name);
    }
    results[i].selected = std::move(result.selected);
    crowd.Tell(phase, ++done, static_cast<int>(repetitions.size()));
  };
  // A single one has the threads to itself.
  repetitions.size() == 1 ? run(0) : context.pool->ParallelFor(repetitions.size(), run);
  return results;
}

}  // namespace

CrossValidation CrossValidate(const SelectionWork& work, const Context& context) {
  const std::vector<RowParts> parts = PartsOf(work);
  std::vector<Repetition> repetitions;
  for (const RowParts& own : parts) {
    repetitions.push_back({work.request, &own});
    repetitions.back().request.seed += repetitions.size() - 1;
  }
  CrossValidation validation{.rule = work.request.split_by.Text(),
                             .metric = {},
                             .asked = work.folds,
                             .folds = {},
                             .chosen = {}};
  std::vector<SelectedFeature> ever;  // once for each fold that chose it
  for (Repeated& repeated : RunAll(work, repetitions, "folds", context)) {
    if (!repeated.metric.empty()) validation.metric = repeated.metric;
    if (!repeated.fold) continue;
    validation.folds.push_back(*std::move(repeated.fold));
    ever.insert(ever.end(), repeated.selected.begin(), repeated.selected.end());
  }
  std::map<int, FeatureFrequency> by_column;
  for (const SelectedFeature& feature : ever) {
    FeatureFrequency& entry = by_column[feature.index];
    entry.name = feature.name;
    entry.index = feature.index;
    entry.frequency += 1 / static_cast<double>(validation.folds.size());
  }
  validation.chosen = MostFrequentFirst(std::move(by_column));
  return validation;
}

Spread CrossValidation::Metric() const {
  std::vector<double> values;
  for (const FoldResult& fold : folds) values.push_back(fold.metric);
  return SpreadOf(values);
}

std::vector<FeatureFrequency> MostFrequentFirst(std::map<int, FeatureFrequency>&& by_column) {
  std::vector<FeatureFrequency> all;
  for (auto& [column, entry] : by_column) all.push_back(std::move(entry));
  std::stable_sort(all.begin(), all.end(),
                   [](const FeatureFrequency& a, const FeatureFrequency& b) {
                     return a.frequency > b.frequency;
                   });
  return all;
}

NullComparison CompareWithChance(const SelectionWork& work, int runs, double actual,
                                 const Context& context) {
  const std::vector<RowParts> parts = PartsOf(work);
  std::vector<Repetition> repetitions;
  for (int r = 0; r < runs; ++r) {
    for (size_t f = 0; f < parts.size(); ++f) {
      repetitions.push_back({work.request, &parts[f]});
      repetitions.back().request.seed += f;
      repetitions.back().request.shuffle = static_cast<uint64_t>(r);
    }
  }
  NullComparison null{.metric = {}, .asked = runs, .actual = actual, .chance = {}};
  const std::vector<Repeated> all = RunAll(work, repetitions, "chance", context);
  for (size_t first = 0; first < all.size(); first += parts.size()) {
    std::vector<double> values;
    for (size_t i = first; i < first + parts.size(); ++i) {
      if (!all[i].metric.empty()) null.metric = all[i].metric;
      if (all[i].fold) values.push_back(all[i].fold->metric);
    }
    if (values.size() == parts.size()) null.chance.push_back(SpreadOf(values).mean);
  }
  if (const Metric* metric = FindMetricOfAnyTask(null.metric)) {
    null.as_good = CountAsGood(null.chance, actual, metric->larger_is_better);
  }
  return null;
}

size_t CountAsGood(std::span<const double> chance, double actual, bool larger_is_better) {
  return static_cast<size_t>(std::count_if(chance.begin(), chance.end(), [&](double value) {
    return larger_is_better ? value >= actual : value <= actual;
  }));
}

double NullComparison::Share() const {
  return static_cast<double>(1 + as_good) / static_cast<double>(1 + chance.size());
}

}  // namespace slm
