#include "slm/search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "base/thread_pool.h"
#include "nn/fit.h"
#include "nn/mlp.h"
#include "slm/cross_fit.h"
#include "slm/errors.h"
#include "slm/mask_start.h"
#include "slm/objective.h"
#include "slm/trainer.h"

namespace slm {
namespace {

// Streams of the seed: runs count from 0, refits from here.
constexpr uint64_t kRefitStream = 1000;

struct Candidate {
  explicit Candidate(double strength_in = 0, bool cross_fit_in = false)
      : strength(strength_in), cross_fit(cross_fit_in) {}

  double strength;  // of the filter in the start, in mask steps; 0 for all ones
  bool cross_fit;
  RunResult run;
  std::vector<FitResult> refits;

  // Mean validation of the refits plus half that of the run itself.
  double score() const {
    double sum = 0;
    for (const FitResult& refit : refits) sum += refit.valid.quality;
    return sum / static_cast<double>(std::max<size_t>(1, refits.size())) + run.valid.quality / 2;
  }
};

class Search {
 public:
  Search(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
         const Context& context, const PredictorFactory& make_predictor)
      : problem_(problem),
        k_(k),
        options_(options),
        seed_(seed),
        context_(context),
        make_predictor_(make_predictor) {
    if (options.starts + options.filter_starts == 0 && options.cross_fit == CrossFit::kNever) {
      throw UsageError(
          "starts and filter_starts are 0 and cross_fit is never, so nothing would run; set one of "
          "them");
    }
    if (BatchObjective::UsesPairTerm(options)) codes_ = problem.value_codes(options.mi_bins);
    scores_ = AnovaScores(problem.layout, problem.train);
  }

  Choice Run() {
    AddPlainRuns();
    Compute(0);
    if (WantsCrossFit()) {
      size_t first = candidates_.size();
      AddCrossFitRuns();
      Compute(first);
    }
    return Finish(Best());
  }

 private:
  void AddPlainRuns() {
    for (int i = 0; i < options_.starts; ++i) candidates_.emplace_back();
    // Two strengths in turn, as shares of the steps: the filter leads, or hints.
    const double steps = TotalSteps(options_, problem_.train.rows());
    for (int i = 0; i < options_.filter_starts; ++i) {
      candidates_.emplace_back(steps / (i % 2 == 0 ? 15 : 5));
    }
  }

  void AddCrossFitRuns() {
    const double steps = TotalSteps(CrossFitOptions(options_), problem_.train.rows());
    for (int i = 0; i < options_.cross_fit_runs; ++i) {
      candidates_.emplace_back(i % 2 == 0 ? 0 : steps / 40, /*cross_fit=*/true);
    }
  }

  bool WantsCrossFit() const {
    if (options_.cross_fit != CrossFit::kAuto) return options_.cross_fit == CrossFit::kAlways;
    // Only where plain runs did poorly and the cost is bounded.
    if (candidates_.empty()) return true;
    if (problem_.layout.columns() > 2000) return false;
    double best = -std::numeric_limits<double>::infinity();
    for (const Candidate& c : candidates_) {
      if (c.refits.empty()) best = std::max(best, c.run.valid.quality);
      for (const FitResult& refit : c.refits) best = std::max(best, refit.valid.quality);
    }
    return best < (problem_.train.y.task == Task::kClassification ? 0.9 : -0.1);
  }

  // Trains and judges the candidates from `first` on, all of them side by side.
  void Compute(size_t first) {
    const size_t count = candidates_.size() - first;
    context_.pool->ParallelFor(count, [&](size_t i) { Train(first + i); });
    const size_t refits = static_cast<size_t>(options_.refits);
    for (size_t i = 0; i < count; ++i) candidates_[first + i].refits.resize(refits);
    context_.pool->ParallelFor(count * refits, [&](size_t i) {
      Candidate& c = candidates_[first + i / refits];
      c.refits[i % refits] = FitOn(c.run.support, i % refits, JudgeOptions());
    });
  }

