#include "search/mask_path.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "mask/trainer.h"
#include "search/recipe.h"
#include "search/stage.h"

namespace slm {
namespace {

// The mean, at one k, of the masks that the runs of a stage had there; nothing where one of them
// was stopped before.
void AddMean(std::span<const RunResult> runs, int k, size_t features, MaskScale scale,
             std::vector<PathSet>* sets) {
  std::vector<WeightedSupport> masks;
  for (const RunResult& run : runs) {
    for (const PassedSupport& passed : run.passed) {
      if (passed.count == static_cast<size_t>(k)) masks.push_back({passed.support, passed.weights});
    }
  }
  if (masks.size() < runs.size()) return;
  const RunResult mean = MeanMask(masks, features, k, scale);
  sets->push_back({k, {mean.support.begin(), mean.support.end()}});
}

// Where a walk was cut short, the k features that lead in its mask stand for those it did not
// reach.
void AddUnreached(const RunResult& run, std::span<const int> ks, std::vector<PathSet>* sets) {
  std::vector<int> order(run.argument.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return run.argument[static_cast<size_t>(a)] > run.argument[static_cast<size_t>(b)];
  });
  for (int k : ks) {
    const bool reached =
        std::any_of(sets->begin(), sets->end(), [&](const PathSet& set) { return set.k == k; });
    if (!reached) sets->push_back({k, {order.begin(), order.begin() + k}});
  }
}

}  // namespace

bool WalksThroughK(const SlmOptions& options) {
  return options.schedule != Schedule::kNone && options.mask_scale != MaskScale::kNone;
}

std::vector<PathSet> MaskPath(const Problem& problem, std::span<const int> ks,
                              const SlmOptions& options, uint64_t seed, const Context& context) {
  const Recipe recipe =
      MakePathRecipe(ShapeOf(problem), FindLoss(options.loss, problem.train.y), options);
  StageTrainer trainer(problem, recipe, ks.back(), seed, context);
  double best = -std::numeric_limits<double>::infinity();
  std::vector<PathSet> sets;
  for (const Stage& stage : recipe.stages) {
    if (stage.when == Stage::When::kWherePoor && best >= recipe.poor) continue;
    if (!sets.empty() && context.ShouldStop()) break;
    const std::vector<RunResult> runs = trainer.Train(stage, ks.front(), ks, nullptr);
    for (const RunResult& run : runs) {
      for (const PassedSupport& passed : run.passed) {
        best = std::max(best, passed.valid.quality);
        if (stage.gives == Stage::Gives::kMeanMask) continue;
        sets.push_back(
            {static_cast<int>(passed.count), {passed.support.begin(), passed.support.end()}});
      }
    }
    if (stage.gives == Stage::Gives::kMeanMask) {
      const MaskScale scale = stage.runs[0].training.mask_scale;
      for (int k : ks) AddMean(runs, k, problem.layout.features(), scale, &sets);
    }
    if (context.ShouldStop()) AddUnreached(runs[0], ks, &sets);
  }
  return sets;
}

}  // namespace slm
