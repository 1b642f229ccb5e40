// Cross entropy, for classes. With R the softmax of the scores of a row and y its class:
//
//   task = mean_i -log R_iy
//   E    = mean_i ((1 - R_iy)^2 + sum_{c != y} R_ic^2)
//
// E is the paper's quadratic error (Eq. 8), whose minimum over predictors is 1 - sum P_Y^2 - I_q
// (Theorem 4.1). The pair term compares R_iy. Validation compares the share of rows whose best
// class is the true one.

#include <algorithm>
#include <cmath>

#include "kernels/vector_ops.h"
#include "targets/losses.h"

namespace slm {
namespace {

class CrossEntropy : public Loss {
 public:
  double quality() const override {
    double correct = 0, total = 0;
    for (size_t i = 0; i < labels_.size(); ++i) {
      const size_t label = static_cast<size_t>(labels_[i]);
      const float* row = scores_.row(i);
      const double w = weights_.empty() ? 1 : weights_[i];
      total += w;
      // Among equal scores the first class is the answer.
      const bool best =
          row[label] == row_max_[i] && std::find(row, row + label, row_max_[i]) == row + label;
      if (best) correct += w;
    }
    return total > 0 ? correct / total : 0;
  }

  void Gradient(double error_weight, std::span<const float> d_predictions,
                MatrixView<float> d_scores) const override {
    const size_t b = predictions_.size();
    const float e = static_cast<float>(error_weight);
    auto d_prediction = [&](size_t i) { return d_predictions.empty() ? 0.0f : d_predictions[i]; };
    // With s = w_i / sum w, t = sum R^2 - R_y and q = d_predictions[i] R_y, a row of the gradient
    // is R_c (s + 2 e s (R_c - t) - q) - [c = y] (s + 2 e s R_y - q).
    constant_.resize(b);
    slope_.resize(b);
    for (size_t i = 0; i < b; ++i) {
      float s = shares_[i], t = square_sum_[i] - predictions_[i];
      constant_[i] = s - 2 * e * s * t - d_prediction(i) * predictions_[i];
      slope_[i] = 2 * e * s;
    }
    SoftmaxGrad({.r = probabilities_.data(),
                 .r_stride = probabilities_.stride(),
                 .rows = b,
                 .classes = probabilities_.cols(),
                 .c0 = constant_.data(),
                 .c1 = slope_.data(),
                 .dz = d_scores.data,
                 .dz_stride = d_scores.stride});
    for (size_t i = 0; i < b; ++i) {
      float s = shares_[i], r = predictions_[i];
      d_scores(i, static_cast<size_t>(labels_[i])) -= s + 2 * e * s * r - d_prediction(i) * r;
    }
  }

 protected:
  void Read(MatrixView<const float> scores, const Labels& labels,
            std::span<const int32_t> rows) override {
    const size_t b = rows.size(), classes = labels.outputs();
    labels_.resize(b);
    for (size_t i = 0; i < b; ++i) labels_[i] = labels.index[static_cast<size_t>(rows[i])];
    if (probabilities_.rows() < b || probabilities_.cols() != classes) {
      probabilities_ = Matrix(b, classes);
    }
    row_max_.resize(b);
    row_sum_.resize(b);
    square_sum_.resize(b);
    Softmax({.z = scores.data,
             .z_stride = scores.stride,
             .rows = b,
             .classes = classes,
             .r = probabilities_.data(),
             .r_stride = probabilities_.stride(),
             .max = row_max_.data(),
             .sum = row_sum_.data(),
             .square_sum = square_sum_.data()});
    AddLogarithms();
    scores_ = scores;
    for (size_t i = 0; i < b; ++i) {
      size_t label = static_cast<size_t>(labels_[i]);
      float r = probabilities_(i, label);
      predictions_[i] = r;
      task_ += shares_[i] * (static_cast<double>(row_max_[i]) - scores(i, label));
      error_ += shares_[i] * (1.0 - 2.0 * r + square_sum_[i]);
    }
  }

 private:
  // The logarithms of the sums in the softmax. Where rows weigh the same, one logarithm serves a
  // product of several sums; each is between one and the number of classes.
  void AddLogarithms() {
    const size_t together = weights_.empty() ? 16 : 1;
    for (size_t i = 0; i < row_sum_.size(); i += together) {
      double product = 1;
      for (size_t j = i; j < std::min(i + together, row_sum_.size()); ++j) product *= row_sum_[j];
      task_ += shares_[i] * std::log(product);
    }
  }

  std::vector<int32_t> labels_;
  MatrixView<const float> scores_ = {};
  Matrix probabilities_;
  std::vector<float> row_max_, row_sum_, square_sum_;
  mutable std::vector<float> constant_, slope_;
};

}  // namespace

const LossKind& CrossEntropyLoss() {
  static constexpr LossKind kKind = {
      .name = "cross-entropy",
      .summary = "minus the logarithm of the probability of the true class",
      .task = Task::kClassification,
      .by_default = true,
      .traits = {.gains_by_noise = true, .own_validation = 0.5, .good_quality = 0.9},
      .make = [] { return std::unique_ptr<Loss>(std::make_unique<CrossEntropy>()); }};
  return kKind;
}

}  // namespace slm
