#include "eval/judge.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "eval/choice_archive.h"
#include "nn/mlp.h"
#include "slm/search_time.h"
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

constexpr size_t kWinners = 4;  // whose mean is one perceptron of a thousand units
constexpr uint64_t kWinnerStream = 8000;

std::vector<int32_t> EncodedColumns(const Problem& problem, std::span<const int> features) {
  std::vector<int32_t> ascending(features.begin(), features.end());
  std::sort(ascending.begin(), ascending.end());
  return ColumnsOf(problem.layout, ascending);
}

FitOptions FitBy(const JudgeSetting& setting) {
  FitOptions fit;
  fit.hidden_units = setting.units;
  fit.learning_rate = setting.rate;
  fit.l2 = setting.l2;
  fit.steps = kJudgeSteps;
  return fit;
}

FitOptions WinnerFit(Task task) {
  FitOptions fit = SuitedTo(task, {});
  fit.hidden_units = 256;
  fit.steps = 3000;
  fit.passes = 100;
  return fit;
}

}  // namespace

FitResult Judge(const Problem& problem, std::span<const int> features, int refits, uint64_t seed,
                const Context& context) {
  const std::vector<int32_t> columns = EncodedColumns(problem, features);
  FitResult best;
  for (int i = 0; i < refits; ++i) {
    const JudgeSetting& setting = kJudges[static_cast<size_t>(i) % std::size(kJudges)];
    const FitOptions fit = FitBy(setting);
    FitResult result =
        FitOrFind("judge " + std::to_string(i), problem, columns, fit,
                  RandomStream(seed, kJudgeStream + static_cast<uint64_t>(i)), context);
    if (i == 0 || result.valid.BetterThan(best.valid)) best = std::move(result);
    if (context.ShouldStop()) break;
  }
  return best;
}

FitResult FitWinner(const Problem& problem, std::span<const int> features, int refits,
                    uint64_t seed, const Context& context) {
  const std::vector<int32_t> columns = EncodedColumns(problem, features);
  const FitOptions fit = WinnerFit(problem.train.y.task);
  std::vector<FitResult> members(kWinners);
  FitResult judged;
  context.pool->ParallelFor(kWinners + 1, [&](size_t i) {
    if (i == kWinners) {
      judged = Judge(problem, features, refits, seed, context);
    } else {
      members[i] = FitOrFind("winner " + std::to_string(i), problem, columns, fit,
                             RandomStream(seed, kWinnerStream + i), context);
    }
  });
  std::vector<const Predictor*> parts;
  for (const FitResult& member : members) parts.push_back(member.model.predictor.get());
  std::unique_ptr<Predictor> mean = AverageOf(parts);
  FitResult result{std::move(members[0].model), {}};
  result.model.predictor = std::move(mean);
  result.valid = Evaluate(result.model, problem.valid);
  return judged.valid.BetterThan(result.valid) ? std::move(judged) : std::move(result);
}

// One setting is measured; the others differ by their units.
double TimeOfJudge(const Problem& problem, int k, int refits, size_t copies,
                   const Context& context) {
  double units = 0;
  for (int i = 0; i < refits; ++i)
    units += kJudges[static_cast<size_t>(i) % std::size(kJudges)].units;
  return units / kJudges[0].units * TimeOfFit(problem, k, FitBy(kJudges[0]), copies, context);
}

double TimeOfWinner(const Problem& problem, int k, int refits, const Context& context) {
  const double threads = context.pool->threads();
  const double member = TimeOfFit(problem, k, WinnerFit(problem.train.y.task),
                                  std::min(kWinners, static_cast<size_t>(threads)), context);
  const double judge = TimeOfJudge(problem, k, refits, 1, context);
  return std::max({member, judge, (kWinners * member + judge) / threads});
}

}  // namespace slm
