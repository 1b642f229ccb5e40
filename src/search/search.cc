#include "search/search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include "base/checkpoint.h"
#include "base/thread_pool.h"
#include "mask/mask.h"
#include "mask/objective.h"
#include "mask/trainer.h"
#include "nn/fit.h"
#include "nn/mean_fit.h"
#include "nn/model_archive.h"
#include "search/cross_fit.h"
#include "search/filter_start.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Streams of the seed: runs count from 0, the refits that judge and those that stay from here.
constexpr uint64_t kJudgeStream = 1000;
constexpr uint64_t kFinalStream = 2000;

enum class Kind { kPlain, kLinear, kCrossFit };

struct Candidate {
  explicit Candidate(double strength_in = 0, Kind kind_in = Kind::kPlain)
      : strength(strength_in), kind(kind_in) {}

  double strength;  // of the filter in the start, in mask steps; 0 for all ones
  Kind kind;
  RunResult run;  // of several, their mean, which has no predictor
  std::vector<FitResult> refits;

  // Mean validation of the refits, beside which that of the run itself counts as the loss has it.
  double Score(const LossKind& loss) const {
    if (refits.empty()) return run.valid.quality;
    double mean = 0;
    for (const FitResult& refit : refits) {
      mean += refit.valid.quality / static_cast<double>(refits.size());
    }
    return mean + loss.traits.own_validation * (run.model.predictor ? run.valid.quality : mean);
  }

  // What predicts where there is no time for more.
  Model& OwnModel() { return run.model.predictor ? run.model : refits.front().model; }
};

std::vector<float> Standardised(std::span<const float> values) {
  const double n = static_cast<double>(values.size());
  double mean = 0, square = 0;
  for (float v : values) mean += v / n;
  for (float v : values) square += (v - mean) * (v - mean) / n;
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  std::vector<float> result;
  for (float v : values) result.push_back(static_cast<float>((v - mean) * scale));
  return result;
}

constexpr int kStepsPerTick = 20;

// Tells the observer, if there is one, how far a phase has come. Ticks may come from any thread.
class Meter {
 public:
  Meter(Observer* observer, std::string_view phase, int ticks)
      : observer_(observer), phase_(phase), ticks_(ticks) {}

  void Tick(const StepInfo& info) {
    if (observer_ == nullptr) return;
    observer_->OnProgress({.phase = phase_,
                           .step = ++done_,
                           .steps = ticks_,
                           .active_features = static_cast<int>(info.active_features),
                           .loss = info.loss,
                           .valid_metric = info.valid.quality});
  }

 private:
  Observer* observer_;
  std::string_view phase_;
  int ticks_;
  std::atomic<int> done_ = 0;
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
        make_predictor_(make_predictor),
        loss_(FindLoss(options.loss, problem.train.y)) {
    RequireRuns(options);
    if (BatchObjective::UsesPairTerm(options)) codes_ = problem.value_codes(options.mi_bins);
    scores_ = DistinctScores(problem.layout, problem.train, k, &context);
  }

  Choice Run() {
    const bool few =
        options_.cross_fit == CrossFit::kAuto && options_.refits > 0 && FewRows(problem_);
    if (!few) {
      AddPlainRuns();
      TrainFrom(0);
      JudgeFrom(0);
    }
    if (few || (!context_.ShouldStop() && WantsCrossFit())) AddCrossFitted(few);
    Candidate& best = Best();
    Choice choice = ChoiceOf(best.run);
    std::optional<Model> model;
    if (!best.refits.empty()) model = FinalModel(best.run.support);
    choice.model = model ? *std::move(model) : std::move(best.OwnModel());
    return choice;
  }

 private:
  // Adds the mean of several cross-fitted runs, whose single masks differ by luck more than rows
  // set aside could tell. Where it cannot be judged, plain runs stay, or without them those of it.
  void AddCrossFitted(bool few) {
    const size_t first = candidates_.size();
    AddCrossFitRuns(few);
    TrainFrom(first);
    if (context_.ShouldStop() && first > 0) candidates_.resize(first);
    if (context_.ShouldStop() || options_.refits == 0) return;
    auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<Candidate> runs(std::make_move_iterator(begin),
                                std::make_move_iterator(candidates_.end()));
    candidates_.resize(first);
    candidates_.emplace_back().run = MeanRun(runs);
    JudgeFrom(first);
    if (!candidates_[first].refits.empty()) return;
    candidates_.pop_back();  // nothing predicts from its columns
    if (candidates_.empty()) candidates_ = std::move(runs);
  }

