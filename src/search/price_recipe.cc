#include "search/price_recipe.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/step_time.h"
#include "base/thread_pool.h"
#include "mask/trainer.h"
#include "nn/fit.h"
#include "search/recipe.h"
#include "search/stage.h"

namespace slm {
namespace {

// Whether a step of the two costs the same.
bool SameWork(const PlannedRun& a, const PlannedRun& b) {
  return a.cross_fitted == b.cross_fitted && a.steps == b.steps &&
         a.training.hidden_layers == b.training.hidden_layers &&
         a.training.objective == b.training.objective;
}

class Pricer {
 public:
  Pricer(const Problem& problem, const Recipe& recipe, int filter_k, uint64_t seed,
         const Context& context)
      : problem_(problem),
        context_({.pool = context.pool, .observer = context.observer}),
        threads_(context.pool->threads()),
        trainer_(problem, recipe, filter_k, seed, context_) {}

  // Of the runs of a stage down to k features, side by side, and of what comes before them.
  double Runs(const Stage& stage, int k) {
    const Clock::time_point start = Clock::now();
    trainer_.Prepare(stage);
    const double before = SecondsSince(start);
    const int count = static_cast<int>(stage.runs.size());
    std::vector<double> seconds;
    for (const PlannedRun& run : stage.runs) {
      const auto same = std::find_if(stage.runs.begin(), stage.runs.end(),
                                     [&](const PlannedRun& other) { return SameWork(other, run); });
      const size_t first = static_cast<size_t>(same - stage.runs.begin());
      seconds.push_back(first < seconds.size() ? seconds[first] : Run(run, k, count));
    }
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
    return before + Rounds(count) * mean;
  }

  // Of `count` predictors fitted on k features, side by side.
  double Fits(int count, int k, const FitOptions& fit) const {
    return count < 1 ? 0 : Rounds(count) * TimeOfFit(problem_, k, fit, Beside(count), context_);
  }

  // How often all threads have to take one of `count` pieces.
  int Rounds(int count) const { return (count + threads_ - 1) / threads_; }
  int threads() const { return threads_; }

 private:
  double Run(const PlannedRun& run, int k, int count) const {
    return MeasureSteps(*context_.pool, Beside(count),
                        [&](int steps) { trainer_.TrainRun(run, k, steps, context_); })
        .Of(run.steps);
  }

  size_t Beside(int count) const { return static_cast<size_t>(std::min(count, threads_)); }

  const Problem& problem_;
  const Context context_;
  const int threads_;
  StageTrainer trainer_;
};

// Adds what a stage takes, which is open where results decide about it.
void Add(const Stage& stage, double seconds, TimeNeed* time) {
  if (stage.when == Stage::When::kAlways) time->low += seconds;
  time->high += seconds;
}

std::string Basis(const Recipe& recipe) {
  return "short runs and fits, scaled to the " +
         std::to_string(recipe.stages.front().runs.front().steps) + " steps of a run";
}

}  // namespace

double TimeOfFit(const Problem& problem, int k, const FitOptions& fit, size_t copies,
                 const Context& context) {
  std::vector<int32_t> features(static_cast<size_t>(k));
  std::iota(features.begin(), features.end(), 0);
  const std::vector<int32_t> columns = problem.layout.ColumnsOf(features);
  const StepTime time = MeasureSteps(*context.pool, copies, [&](int steps) {
    FitOptions own = fit;
    own.steps = steps;
    Fit(problem.train, problem.valid, columns, own, RandomStream(0, 0), context);
  });
  return time.Of(StepsOf(fit, problem.train.rows()));
}

TimeNeed TimeOfSearch(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                      const Context& context) {
  const Recipe recipe =
      MakeRecipe(ShapeOf(problem), FindLoss(options.loss, problem.train.y), options);
  Pricer pricer(problem, recipe, k, seed, context);
  const double round = recipe.refits > 0 ? pricer.Fits(pricer.threads(), k, recipe.judge) : 0;
  const double last =
      recipe.refits > 0 ? pricer.Fits(recipe.final_fits, k, recipe.final_fit.fit) : 0;
  TimeNeed time{last, last, Basis(recipe)};
  for (const Stage& stage : recipe.stages) {
    const int candidates =
        stage.gives == Stage::Gives::kMeanMask ? 1 : static_cast<int>(stage.runs.size());
    Add(stage, pricer.Runs(stage, k) + round * pricer.Rounds(candidates * recipe.refits), &time);
  }
  return time;
}

TimeNeed TimeOfMaskPath(const Problem& problem, std::span<const int> ks, const SlmOptions& options,
                        uint64_t seed, const Context& context) {
  const Recipe recipe =
      MakePathRecipe(ShapeOf(problem), FindLoss(options.loss, problem.train.y), options);
  Pricer pricer(problem, recipe, ks.back(), seed, context);
  TimeNeed time{0, 0, Basis(recipe)};
  for (const Stage& stage : recipe.stages) Add(stage, pricer.Runs(stage, ks.front()), &time);
  return time;
}

}  // namespace slm