  void Train(size_t index) {
    Candidate& c = candidates_[index];
    const SlmOptions own = c.cross_fit ? CrossFitOptions(options_) : options_;
    RunInput input{.problem = &problem_,
                   .codes = codes_,
                   .k = k_,
                   .options = &own,
                   .start = {},
                   .make_predictor = make_predictor_,
                   .on_step = {}};
    if (c.strength > 0) input.start = FilterStart(scores_, c.strength * own.mask_rate);
    const int steps = TotalSteps(own, problem_.train.rows());
    const char* phase = c.cross_fit ? "cross-fit" : "starts";
    const int all = steps * static_cast<int>(c.cross_fit ? options_.cross_fit_runs
                                                         : options_.starts + options_.filter_starts);
    if (context_.observer != nullptr) {
      input.on_step = [&](const StepInfo& info) {
        int done = ++steps_done_[c.cross_fit ? 1 : 0];
        if (done % 20 != 0 && done != all) return;
        context_.observer->OnProgress({.phase = phase,
                                       .step = done,
                                       .steps = all,
                                       .active_features = static_cast<int>(info.active_features),
                                       .loss = info.loss,
                                       .valid_metric = info.valid.quality});
      };
    }
    RandomStream random = RandomStream(seed_, index);
    c.run = c.cross_fit ? TrainCrossFitted(input, random, context_)
                        : TrainMask(input, random, context_);
  }

  FitOptions JudgeOptions() const {
    return {.hidden_layers = options_.hidden_layers,
            .hidden_units = options_.hidden_units,
            .batch_size = options_.batch_size,
            .learning_rate = options_.learning_rate,
            .make_predictor = make_predictor_};
  }

  FitResult FitOn(std::span<const int32_t> support, size_t index, const FitOptions& fit) const {
    return Fit(problem_.train, problem_.valid, ColumnsOf(problem_.layout, support), fit,
               RandomStream(seed_, kRefitStream + index), context_);
  }

  Candidate& Best() {
    return *std::max_element(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& a, const Candidate& b) { return a.score() < b.score(); });
  }

  Choice Finish(Candidate& best) const {
    Choice choice;
    choice.weights.resize(problem_.layout.features());
    const std::vector<int32_t>& support = best.run.support;
    for (size_t i = 0; i < support.size(); ++i) {
      choice.weights[static_cast<size_t>(support[i])] = best.run.weights[i];
    }
    choice.features.assign(support.begin(), support.end());
    std::stable_sort(choice.features.begin(), choice.features.end(), [&](int a, int b) {
      return choice.weights[static_cast<size_t>(a)] > choice.weights[static_cast<size_t>(b)];
    });
    if (best.refits.empty()) {
      choice.model = std::move(best.run.model);
      return choice;
    }
    FitOptions fit = JudgeOptions();
    fit.hidden_units = options_.ensemble_units;
    fit.steps = options_.ensemble_steps;
    fit.passes *= 2;
    std::vector<FitResult> members(static_cast<size_t>(options_.ensemble));
    context_.pool->ParallelFor(
        members.size(), [&](size_t i) { members[i] = FitOn(support, members.size() + i, fit); });
    if (make_predictor_) {  // predictors of the caller's cannot be merged: the best one stays
      auto better = [](const FitResult& a, const FitResult& b) {
        return b.valid.BetterThan(a.valid);
      };
      choice.model = std::move(std::max_element(members.begin(), members.end(), better)->model);
      return choice;
    }
    std::vector<const Predictor*> parts;
    for (const FitResult& member : members) parts.push_back(member.model.predictor.get());
    std::unique_ptr<Predictor> mean = AverageOf(parts);
    choice.model = std::move(members[0].model);
    choice.model.predictor = std::move(mean);
    return choice;
  }

  const Problem& problem_;
  const int k_;
  const SlmOptions& options_;
  const uint64_t seed_;
  const Context& context_;
  const PredictorFactory& make_predictor_;
  std::vector<ValueCodes> codes_;
  std::vector<double> scores_;  // ANOVA
  std::vector<Candidate> candidates_;
  std::atomic<int> steps_done_[2] = {0, 0};
};

}  // namespace

Choice SearchMask(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                  const Context& context, const PredictorFactory& make_predictor) {
  return Search(problem, k, options, seed, context, make_predictor).Run();
}

}  // namespace slm
