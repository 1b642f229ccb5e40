#pragma once

// The mask of a run with what moves it: the lines of Algorithm 1 between drawing a batch and
// updating the predictor, shared by every source of the mask's gradient.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "mask/mask.h"
#include "mask/mask_update.h"
#include "mask/masked_batch.h"
#include "mask/objective.h"
#include "nn/fit.h"
#include "slm/options.h"
#include "slm/predictor.h"
#include "slm/problem.h"

namespace slm {

class MaskLearner {
 public:
  // `start` is the mask argument to start from; empty for all ones. The problem, codes and options
  // must outlive this.
  MaskLearner(const Problem& problem, std::span<const ValueCodes> codes, const SlmOptions& options,
              std::span<const float> start)
      : problem_(problem),
        options_(options),
        mask_(problem.layout.features(), options.mask_scale, options.mask_gradient),
        updater_(problem.layout.features(), options),
        objective_(problem, codes, options),
        batch_(problem.layout, options),
        scores_(static_cast<size_t>(options.batch_size), problem.train.y.outputs()),
        d_scores_(scores_) {
    std::copy(start.begin(), start.end(), mask_.argument().begin());
    LiftKept();
  }

  const Mask& mask() const { return mask_; }
  MaskedBatch& batch() { return batch_; }

  // Sets F_t. Also due after MoveMask, with the same F_t or another.
  void SetFeatures(size_t count) { batch_.SetMask(mask_, mask_.Update(count)); }

  // Exactly k features for what a run ends with, whatever the form of the mask.
  void SetFinalFeatures(size_t k) { batch_.SetMask(mask_, mask_.UpdateExactly(k)); }

  // The validation of a predictor with exactly k features, which are then set.
  Measure MeasureExactly(size_t k, std::unique_ptr<Predictor>& predictor) {
    SetFinalFeatures(k);
    Model model = batch_.MakeModel(std::move(predictor));
    const Measure measure = Evaluate(model, problem_.valid, objective_.loss_kind());
    predictor = std::move(model.predictor);
    return measure;
  }

  // Forward and backward of a predictor on training rows. Leaves its parameter gradients in it, and
  // those of the mask in d_weights(). The input is valid until the next call.
  ActiveInput Pass(Predictor& predictor, std::span<const int32_t> rows, RandomStream* dropout) {
    ActiveInput active = batch_.Gather(*problem_.train.x, rows);
    if (dropout != nullptr) batch_.DropOut(options_.input_dropout, *dropout);
    MatrixView<float> scores{scores_.data(), rows.size(), scores_.cols(), scores_.stride()};
    MatrixView<float> d_scores{d_scores_.data(), rows.size(), scores_.cols(), scores_.stride()};
    predictor.Forward(active, scores);
    d_weights_.resize(mask_.support().size());
    loss_ = objective_.Compute(rows, scores, mask_, d_scores, d_weights_);
    predictor.Backward(active, d_scores, batch_.d_scale());
    batch_.AddWeightGradient(d_weights_);
    return active;
  }

  // Of the latest pass.
  double loss() const { return loss_; }
  size_t active_features() const { return d_weights_.size(); }
  std::span<const float> d_weights() const { return d_weights_; }
  std::span<const float> d_argument() const { return objective_.d_argument(); }

  // Moves the mask argument, given the gradient of its weights and, where the objective has one, of
  // the argument itself.
  void MoveMask(std::span<const float> d_weights, std::span<const float> d_argument) {
    updater_.Apply(mask_, d_weights, d_argument);
    LiftKept();
  }

  // Writes or reads the state between two steps. SetFeatures finds the rest of the mask anew: the
  // same, since support and weights are functions of the argument.
  void Serialize(Archive& archive) {
    archive.Fixed(mask_.argument());
    updater_.Serialize(archive);
    if (archive.reading()) mask_.ArgumentReplaced();
  }

 private:
  // Features that are in every choice stand above all others, so that these compete for what is
  // left and are judged beside them. O(features) a step where there are any.
  void LiftKept() {
    if (problem_.keep.empty()) return;
    std::span<float> v = mask_.argument();
    for (int32_t j : problem_.keep) v[static_cast<size_t>(j)] = -kInfinity;
    const float highest = *std::max_element(v.begin(), v.end());
    const float lifted = highest == -kInfinity ? 1.0f : std::nextafter(highest, kInfinity);
    for (int32_t j : problem_.keep) v[static_cast<size_t>(j)] = lifted;
    mask_.ArgumentReplaced();
  }

  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  const Problem& problem_;
  const SlmOptions& options_;
  Mask mask_;
  MaskUpdater updater_;
  BatchObjective objective_;
  MaskedBatch batch_;
  Matrix scores_, d_scores_;
  std::vector<float> d_weights_;
  double loss_ = 0;
};

}  // namespace slm
