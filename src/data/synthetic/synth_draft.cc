#include "data/synthetic/synth_draft.h"

#include <numeric>
#include <string>

#include "slm/errors.h"

namespace slm {

std::vector<double> NormalColumn(const SynthPlan& plan, size_t j) {
  RandomStream random = plan.ColumnStream(j);
  return MakeColumn(plan.rows, [&](size_t) { return random.Normal(); });
}

std::vector<double> UniformColumn(const SynthPlan& plan, size_t j, double low, double high) {
  RandomStream random = plan.ColumnStream(j);
  return MakeColumn(plan.rows, [&](size_t) { return random.Uniform(low, high); });
}

Draft NormalWithCopies(const SynthPlan& plan, size_t copies,
                       const std::function<double(size_t)>& noise) {
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) {
    if (j < plan.salient || j >= plan.salient * (1 + copies)) {
      draft.columns.push_back(NormalColumn(plan, j));
      continue;
    }
    RandomStream random = plan.ColumnStream(j);
    const size_t original = j % plan.salient;
    const double deviation = noise(j / plan.salient - 1);
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      return draft.columns[original][i] + deviation * random.Normal();
    }));
    draft.copies.push_back({original, j});
  }
  return draft;
}

std::vector<size_t> ShuffledPlaces(size_t count, RandomStream random) {
  std::vector<size_t> places(count);
  std::iota(places.begin(), places.end(), size_t{0});
  random.Shuffle(std::span(places));
  return places;
}

void CheckGroups(const SynthPlan& plan, size_t group, const char* reason) {
  if (plan.salient % group == 0) return;
  throw UsageError(reason + std::string(", so their number, ") + std::to_string(plan.salient) +
                   ", must be a multiple of " + std::to_string(group));
}

void CheckLeast(const SynthPlan& plan, size_t least, const char* kind) {
  if (plan.salient >= least) return;
  throw UsageError(std::string(kind) + " needs at least " + std::to_string(least) +
                   " salient columns, not " + std::to_string(plan.salient));
}

}  // namespace slm
