#include "jobs/choice_archive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "jobs/keep_columns.h"
#include "mask/trainer.h"
#include "nn/model_archive.h"
#include "selectors/choose.h"

namespace slm {

namespace {

bool HoldsAll(const std::vector<int>& features, std::span<const int32_t> keep) {
  return std::all_of(keep.begin(), keep.end(), [&](int32_t j) {
    return std::find(features.begin(), features.end(), j) != features.end();
  });
}

void Serialize(Archive& archive, TriedSet& set) {
  archive.Text(set.name);
  for (std::optional<double>* number : {&set.judged, &set.lead, &set.lead_sd}) {
    double value = number->value_or(std::numeric_limits<double>::quiet_NaN());
    archive.Value(value);
    *number = std::isnan(value) ? std::nullopt : std::optional(value);
  }
  uint8_t taken = set.taken;
  archive.Value(taken);
  archive.Require(taken <= 1, "holds neither yes nor no");
  set.taken = taken == 1;
}

}  // namespace

void Serialize(Archive& archive, Choice& choice, const Problem& problem, int k) {
  const size_t d = problem.layout.features();
  archive.DistinctIndices(choice.features, d);
  archive.Require(choice.features.size() == static_cast<size_t>(k),
                  "has another number of columns");
  archive.Require(HoldsAll(choice.features, problem.keep), "lacks a column that is kept");
  choice.weights.resize(d);
  choice.scores.resize(d);
  archive.Fixed(std::span(choice.weights));
  archive.Fixed(std::span(choice.scores));
  archive.List(choice.tried, [&](TriedSet& set) { Serialize(archive, set); });
  Serialize(archive, choice.model, {problem.layout.columns(), problem.train.y.outputs()});
  if (!archive.reading() || !choice.model.predictor) return;
  std::vector<int32_t> ascending(choice.features.begin(), choice.features.end());
  std::sort(ascending.begin(), ascending.end());
  archive.Require(choice.model.columns == problem.layout.ColumnsOf(ascending),
                  "has a predictor of other columns");
}

Choice SelectOrFind(const std::string& name, Selector& selector, const Problem& problem, int k,
                    uint64_t seed, const Context& context) {
  // Written out rather than by Checkpointed, to keep the way to the training short.
  const Context own = context.Inside(name);
  Choice choice;
  auto serialize = [&](Archive& archive) { Serialize(archive, choice, problem, k); };
  Checkpoint* checkpoint = own.checkpoint;
  if (checkpoint != nullptr && checkpoint->FindFinished(own.place, serialize)) return choice;
  choice = selector.Select(problem, k, seed, own);
  HoldKept(problem.keep, &choice);
  RequireExactly(choice.features, k);
  if (checkpoint != nullptr && !own.ShouldStop()) checkpoint->Finish(own.place, serialize);
  return choice;
}

}  // namespace slm
