#include "eval/judge.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "nn/keep.h"
#include "nn/mean_fit.h"
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

// A search has taken minutes: its end may take some seconds more than that of a selection.
MeanFit WinnerFit(Task task, bool hurry) {
  MeanFit winner{.fit = SuitedTo(task, {}), .members = hurry ? 4 : 8};
  winner.fit.hidden_units = hurry ? 256 : 512;
  winner.fit.steps = hurry ? 3000 : 6000;
  winner.fit.passes = 100;
  return winner;
}

}  // namespace

FitResult Judge(const Problem& problem, std::span<const int> features, int refits, uint64_t seed,
                const Context& context) {
  const std::vector<int32_t> columns = EncodedColumns(problem, features);
  std::vector<FitResult> fits(static_cast<size_t>(refits));
  context.pool->ParallelFor(fits.size(), [&](size_t i) {
    fits[i] = FitOrFind("judge " + std::to_string(i), problem, columns,
                        FitBy(kJudges[i % std::size(kJudges)]),
                        RandomStream(seed, kJudgeStream + i), context);
  });
  auto worse = [](const FitResult& a, const FitResult& b) { return b.valid.BetterThan(a.valid); };
  return std::move(*std::max_element(fits.begin(), fits.end(), worse));
}

FitResult FitWinner(const Problem& problem, std::span<const int> features, int refits,
                    uint64_t seed, bool hurry, const Context& context) {
  const std::vector<int32_t> columns = EncodedColumns(problem, features);
  // Names of their own: a search that goes on from its checkpoint is in no hurry any more.
  FitResult mean = FitMean(hurry ? "hurried winner" : "winner", problem, columns,
                           WinnerFit(problem.train.y.task, hurry), seed, kWinnerStream, context);
  FitResult judged = Judge(problem, features, refits, seed, context);
  return judged.valid.BetterThan(mean.valid) ? std::move(judged) : std::move(mean);
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
  const Task task = problem.train.y.task;
  const MeanFit winner = WinnerFit(task, false);
  const int threads = context.pool->threads();
  const int beside = std::min(winner.members, threads);
  const double member = TimeOfFit(problem, k, winner.fit, static_cast<size_t>(beside), context);
  return (winner.Fits(task) * member + TimeOfJudge(problem, k, refits, 1, context)) / threads;
}

}  // namespace slm