  // The mask whose argument is the sum of the runs' weights. Arguments, far too small beside them
  // to matter, order what no run has chosen.
  RunResult MeanRun(std::span<const Candidate> runs) const {
    constexpr float kOrder = 1e-6f;
    Mask mask(problem_.layout.features(), options_.mask_scale);
    std::span<float> sum = mask.argument();
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (const Candidate& c : runs) {
      const std::vector<float> scaled = Standardised(c.run.argument);
      for (size_t j = 0; j < sum.size(); ++j) sum[j] += kOrder * scaled[j];
      for (size_t i = 0; i < c.run.support.size(); ++i) {
        sum[static_cast<size_t>(c.run.support[i])] += c.run.weights[i];
      }
    }
    mask.ArgumentReplaced();
    mask.UpdateExactly(static_cast<size_t>(k_));
    RunResult mean;
    mean.support.assign(mask.support().begin(), mask.support().end());
    mean.weights.assign(mask.weights().begin(), mask.weights().end());
    mean.argument.assign(sum.begin(), sum.end());
    return mean;
  }

  void AddPlainRuns() {
    for (int i = 0; i < options_.starts; ++i) candidates_.emplace_back();
    // Two strengths in turn, as shares of the steps: the filter leads, or hints.
    const double steps = TotalSteps(options_, problem_.train.rows());
    for (int i = 0; i < options_.filter_starts; ++i) {
      candidates_.emplace_back(steps / (i % 2 == 0 ? 15 : 5));
    }
    const int linear = LinearRuns(options_, loss_, make_predictor_);
    for (int i = 0; i < linear; ++i) {
      candidates_.emplace_back(i % 2 == 0 ? 0 : steps / 15, Kind::kLinear);
    }
  }

  // Where rows are few all of them lean on the filter, otherwise every other one, a little.
  void AddCrossFitRuns(bool few) {
    const double steps = TotalSteps(CrossFitOptions(options_), problem_.train.rows());
    const double lead = few ? kFilterForFewRows : 1.0 / 40;
    for (int i = 0; i < options_.cross_fit_runs; ++i) {
      candidates_.emplace_back(few || i % 2 == 1 ? lead * steps : 0, Kind::kCrossFit);
    }
  }

  bool WantsCrossFit() const {
    if (options_.cross_fit != CrossFit::kAuto) return options_.cross_fit == CrossFit::kAlways;
    if (candidates_.empty()) return true;
    double best = -std::numeric_limits<double>::infinity();
    for (const Candidate& c : candidates_) {
      if (c.refits.empty()) best = std::max(best, c.run.valid.quality);
      for (const FitResult& refit : c.refits) best = std::max(best, refit.valid.quality);
    }
    return CrossFitMayHelp(problem_, options_, best);
  }

  // Trains, or judges, the candidates from `first` on, all of them side by side.
  void TrainFrom(size_t first) {
    if (candidates_.size() == first) return;
    const size_t count = candidates_.size() - first;
    const bool cross_fit = candidates_[first].kind == Kind::kCrossFit;
    const SlmOptions own = cross_fit ? CrossFitOptions(options_) : options_;
    const int ticks = TotalSteps(own, problem_.train.rows()) / kStepsPerTick;
    Meter runs(context_.observer, cross_fit ? "cross-fit" : "starts",
               ticks * static_cast<int>(count));
    context_.pool->ParallelFor(count, [&](size_t i) { Train(first + i, own, runs); });
  }

  void JudgeFrom(size_t first) {
    const size_t count = candidates_.size() - first;
    const size_t refits = static_cast<size_t>(options_.refits);
    for (size_t i = 0; i < count; ++i) candidates_[first + i].refits.resize(refits);
    const FitOptions judge = JudgeFitOptions(options_, loss_, make_predictor_);
    Meter meter(context_.observer, "refits", static_cast<int>(count * refits));
    context_.pool->ParallelFor(count * refits, [&](size_t i) {
      Candidate& c = candidates_[first + i / refits];
      c.refits[i % refits] = FitOrFind("refit " + std::to_string(first * refits + i), problem_,
                                       ColumnsOf(problem_.layout, c.run.support), judge,
                                       RandomStream(seed_, kJudgeStream + i % refits), context_);
      meter.Tick({.active_features = static_cast<size_t>(k_),
                  .loss = c.refits[i % refits].valid.loss,
                  .valid = c.refits[i % refits].valid});
    });
    // Refits that were cut short say nothing; the runs' own validation has to do.
    if (context_.ShouldStop()) {
      for (size_t i = 0; i < count; ++i) candidates_[first + i].refits.clear();
    }
  }

  SlmOptions OptionsOf(size_t index, SlmOptions own) const {
    const Kind kind = candidates_[index].kind;
    if (kind == Kind::kLinear) own = LinearOptions(own);
    if (index % 2 == 0 || !LearnsTaskAloneInTurn(options_, loss_)) return own;
    own.objective = Objective::kTaskOnly;
    // Cross-fitted runs have a high rate already.
    if (kind != Kind::kCrossFit) own.learning_rate *= loss_.traits.rate;
    return own;
  }

