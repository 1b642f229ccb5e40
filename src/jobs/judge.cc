#include "jobs/judge.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/streams.h"
#include "base/thread_pool.h"
#include "mask/trainer.h"
#include "nn/mean_fit.h"
#include "nn/model_archive.h"
#include "search/price_recipe.h"
#include "search/recipe.h"

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

std::vector<int32_t> EncodedColumns(const Problem& problem, std::span<const int> features) {
  std::vector<int32_t> ascending(features.begin(), features.end());
  std::sort(ascending.begin(), ascending.end());
  return problem.layout.ColumnsOf(ascending);
}

FitOptions FitBy(const JudgeSetting& setting) {
  FitOptions fit;
  fit.hidden_units = setting.units;
  fit.learning_rate = setting.rate;
  fit.l2 = setting.l2;
  fit.steps = kJudgeSteps;
  return fit;
}

// A search has taken minutes: its end may take some seconds more than that of a selection. Two for
// each judge, so that a search with few judges ends as quickly as it began.
MeanFitOptions WinnerFitOptions(const Labels& labels, int refits, bool hurry) {
  MeanFitOptions winner{.fit = SuitedTo(DefaultLoss(labels), {}),
                        .members = hurry ? refits : 2 * refits};
  winner.fit.hidden_units = hurry ? 256 : 512;
  winner.fit.steps = hurry ? 3000 : 6000;
  winner.fit.passes = 100;
  return winner;
}

MeanFitOptions ChosenFit(const Labels& labels) {
  return FinalFitOptions(SlmOptions{}, DefaultLoss(labels), {});
}

double TimeOfMean(const Problem& problem, int k, const MeanFitOptions& mean,
                  const Context& context) {
  const int threads = context.pool->threads();
  const size_t beside = static_cast<size_t>(std::min(mean.members, threads));
  const double member = TimeOfFit(problem, k, mean.fit, beside, context);
  return mean.Fits(problem.train.y) * member / threads;
}

}  // namespace

FitResult Judge(const Problem& problem, std::span<const int> features, int refits, uint64_t seed,
                const Context& context) {
  const std::vector<int32_t> columns = EncodedColumns(problem, features);
  std::vector<FitResult> fits(static_cast<size_t>(refits));
  context.pool->ParallelFor(fits.size(), [&](size_t i) {
    if (i > 0 && context.ShouldStop()) return;  // one is enough to have a judgement
    fits[i] = FitOrFind("judge " + std::to_string(i), problem, columns,
                        FitBy(kJudges[i % std::size(kJudges)]),
                        StreamFor(seed, StreamOf::kJudge, i), context);
  });
  std::erase_if(fits, [](const FitResult& fit) { return !fit.model.predictor; });
  auto worse = [](const FitResult& a, const FitResult& b) { return b.valid.BetterThan(a.valid); };
  return std::move(*std::max_element(fits.begin(), fits.end(), worse));
}

FitResult FitWinner(const Problem& problem, std::span<const int> features, int refits,
                    uint64_t seed, bool hurry, const Context& context) {
  const std::vector<int32_t> columns = EncodedColumns(problem, features);
  // Names of their own: a search resumed from its checkpoint has time again.
  FitResult mean =
      FitMean(hurry ? "hurried winner" : "winner", problem, columns,
              WinnerFitOptions(problem.train.y, refits, hurry), seed, StreamOf::kWinner, context);
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

double TimeOfChosen(const Problem& problem, int k, const Context& context) {
  return TimeOfMean(problem, k, ChosenFit(problem.train.y), context);
}

double TimeOfWinner(const Problem& problem, int k, int refits, const Context& context) {
  return TimeOfMean(problem, k, WinnerFitOptions(problem.train.y, refits, false), context) +
         TimeOfJudge(problem, k, refits, 1, context) / context.pool->threads();
}

}  // namespace slm
