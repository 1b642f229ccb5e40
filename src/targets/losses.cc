#include "targets/losses.h"

#include <algorithm>
#include <cmath>

#include "kernels/vector_ops.h"

namespace slm {

void BatchLoss::Prepare(MatrixView<const float> scores, const Dataset& data,
                        std::span<const int32_t> rows) {
  const size_t b = rows.size();
  task_kind_ = data.y.task;
  classes_ = data.y.outputs();
  weights_.clear();
  shares_.assign(b, static_cast<float>(1.0 / static_cast<double>(b)));
  if (!data.weight.empty()) {
    double total = 0;
    for (int32_t row : rows) {
      weights_.push_back(data.weight[static_cast<size_t>(row)]);
      total += weights_.back();
    }
    // A batch whose rows all weigh nothing teaches nothing.
    double inverse = total > 0 ? 1 / total : 0;
    for (size_t i = 0; i < b; ++i) shares_[i] = static_cast<float>(weights_[i] * inverse);
  }
  task_ = error_ = 0;
  predictions_.resize(b);
  if (task_kind_ == Task::kClassification) {
    labels_.resize(b);
    for (size_t i = 0; i < b; ++i) labels_[i] = data.y.index[static_cast<size_t>(rows[i])];
    PrepareClasses(scores);
  } else {
    targets_.resize(b);
    for (size_t i = 0; i < b; ++i) targets_[i] = data.y.value[static_cast<size_t>(rows[i])];
    PrepareValues(scores);
  }
}

void BatchLoss::PrepareClasses(MatrixView<const float> scores) {
  const size_t b = labels_.size();
  if (probabilities_.rows() < b || probabilities_.cols() != classes_) {
    probabilities_ = Matrix(b, classes_);
  }
  row_max_.resize(b);
  row_sum_.resize(b);
  square_sum_.resize(b);
  Softmax({.z = scores.data,
           .z_stride = scores.stride,
           .rows = b,
           .classes = classes_,
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

double BatchLoss::accuracy() const {
  if (task_kind_ != Task::kClassification) return 0;
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

// The logarithms of the sums in the softmax. Where rows weigh the same, one logarithm serves a
// product of several sums; each lies between one and the number of classes.
void BatchLoss::AddLogarithms() {
  const size_t together = weights_.empty() ? 16 : 1;
  for (size_t i = 0; i < row_sum_.size(); i += together) {
    double product = 1;
    for (size_t j = i; j < std::min(i + together, row_sum_.size()); ++j) product *= row_sum_[j];
    task_ += shares_[i] * std::log(product);
  }
}

void BatchLoss::PrepareValues(MatrixView<const float> scores) {
  for (size_t i = 0; i < targets_.size(); ++i) {
    predictions_[i] = scores(i, 0);
    double difference = static_cast<double>(predictions_[i]) - targets_[i];
    task_ += shares_[i] * std::abs(difference);
    error_ += shares_[i] * difference * difference;
  }
}

void BatchLoss::Gradient(double error_weight, std::span<const float> d_predictions,
                         MatrixView<float> d_scores) const {
  const size_t b = predictions_.size();
  const float e = static_cast<float>(error_weight);
  auto d_prediction = [&](size_t i) { return d_predictions.empty() ? 0.0f : d_predictions[i]; };
  if (task_kind_ == Task::kRegression) {
    for (size_t i = 0; i < b; ++i) {
      float difference = predictions_[i] - targets_[i];
      float sign = difference > 0 ? 1.0f : difference < 0 ? -1.0f : 0.0f;
      std::fill_n(d_scores.row(i), d_scores.stride, 0.0f);
      d_scores(i, 0) = shares_[i] * (sign + 2 * e * difference) + d_prediction(i);
    }
    return;
  }
  // With s = w_i / sum w, t = sum R^2 - R_y and q = d_predictions[i] R_y, a row of the gradient is
  //   R_c (s + 2 e s (R_c - t) - q) - [c = y] (s + 2 e s R_y - q).
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
               .classes = classes_,
               .c0 = constant_.data(),
               .c1 = slope_.data(),
               .dz = d_scores.data,
               .dz_stride = d_scores.stride});
  for (size_t i = 0; i < b; ++i) {
    float s = shares_[i], r = predictions_[i];
    d_scores(i, static_cast<size_t>(labels_[i])) -= s + 2 * e * s * r - d_prediction(i) * r;
  }
}

}  // namespace slm
