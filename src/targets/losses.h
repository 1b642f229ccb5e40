#pragma once

// Losses of a batch of scores and their gradients.
//
//   classification  task = cross entropy,        E = mean_i ((1 - R_iy)^2 + sum_{c != y} R_ic^2)
//   regression      task = mean absolute error,  E = mean_i (Y_i - R_i)^2
//
// with R the softmax of the scores, or the score itself. E is the paper's quadratic error (Eq. 8),
// whose minimum over predictors is 1 - sum P_Y^2 - I_q (Theorem 4.1). Means are weighted when rows
// carry weights.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

class BatchLoss {
 public:
  // Reads the scores of the given rows of a dataset.
  void Prepare(MatrixView<const float> scores, const Dataset& data, std::span<const int32_t> rows);

  double task() const { return task_; }
  double error() const { return error_; }  // E
  // R of the true label, or the predicted value: what the pair term compares.
  std::span<const float> predictions() const { return predictions_; }
  std::span<const float> weights() const { return weights_; }  // of the batch; empty if equal
  // Share of the rows whose best class is the true one; the scores must still be there.
  double accuracy() const;

  // d (task + error_weight * E + sum_i d_predictions[i] * prediction_i) / d scores. Empty
  // d_predictions stands for zeros. Padding of d_scores becomes zero.
  void Gradient(double error_weight, std::span<const float> d_predictions,
                MatrixView<float> d_scores) const;

 private:
  void PrepareClasses(MatrixView<const float> scores);
  void AddLogarithms();
  void PrepareValues(MatrixView<const float> scores);

  Task task_kind_ = Task::kClassification;
  size_t classes_ = 0;
  std::vector<int32_t> labels_;
  std::vector<float> targets_;
  std::vector<float> weights_;
  std::vector<float> shares_;  // w_i / sum w
  MatrixView<const float> scores_ = {};
  Matrix probabilities_;
  std::vector<float> row_max_, row_sum_, square_sum_;
  std::vector<float> predictions_;
  mutable std::vector<float> constant_, slope_;
  double task_ = 0, error_ = 0;
};

}  // namespace slm
