#include "search/search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/streams.h"
#include "base/thread_pool.h"
#include "mask/trainer.h"
#include "nn/fit.h"
#include "nn/mean_fit.h"
#include "nn/model_archive.h"
#include "search/recipe.h"
#include "search/stage.h"

namespace slm {
namespace {

// Columns that are judged: those of a run, or of the mean of several, which has no predictor.
struct Candidate {
  RunResult run;
  std::vector<FitResult> refits;

  // Mean validation of the refits, plus a share of that of the run itself.
  double Score(double own_weight) const {
    if (refits.empty()) return run.valid.quality;
    double mean = 0;
    for (const FitResult& refit : refits) {
      mean += refit.valid.quality / static_cast<double>(refits.size());
    }
    return mean + own_weight * (run.model.predictor ? run.valid.quality : mean);
  }

  // The best that was seen on validation rows.
  double Best() const {
    if (refits.empty()) return run.valid.quality;
    double best = -std::numeric_limits<double>::infinity();
    for (const FitResult& refit : refits) best = std::max(best, refit.valid.quality);
    return best;
  }

  // What predicts where there is no time for more.
  Model& OwnModel() { return run.model.predictor ? run.model : refits.front().model; }
};

// The candidates of a search, judged as they come.
class Judgement {
 public:
  Judgement(const Problem& problem, int k, const Recipe& recipe, uint64_t seed,
            const Context& context)
      : problem_(problem), k_(k), recipe_(recipe), seed_(seed), context_(context) {}

  bool Wants(const Stage& stage) const {
    if (candidates_.empty()) return true;
    if (context_.ShouldStop()) return false;
    return stage.when == Stage::When::kAlways ||
           std::all_of(candidates_.begin(), candidates_.end(),
                       [&](const Candidate& c) { return c.Best() < recipe_.poor; });
  }

  // Makes candidates of the runs of a stage. One that was cut short counts only where there is
  // nothing else.
  void Add(const Stage& stage, std::vector<RunResult> runs) {
    const size_t first = candidates_.size();
    const bool stopped = context_.ShouldStop();
    if (stopped && first > 0) return;
    if (stage.gives == Stage::Gives::kMeanMask && !stopped) {
      candidates_.push_back({MeanOf(stage, runs), {}});
      JudgeFrom(first);
      if (!candidates_.back().refits.empty()) return;
      candidates_.pop_back();  // nothing predicts from its columns
      if (first > 0) return;
    }
    for (RunResult& run : runs) candidates_.push_back({std::move(run), {}});
    if (stage.gives == Stage::Gives::kEachRun) JudgeFrom(first);
  }

  // The best candidate, with the model that predicts from its columns.
  Choice Choose() {
    Candidate& best = *std::max_element(
        candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
          return a.Score(recipe_.own_weight) < b.Score(recipe_.own_weight);
        });
    Choice choice = ChoiceOf(best.run);
    std::optional<Model> model;
    if (!best.refits.empty()) model = FinalModel(best.run.support);
    choice.model = model ? *std::move(model) : std::move(best.OwnModel());
    return choice;
  }

 private:
  RunResult MeanOf(const Stage& stage, std::span<const RunResult> runs) const {
    std::vector<WeightedSupport> masks;
    for (const RunResult& run : runs) masks.push_back({run.support, run.weights, run.argument});
    return MeanMask(masks, problem_.layout.features(), k_, stage.runs[0].training.mask_scale);
  }

  // Judges the candidates from `first` on, all of them side by side.
  void JudgeFrom(size_t first) {
    const size_t count = candidates_.size() - first;
    const size_t refits = static_cast<size_t>(recipe_.refits);
    for (size_t i = 0; i < count; ++i) candidates_[first + i].refits.resize(refits);
    Meter meter(context_.observer, "refits", static_cast<int>(count * refits));
    context_.pool->ParallelFor(count * refits, [&](size_t i) {
      if (context_.ShouldStop()) return;
      Candidate& c = candidates_[first + i / refits];
      FitResult& refit = c.refits[i % refits];
      refit = FitOrFind("refit " + std::to_string(first * refits + i), problem_,
                        problem_.layout.ColumnsOf(c.run.support), recipe_.judge,
                        StreamFor(seed_, StreamOf::kRefit, i % refits), context_);
      meter.Tick({.active_features = static_cast<size_t>(k_),
                  .loss = refit.valid.loss,
                  .valid = refit.valid});
    });
    // Refits that were cut short say nothing; the runs' own validation has to do.
    if (context_.ShouldStop()) {
      for (size_t i = 0; i < count; ++i) candidates_[first + i].refits.clear();
    }
  }

  Choice ChoiceOf(const RunResult& run) const {
    Choice choice;
    choice.weights.resize(problem_.layout.features());
    const std::vector<int32_t>& support = run.support;
    for (size_t i = 0; i < support.size(); ++i) {
      choice.weights[static_cast<size_t>(support[i])] = run.weights[i];
    }
    // They stood above all others whatever they are worth.
    for (int32_t j : problem_.keep) {
      choice.weights[static_cast<size_t>(j)] = std::numeric_limits<float>::quiet_NaN();
    }
    choice.scores = run.argument;
    choice.features.assign(support.begin(), support.end());
    // The order of the weights, but finer where those are too small to differ.
    std::stable_sort(choice.features.begin(), choice.features.end(), [&](int a, int b) {
      return choice.scores[static_cast<size_t>(a)] > choice.scores[static_cast<size_t>(b)];
    });
    return choice;
  }

  // Predictors fitted afresh on the columns of a run, as one; none if the work was cut short.
  std::optional<Model> FinalModel(std::span<const int32_t> support) const {
    Meter meter(context_.observer, "predictors", recipe_.final_fits);
    FitResult mean =
        FitMean("predictor", problem_, problem_.layout.ColumnsOf(support), recipe_.final_fit, seed_,
                StreamOf::kFinalPredictor, context_, [&](const FitResult& member) {
                  meter.Tick({.active_features = static_cast<size_t>(k_),
                              .loss = member.valid.loss,
                              .valid = member.valid});
                });
    if (context_.ShouldStop()) return std::nullopt;
    return std::move(mean.model);
  }

  const Problem& problem_;
  const int k_;
  const Recipe& recipe_;
  const uint64_t seed_;
  const Context& context_;
  std::vector<Candidate> candidates_;
};

}  // namespace

Choice SearchMask(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                  const Context& context, const PredictorFactory& make_predictor) {
  const Recipe recipe = MakeRecipe(ShapeOf(problem), FindLoss(options.loss, problem.train.y),
                                   options, make_predictor);
  StageTrainer trainer(problem, recipe, k, seed, context);
  Judgement judgement(problem, k, recipe, seed, context);
  for (const Stage& stage : recipe.stages) {
    if (!judgement.Wants(stage)) continue;
    judgement.Add(stage, trainer.Train(stage, k, {}, context.observer));
  }
  return judgement.Choose();
}

Model FitFinal(const Problem& problem, std::span<const int> features, const SlmOptions& options,
               uint64_t seed, const Context& context) {
  std::vector<int32_t> support(features.begin(), features.end());
  std::sort(support.begin(), support.end());
  return FitMean("predictor", problem, problem.layout.ColumnsOf(support),
                 FinalFitOptions(options, FindLoss(options.loss, problem.train.y), {}), seed,
                 StreamOf::kFinalPredictor, context)
      .model;
}

}  // namespace slm
