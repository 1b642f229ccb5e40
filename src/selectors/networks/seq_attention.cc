#include "selectors/networks/seq_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nn/active_batch.h"
#include "selectors/choose.h"
#include "targets/losses.h"

namespace slm {

Attention::Attention(size_t features)
    : logits_(1, features), weights_(features, 1.0f), taken_(features), worth_(features) {}

void Attention::Attend() {
  const std::span<const float> l = logits();
  float highest = -std::numeric_limits<float>::infinity();
  for (size_t j = 0; j < l.size(); ++j) {
    if (!taken_[j]) highest = std::max(highest, l[j]);
  }
  double sum = 0;
  for (size_t j = 0; j < l.size(); ++j) {
    weights_[j] = taken_[j] ? 1.0f : std::exp(l[j] - highest);
    if (!taken_[j]) sum += weights_[j];
  }
  for (size_t j = 0; j < l.size(); ++j) {
    if (!taken_[j]) weights_[j] = static_cast<float>(weights_[j] / sum);
  }
}

void Attention::Backward(std::span<const double> d_weights) {
  double mean = 0;
  for (size_t j = 0; j < weights_.size(); ++j) {
    if (!taken_[j]) mean += weights_[j] * d_weights[j];
  }
  for (size_t j = 0; j < weights_.size(); ++j) {
    const double d = taken_[j] ? 0 : weights_[j] * (d_weights[j] - mean);
    logits_.gradient(0, j) = static_cast<float>(d);
  }
}

void Attention::Step(const AdamClock& clock) {
  clock.Apply(logits_.w.data(), logits_.m.data(), logits_.v.data(), logits_.gradient.data(), 1.0f,
              logits_.w.stride());
}

void Attention::Take(size_t count) {
  Attend();
  count = std::min(count, left());
  std::vector<int> best;
  for (size_t j = 0; j < taken_.size(); ++j) {
    if (!taken_[j]) best.push_back(static_cast<int>(j));
  }
  auto logit = [&](int j) { return logits_.w(0, static_cast<size_t>(j)); };
  std::partial_sort(
      best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), best.end(),
      [&](int a, int b) { return logit(a) != logit(b) ? logit(a) > logit(b) : a < b; });
  const double beside = static_cast<double>(left());
  for (size_t i = 0; i < count; ++i) {
    const size_t j = static_cast<size_t>(best[i]);
    worth_[j] = beside * weights_[j];
    taken_[j] = true;
    order_.push_back(best[i]);
  }
}

void Attention::ResetLogits() { std::fill(logits().begin(), logits().end(), 0.0f); }

std::vector<double> Attention::Scores() const {
  std::vector<double> scores = worth_;
  for (size_t j = 0; j < scores.size(); ++j) {
    if (!taken_[j]) scores[j] = static_cast<double>(left()) * weights_[j];
  }
  return scores;
}

Choice SelectByAttention(const Problem& problem, int k, const SeqAttentionOptions& options,
                         Predictor& predictor, Batches batches, const Context& context) {
  const FeatureLayout& layout = problem.layout;
  const Dataset& train = problem.train;
  const int phases = (k + options.features_per_phase - 1) / options.features_per_phase;
  const int wanted = options.length.Steps(batches.per_epoch());
  const int warm_up = static_cast<int>(options.warm_up * wanted);
  const int steps = std::max(wanted, warm_up + phases);

  std::vector<int32_t> columns(layout.columns());
  std::iota(columns.begin(), columns.end(), 0);
  ActiveBatch batch;
  batch.SetColumns(columns, columns);
  std::vector<float> scale(columns.size(), 1.0f), d_scale(columns.size());
  std::vector<double> d_weights(layout.features());
  Attention attention(layout.features());
  const std::unique_ptr<Loss> loss = DefaultLoss(train.y).make();
  AdamClock clock;
  Matrix scores(static_cast<size_t>(options.length.batch_size), train.y.outputs());
  Matrix d_scores = scores;

  int phase = 0;
  auto begin_of = [&](int p) {
    return warm_up + static_cast<int>(static_cast<int64_t>(steps - warm_up) * p / phases);
  };
  for (int step = 0; step < steps && !context.ShouldStop(); ++step) {
    const bool attending = step >= warm_up;
    if (attending) {
      attention.Attend();
      for (size_t j = 0; j < layout.features(); ++j) {
        std::fill(scale.begin() + layout.offsets[j], scale.begin() + layout.offsets[j + 1],
                  attention.weights()[j]);
      }
    }
    const std::span<const int32_t> rows = batches.Next();
    const ActiveInput input = batch.Gather(*train.x, rows, scale);
    MatrixView<float> s{scores.data(), rows.size(), scores.cols(), scores.stride()};
    MatrixView<float> ds{d_scores.data(), rows.size(), scores.cols(), scores.stride()};
    predictor.Forward(input, s);
    loss->Prepare(s, train, rows);
    loss->Gradient(0, {}, ds);
    predictor.Backward(input, ds, d_scale);
    const StepSize size{
        options.learning_rate *
        std::pow(options.decay_rate, static_cast<double>(step) / options.decay_steps)};
    predictor.Step(input, size);
    clock.Tick(size);
    if (!attending) continue;
    for (size_t j = 0; j < layout.features(); ++j) {
      d_weights[j] = std::accumulate(d_scale.begin() + layout.offsets[j],
                                     d_scale.begin() + layout.offsets[j + 1], 0.0);
    }
    attention.Backward(d_weights);
    attention.Step(clock);
    if (step + 1 < begin_of(phase + 1)) continue;
    const size_t missing = static_cast<size_t>(k) - attention.order().size();
    attention.Take(std::min(missing, static_cast<size_t>(options.features_per_phase)));
    ++phase;
    if (options.reset_logits && phase < phases) attention.ResetLogits();
    if (context.observer != nullptr) {
      context.observer->OnProgress({.phase = "phases",
                                    .step = phase,
                                    .steps = phases,
                                    .active_features = static_cast<int>(attention.order().size()),
                                    .loss = loss->task()});
    }
  }
  // All have been taken unless the work was stopped; then the best at that moment have to do.
  attention.Take(static_cast<size_t>(k) - attention.order().size());
  return ChooseInOrder(attention.order(), attention.Scores());
}

}  // namespace slm
