#include "search/search_time.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/step_time.h"
#include "base/thread_pool.h"
#include "mask/objective.h"
#include "mask/trainer.h"
#include "nn/fit.h"
#include "search/cross_fit.h"
#include "search/filter_start.h"
#include "search/mask_path.h"
#include "search/search.h"

namespace slm {
namespace {

class Stopwatch {
 public:
  Stopwatch(const Problem& problem, const SlmOptions& options, uint64_t seed,
            const Context& context)
      : problem_(problem),
        options_(options),
        seed_(seed),
        context_({.pool = context.pool, .observer = context.observer}),
        threads_(static_cast<size_t>(context.pool->threads())) {
    const Clock::time_point start = Clock::now();
    if (BatchObjective::UsesPairTerm(options)) codes_ = problem.value_codes(options.mi_bins);
    setup_ = SecondsSince(start);
  }

  // Of what comes before the runs: codes, and scores of the filter for k features.
  double Setup(int k) const {
    const Clock::time_point start = Clock::now();
    DistinctScores(problem_.layout, problem_.train, k, &context_);
    return setup_ + SecondsSince(start);
  }

  // Of `count` runs down to k features, side by side.
  double Runs(int count, int k, const SlmOptions& own, bool cross_fit) const {
    if (count < 1) return 0;
    return Rounds(count) * Run(count, k, own, cross_fit);
  }

  // The same where, for values, every other one goes without the pair term.
  double MixedRuns(int count, int k, const SlmOptions& own, bool cross_fit) const {
    const double all = Runs(count, k, own, cross_fit);
    if (count < 2 || !LearnsTaskAloneInTurn(options_, FindLoss(options_.loss, problem_.train.y)))
      return all;
    SlmOptions plain = own;
    plain.objective = Objective::kTaskOnly;
    return (all + Runs(count, k, plain, cross_fit)) / 2;
  }

  // Of `count` predictors fitted on k features, side by side.
  double Fits(int count, int k, const FitOptions& fit) const {
    if (count < 1) return 0;
    return Rounds(count) * TimeOfFit(problem_, k, fit, Beside(count), context_);
  }

 private:
  double Run(int count, int k, const SlmOptions& own, bool cross_fit) const {
    const StepTime time = MeasureSteps(*context_.pool, Beside(count), [&](int steps) {
      SlmOptions few = own;
      few.epochs = 0;
      few.steps = steps;
      const RunInput input{.problem = &problem_,
                           .codes = codes_,
                           .k = k,
                           .options = &few,
                           .start = {},
                           .make_predictor = {},
                           .on_step = {}};
      cross_fit ? TrainCrossFitted(input, RandomStream(seed_, 0), context_)
                : TrainMask(input, RandomStream(seed_, 0), context_);
    });
    return time.Of(TotalSteps(own, problem_.train.rows()));
  }

  size_t Beside(int count) const { return std::min(static_cast<size_t>(count), threads_); }
  double Rounds(int count) const {
    const size_t rounds = (static_cast<size_t>(count) + threads_ - 1) / threads_;
    return static_cast<double>(rounds);
  }

  const Problem& problem_;
  const SlmOptions& options_;
  const uint64_t seed_;
  const Context context_;
  const size_t threads_;
  std::vector<ValueCodes> codes_;
  double setup_ = 0;
};

// Whether cross-fitted runs will follow plain ones, as far as that is known beforehand.
enum class Follow { kNo, kPerhaps, kYes };

Follow CrossFitFollows(const Problem& problem, const SlmOptions& options, int plain_runs) {
  if (options.cross_fit == CrossFit::kNever) return Follow::kNo;
  if (options.cross_fit == CrossFit::kAlways || plain_runs == 0) return Follow::kYes;
  // The worst quality there is.
  return CrossFitMayHelp(problem, options, -1e300) ? Follow::kPerhaps : Follow::kNo;
}

TimeNeed WithCrossFit(double plain, double crossed, Follow follow, const std::string& basis) {
  return {plain + (follow == Follow::kYes ? crossed : 0),
          plain + (follow == Follow::kNo ? 0 : crossed), basis};
}

std::string Basis(int steps) {
  return "short runs and fits, scaled to the " + std::to_string(steps) + " steps of a run";
}

}  // namespace

double TimeOfFit(const Problem& problem, int k, const FitOptions& fit, size_t copies,
                 const Context& context) {
  std::vector<int32_t> features(static_cast<size_t>(k));
  std::iota(features.begin(), features.end(), 0);
  const std::vector<int32_t> columns = ColumnsOf(problem.layout, features);
  const StepTime time = MeasureSteps(*context.pool, copies, [&](int steps) {
    FitOptions own = fit;
    own.steps = steps;
    Fit(problem.train, problem.valid, columns, own, RandomStream(0, 0), context);
  });
  return time.Of(StepsOf(fit, problem.train.rows()));
}

TimeNeed TimeOfSearch(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                      const Context& context) {
  RequireRuns(options);
  const LossKind& loss = FindLoss(options.loss, problem.train.y);
  const Stopwatch watch(problem, options, seed, context);
  const SlmOptions crossed = CrossFitOptions(options);
  const double before = watch.Setup(k);
  const MeanFitOptions final_fit = FinalFitOptions(options, loss, {});
  const double last = watch.Fits(final_fit.Fits(problem.train.y), k, final_fit.fit);
  const int threads = context.pool->threads();
  const double round =
      options.refits > 0 ? watch.Fits(threads, k, JudgeFitOptions(options, loss, {})) : 0;
  auto judging = [&](int count) {
    const int rounds = (count * options.refits + threads - 1) / threads;
    return round * rounds;
  };
  // Their mean is judged as one.
  auto cross_fitted = [&] {
    return watch.MixedRuns(options.cross_fit_runs, k, crossed, true) + judging(1);
  };
  if (options.cross_fit == CrossFit::kAuto && options.refits > 0 && FewRows(problem)) {
    const double all = before + cross_fitted() + last;
    return {all, all, Basis(TotalSteps(crossed, problem.train.rows()))};
  }
  const int runs = options.starts + options.filter_starts, linear = LinearRuns(options, loss, {});
  const double plain = before + watch.MixedRuns(runs, k, options, false) +
                       watch.MixedRuns(linear, k, LinearOptions(options), false) +
                       judging(runs + linear) + (options.refits > 0 ? last : 0);
  const Follow follow = CrossFitFollows(problem, options, runs);
  const double more = follow == Follow::kNo ? 0 : cross_fitted();
  return WithCrossFit(plain, more, follow, Basis(TotalSteps(options, problem.train.rows())));
}

TimeNeed TimeOfMaskPath(const Problem& problem, std::span<const int> ks, const SlmOptions& options,
                        uint64_t seed, const Context& context) {
  RequireRuns(options);
  const Stopwatch watch(problem, options, seed, context);
  const SlmOptions plain = PathOptions(options, /*cross_fit=*/false);
  const SlmOptions crossed = PathOptions(options, /*cross_fit=*/true);
  const bool few = options.cross_fit == CrossFit::kAuto && FewRows(problem);
  const int runs = few ? 0 : (options.starts > 0 ? 1 : 0) + (options.filter_starts > 0 ? 1 : 0);
  const double before = watch.Setup(ks.back()) + watch.Runs(runs, ks.front(), plain, false);
  const Follow follow = CrossFitFollows(problem, options, runs);
  const double more = follow == Follow::kNo ? 0 : watch.Runs(1, ks.front(), crossed, true);
  return WithCrossFit(before, more, follow, Basis(TotalSteps(plain, problem.train.rows())));
}

}  // namespace slm
