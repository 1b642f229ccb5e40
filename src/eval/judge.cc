#include "eval/judge.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "nn/fit.h"
#include "slm/trainer.h"

namespace slm {
namespace {

// Settings in this order, then the same again with other random numbers.
struct JudgeSetting {
  int units;
  double rate;
  double l2;
};
constexpr JudgeSetting kJudges[] = {
    {128, 2e-3, 0},
    {256, 1e-3, 0},
    {128, 2e-3, 1e-3},
    {64, 5e-3, 1e-4},
};
constexpr int kJudgeSteps = 2000;
constexpr uint64_t kJudgeStream = 7000;

}  // namespace

Model Judge(const Problem& problem, std::span<const int> features, int refits, uint64_t seed,
            const Context& context) {
  std::vector<int32_t> ascending(features.begin(), features.end());
  std::sort(ascending.begin(), ascending.end());
  const std::vector<int32_t> columns = ColumnsOf(problem.layout, ascending);
  FitResult best;
  for (int i = 0; i < refits; ++i) {
    const JudgeSetting& setting = kJudges[static_cast<size_t>(i) % std::size(kJudges)];
    FitOptions fit;
    fit.hidden_units = setting.units;
    fit.learning_rate = setting.rate;
    fit.l2 = setting.l2;
    fit.steps = kJudgeSteps;
    FitResult result = Fit(problem.train, problem.valid, columns, fit,
                           RandomStream(seed, kJudgeStream + static_cast<uint64_t>(i)), context);
    if (i == 0 || result.valid.BetterThan(best.valid)) best = std::move(result);
    if (context.ShouldStop()) break;
  }
  return std::move(best.model);
}

}  // namespace slm
