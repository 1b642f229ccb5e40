#include "search/stage.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/checkpoint.h"
#include "base/streams.h"
#include "base/thread_pool.h"
#include "mask/mask.h"
#include "mask/objective.h"
#include "search/cross_fit.h"
#include "search/filter_start.h"

namespace slm {
namespace {

constexpr int kStepsPerTick = 20;

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

}  // namespace

void Meter::Tick(const StepInfo& info) {
  if (observer_ == nullptr) return;
  observer_->OnProgress({.phase = phase_,
                         .step = ++done_,
                         .steps = ticks_,
                         .active_features = static_cast<int>(info.active_features),
                         .loss = info.loss,
                         .valid_metric = info.valid.quality});
}

void StageTrainer::Prepare(const Stage& stage) {
  for (const PlannedRun& run : stage.runs) {
    if (repeats_.empty() && run.balanced) Balance();
    if (codes_.empty() && BatchObjective::UsesPairTerm(run.training)) {
      codes_ = problem_.value_codes(run.training.mi_bins);
    }
    if (filter_scores_.empty() && run.filter.part > 0) {
      filter_scores_ = DistinctScores(problem_.layout, problem_.train, filter_k_, &context_);
    }
  }
}

std::vector<RunResult> StageTrainer::Train(const Stage& stage, int k, std::span<const int> stops,
                                           Observer* observer) {
  Prepare(stage);
  int ticks = 0;
  for (const PlannedRun& run : stage.runs) ticks += run.steps / kStepsPerTick;
  Meter meter(observer, stage.phase, ticks);
  const std::vector<size_t> all_stops(stops.begin(), stops.end());
  std::vector<RunResult> results(stage.runs.size());
  context_.pool->ParallelFor(results.size(), [&](size_t i) {
    if (i > 0 && context_.ShouldStop()) return;  // one is enough to have a result
    const PlannedRun& run = stage.runs[i];
    // What was finished before is not prepared again either.
    const Context own = context_.Inside("run " + std::to_string(run.index));
    auto serialize = [&](Archive& archive) {
      Serialize(archive, results[i], problem_);
      if (!archive.reading()) return;
      RequireRun(archive, results[i], problem_, static_cast<size_t>(k), all_stops, true);
    };
    if (own.checkpoint != nullptr && own.checkpoint->FindFinished(own.place, serialize)) return;
    RunInput input = Input(run, k, run.steps);
    input.stops = all_stops;
    if (observer != nullptr) {
      input.on_step = [&meter](const StepInfo& info) {
        if (info.step % kStepsPerTick == 0) meter.Tick(info);
      };
    }
    results[i] = TrainMask(input, *Source(run, input), own);
    if (own.checkpoint != nullptr && !own.ShouldStop())
      own.checkpoint->Finish(own.place, serialize);
  });
  std::erase_if(results, [](const RunResult& run) { return run.support.empty(); });
  return results;
}

RunResult StageTrainer::TrainRun(const PlannedRun& run, int k, int steps,
                                 const Context& context) const {
  const RunInput input = Input(run, k, steps);
  return TrainMask(input, *Source(run, input), context);
}

// A mask moves as far in every step, so batches that lack a class move it as far as the others:
// what helps is that they hold the class, not that its rows weigh more.
std::vector<int32_t> RepeatsOfClasses(const Dataset& data, double balance) {
  std::vector<double> weight(data.y.outputs()), rows(data.y.outputs());
  for (size_t i = 0; i < data.rows(); ++i) {
    const size_t own = static_cast<size_t>(data.y.index[i]);
    weight[own] += data.RowWeight(i);
    rows[own] += 1;
  }
  const double heaviest = *std::max_element(weight.begin(), weight.end());
  const double most = *std::max_element(rows.begin(), rows.end());
  std::vector<int32_t> times;
  for (size_t c = 0; c < weight.size(); ++c) {
    double repeated = 1;
    if (weight[c] > 0) {
      repeated =
          std::min(std::round(std::pow(heaviest / weight[c], balance)), std::floor(most / rows[c]));
    }
    times.push_back(static_cast<int32_t>(repeated));
  }
  return times;
}

void StageTrainer::Balance() {
  const Labels& y = problem_.train.y;
  const std::vector<int32_t> times = RepeatsOfClasses(problem_.train, recipe_.balance);
  for (int32_t label : y.index) repeats_.push_back(times[static_cast<size_t>(label)]);
  balanced_ = problem_;
  Dataset& valid = balanced_.valid;
  std::vector<float> weights;
  for (size_t i = 0; i < valid.rows(); ++i) {
    const int32_t repeated = times[static_cast<size_t>(valid.y.index[i])];
    weights.push_back(static_cast<float>(valid.RowWeight(i) * repeated));
  }
  valid.weight = std::move(weights);
}

RunInput StageTrainer::Input(const PlannedRun& run, int k, int steps) const {
  RunInput input{.problem = run.balanced ? &balanced_ : &problem_,
                 .codes = codes_,
                 .k = k,
                 .options = &run.training,
                 .steps = steps,
                 .start = {},
                 .make_predictor = recipe_.make_predictor,
                 .on_step = {}};
  if (run.balanced) input.repeats = repeats_;
  if (run.filter.part > 0) {
    input.start = FilterStart(filter_scores_, run.filter.Of(steps) * run.training.mask_rate);
  } else if (run.training.schedule == Schedule::kNone && !run.cross_fitted) {
    // Without tempering an all-ones mask would begin with the first k features; chance is fairer.
    RandomStream noise = StreamFor(seed_, StreamOf::kRun, run.index).Substream(3);
    input.start.assign(problem_.layout.features(), 1.0f);
    for (float& v : input.start) v += static_cast<float>(1e-3 * noise.Uniform());
  }
  return input;
}

std::unique_ptr<GradientSource> StageTrainer::Source(const PlannedRun& run,
                                                     const RunInput& input) const {
  const RandomStream random = StreamFor(seed_, StreamOf::kRun, run.index);
  return run.cross_fitted ? CrossFitted(input, random) : OnePredictor(input, random);
}

RunResult MeanMask(std::span<const WeightedSupport> masks, size_t features, int k,
                   MaskScale scale) {
  constexpr float kOrder = 1e-6f;
  Mask mask(features, scale);
  std::span<float> sum = mask.argument();
  std::fill(sum.begin(), sum.end(), 0.0f);
  for (const WeightedSupport& one : masks) {
    const std::vector<float> scaled = Standardised(one.argument);
    for (size_t j = 0; j < scaled.size(); ++j) sum[j] += kOrder * scaled[j];
    for (size_t i = 0; i < one.support.size(); ++i) {
      sum[static_cast<size_t>(one.support[i])] += one.weights[i];
    }
  }
  mask.ArgumentReplaced();
  mask.UpdateExactly(static_cast<size_t>(k));
  RunResult mean;
  mean.support.assign(mask.support().begin(), mask.support().end());
  mean.weights.assign(mask.weights().begin(), mask.weights().end());
  mean.argument.assign(sum.begin(), sum.end());
  return mean;
}

}  // namespace slm
