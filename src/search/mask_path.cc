#include "search/mask_path.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/checkpoint.h"
#include "base/thread_pool.h"
#include "mask/objective.h"
#include "mask/trainer.h"
#include "search/cross_fit.h"
#include "search/filter_start.h"
#include "search/search.h"

namespace slm {

// Down to the smallest k it is about half as far again, in factors, as to one worth selecting.
SlmOptions PathOptions(const SlmOptions& options, bool cross_fit) {
  SlmOptions own = options;
  own.steps *= 2;
  own.epochs *= 2;
  own.drops += own.drops / 2;
  if (cross_fit) own = CrossFitOptions(own);
  own.tempering = 1;
  return own;
}

bool WalksThroughK(const SlmOptions& options) {
  return options.schedule != Schedule::kNone && options.mask_scale != MaskScale::kNone;
}

std::vector<PathSet> MaskPath(const Problem& problem, std::span<const int> ks,
                              const SlmOptions& options, uint64_t seed, const Context& context) {
  RequireRuns(options);
  const SlmOptions plain = PathOptions(options, /*cross_fit=*/false);
  const SlmOptions crossed = PathOptions(options, /*cross_fit=*/true);
  const std::vector<ValueCodes> codes = BatchObjective::UsesPairTerm(options)
                                            ? problem.value_codes(options.mi_bins)
                                            : std::vector<ValueCodes>();
  RunInput input{.problem = &problem,
                 .codes = codes,
                 .k = ks.front(),
                 .options = &plain,
                 .start = {},
                 .make_predictor = {},
                 .on_step = {},
                 .stops = {ks.begin(), ks.end()}};
  auto lean_on_filter = [&](const SlmOptions& own, double share) {
    const double steps = TotalSteps(own, problem.train.rows());
    input.start = FilterStart(DistinctScores(problem.layout, problem.train, ks.back(), &context),
                              own.mask_rate * steps * share);
  };
  const bool few = options.cross_fit == CrossFit::kAuto && FewRows(problem);
  std::vector<RunInput> inputs;
  if (options.starts > 0 && !few) inputs.push_back(input);
  if (options.filter_starts > 0 && !few) {
    lean_on_filter(plain, 1.0 / 15);
    inputs.push_back(input);
  }
  auto train = [&](size_t index, auto work) {
    return Checkpointed(
        context, "run " + std::to_string(index),
        [&](Archive& archive, RunResult& run) { Serialize(archive, run, problem); }, work);
  };
  std::vector<RunResult> runs(inputs.size());
  context.pool->ParallelFor(runs.size(), [&](size_t i) {
    runs[i] = train(
        i, [&](const Context& own) { return TrainMask(inputs[i], RandomStream(seed, i), own); });
  });

  double best = -std::numeric_limits<double>::infinity();
  for (const RunResult& run : runs) {
    for (const PassedSupport& passed : run.passed) best = std::max(best, passed.valid.quality);
  }
  const bool wanted =
      options.cross_fit == CrossFit::kAlways || runs.empty() ||
      (options.cross_fit == CrossFit::kAuto && CrossFitMayHelp(problem, options, best));
  if (wanted && !context.ShouldStop()) {
    input.start.clear();
    if (few) lean_on_filter(crossed, kFilterForFewRows);
    input.options = &crossed;
    const size_t index = runs.size();
    runs.push_back(train(index, [&](const Context& own) {
      return TrainCrossFitted(input, RandomStream(seed, index), own);
    }));
  }

  std::vector<PathSet> sets;
  for (const RunResult& run : runs) {
    for (const PassedSupport& passed : run.passed) {
      sets.push_back(
          {static_cast<int>(passed.count), {passed.support.begin(), passed.support.end()}});
    }
  }
  return sets;
}

}  // namespace slm