  void Train(size_t index, const SlmOptions& shared, Meter& meter) {
    Candidate& c = candidates_[index];
    const SlmOptions own = OptionsOf(index, shared);
    RunInput input{.problem = &problem_,
                   .codes = codes_,
                   .k = k_,
                   .options = &own,
                   .start = {},
                   .make_predictor = make_predictor_,
                   .on_step = {}};
    if (c.strength > 0) input.start = FilterStart(scores_, c.strength * own.mask_rate);
    if (context_.observer != nullptr) {
      input.on_step = [&](const StepInfo& info) {
        if (info.step % kStepsPerTick == 0) meter.Tick(info);
      };
    }
    RandomStream random = RandomStream(seed_, index);
    c.run = Checkpointed(
        context_, "run " + std::to_string(index),
        [&](Archive& archive, RunResult& run) { Serialize(archive, run, problem_); },
        [&](const Context& context) {
          return c.kind == Kind::kCrossFit ? TrainCrossFitted(input, random, context)
                                           : TrainMask(input, random, context);
        });
  }

  Candidate& Best() {
    return *std::max_element(
        candidates_.begin(), candidates_.end(),
        [&](const Candidate& a, const Candidate& b) { return a.Score(loss_) < b.Score(loss_); });
  }

  Choice ChoiceOf(const RunResult& run) const {
    Choice choice;
    choice.weights.resize(problem_.layout.features());
    const std::vector<int32_t>& support = run.support;
    for (size_t i = 0; i < support.size(); ++i) {
      choice.weights[static_cast<size_t>(support[i])] = run.weights[i];
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
    const MeanFitOptions fit = FinalFitOptions(options_, loss_, make_predictor_);
    Meter meter(context_.observer, "predictors", fit.Fits(problem_.train.y));
    FitResult mean = FitMean("predictor", problem_, ColumnsOf(problem_.layout, support), fit, seed_,
                             kFinalStream, context_, [&](const FitResult& member) {
                               meter.Tick({.active_features = static_cast<size_t>(k_),
                                           .loss = member.valid.loss,
                                           .valid = member.valid});
                             });
    if (context_.ShouldStop()) return std::nullopt;
    return std::move(mean.model);
  }

  const Problem& problem_;
  const int k_;
  const SlmOptions& options_;
  const uint64_t seed_;
  const Context& context_;
  const PredictorFactory& make_predictor_;
  const LossKind& loss_;
  std::vector<ValueCodes> codes_;
  std::vector<double> scores_;  // of the filter
  std::vector<Candidate> candidates_;
};

}  // namespace

void RequireRuns(const SlmOptions& options) {
  if (options.starts + options.filter_starts > 0 || options.cross_fit != CrossFit::kNever) return;
  throw UsageError(
      "starts and filter_starts are 0 and cross_fit is never, so nothing would run; set one of "
      "them");
}

FitOptions JudgeFitOptions(const SlmOptions& options, const LossKind& loss,
                           const PredictorFactory& make_predictor) {
  return SuitedTo(loss, {.hidden_layers = options.hidden_layers,
                         .hidden_units = options.hidden_units,
                         .batch_size = options.batch_size,
                         .learning_rate = options.learning_rate,
                         .make_predictor = make_predictor});
}

MeanFitOptions FinalFitOptions(const SlmOptions& options, const LossKind& loss,
                               const PredictorFactory& make_predictor) {
  MeanFitOptions mean{JudgeFitOptions(options, loss, make_predictor), options.final_predictors,
                      options.final_noise};
  mean.fit.hidden_units = options.final_units;
  mean.fit.steps = options.final_steps;
  mean.fit.passes *= 2;
  return mean;
}

Model FitFinal(const Problem& problem, std::span<const int> features, const SlmOptions& options,
               uint64_t seed, const Context& context) {
  std::vector<int32_t> support(features.begin(), features.end());
  std::sort(support.begin(), support.end());
  return FitMean("predictor", problem, ColumnsOf(problem.layout, support),
                 FinalFitOptions(options, FindLoss(options.loss, problem.train.y), {}), seed,
                 kFinalStream, context)
      .model;
}

int LinearRuns(const SlmOptions& options, const LossKind& loss,
               const PredictorFactory& make_predictor) {
  const bool others = options.starts + options.filter_starts > 0;
  const bool new_kind = options.hidden_layers > 0 && !make_predictor;
  return loss.traits.linear_runs && others && new_kind ? options.linear_starts : 0;
}

SlmOptions LinearOptions(SlmOptions options) {
  options.hidden_layers = 0;
  return options;
}

bool LearnsTaskAloneInTurn(const SlmOptions& options, const LossKind& loss) {
  return loss.traits.task_alone_in_turn && options.objective == Objective::kMi;
}

Choice SearchMask(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                  const Context& context, const PredictorFactory& make_predictor) {
  return Search(problem, k, options, seed, context, make_predictor).Run();
}

}  // namespace slm
