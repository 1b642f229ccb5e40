#pragma once

// What a predictor learns from: the loss of a batch of scores, its gradient, and the form of the
// paper's error E (Eq. 8) that goes with it. A loss is handed one batch after another and keeps its
// memory between them, so that steps of one size allocate nothing; threads need one each.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

class Loss {
 public:
  virtual ~Loss() = default;

  // Reads the scores of the given rows of a dataset. The scores must stay as they are for as long
  // as the batch is asked about.
  void Prepare(MatrixView<const float> scores, const Dataset& data, std::span<const int32_t> rows);

  // Of the batch; weighted means where rows carry weights.
  double task() const { return task_; }
  double error() const { return error_; }  // E

  // One number for each row that the pair term r_cs compares: how the predictor sees the row, such
  // as its probability for the true class, or the value that it predicts.
  std::span<const float> predictions() const { return predictions_; }
  std::span<const float> weights() const { return weights_; }  // of the rows; empty if equal

  // What validation compares, larger is better: minus the loss, unless there is something that
  // users would rather ask for.
  virtual double quality() const { return -task_; }

  // d (task + error_weight * E + sum_i d_predictions[i] * prediction_i) / d scores. Empty
  // d_predictions stands for zeros. Padding of d_scores becomes zero.
  virtual void Gradient(double error_weight, std::span<const float> d_predictions,
                        MatrixView<float> d_scores) const = 0;

 protected:
  // Sets task_, error_ and predictions_ from the scores; row i of the batch is row rows[i] of the
  // labels and counts shares_[i]. task_ and error_ are 0 before, and predictions_ has a place for
  // each row.
  virtual void Read(MatrixView<const float> scores, const Labels& labels,
                    std::span<const int32_t> rows) = 0;

  std::vector<float> weights_;
  std::vector<float>
      shares_;  // w_i / sum w; all 0 for a batch without weight, which teaches nothing
  std::vector<float> predictions_;
  double task_ = 0, error_ = 0;
};

}  // namespace slm
