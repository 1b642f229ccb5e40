#pragma once

// Losses of values: a function of the difference between the value that is predicted, which is the
// score itself, and the true one, both in standard deviations of the training rows.
//
//   task = mean_i loss(R_i - Y_i),   E = mean_i (R_i - Y_i)^2
//
// E is quadratic whatever the loss: its minimum over predictors is the variance of Y that the
// columns leave unexplained, as that of classes is 1 - sum P_Y^2 - I_q. The pair term compares R_i.
// Validation compares minus the task loss.

#include <algorithm>
#include <memory>
#include <vector>

#include "targets/losses.h"

namespace slm {

// `Shape` has the loss of one difference and its derivative:
//   static double Value(double difference);
//   static float Slope(float difference);
template <class Shape>
class ValueLoss : public Loss {
 public:
  void Gradient(double error_weight, std::span<const float> d_predictions,
                MatrixView<float> d_scores) const override {
    const float e = static_cast<float>(error_weight);
    for (size_t i = 0; i < predictions_.size(); ++i) {
      const float difference = predictions_[i] - targets_[i];
      std::fill_n(d_scores.row(i), d_scores.stride, 0.0f);
      d_scores(i, 0) = shares_[i] * (Shape::Slope(difference) + 2 * e * difference) +
                       (d_predictions.empty() ? 0.0f : d_predictions[i]);
    }
  }

 protected:
  void Read(MatrixView<const float> scores, const Labels& labels,
            std::span<const int32_t> rows) override {
    targets_.resize(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      targets_[i] = labels.value[static_cast<size_t>(rows[i])];
      predictions_[i] = scores(i, 0);
      const double difference = static_cast<double>(predictions_[i]) - targets_[i];
      task_ += shares_[i] * Shape::Value(difference);
      error_ += shares_[i] * difference * difference;
    }
  }

  std::vector<float> targets_;
};

template <class Shape>
std::unique_ptr<Loss> MakeValueLoss() {
  return std::make_unique<ValueLoss<Shape>>();
}

// What holds for values by whatever loss. `good_quality` is minus the loss where errors are a tenth
// of a deviation. Decay works against gradients: the smaller the slopes of a loss, the less of it.
constexpr LearningTraits TraitsOfValues(double rate, double least_l2, double good_quality) {
  return {.rate = rate,
          .least_l2 = least_l2,
          .good_quality = good_quality,
          .linear_runs = true,
          .task_alone_in_turn = true};
}

}  // namespace slm
