#pragma once

// The objective of a batch (paper, section 4.3, Eq. 9 with E of Eq. 8, and Eq. 10 for r_cs):
//
//   loss = task + alpha (E + rcs_weight r_cs)
//   r_cs = mean over pairs i < k of W_ik (r_i - r_k)^2,   W_ik = prod_{j : x_ij != x_kj} (1 - p_j)
//
// with r_i the prediction for the true label. The paper sums over pairs; its remark that E and r_cs
// are of one order of magnitude needs the mean. With the HSIC objective (paper, section A.8, Eq.
// 16)
//
//   loss = task - alpha HSIC(features scaled by the mask argument, labels).

#include <memory>
#include <span>
#include <vector>

#include "kernels/hsic.h"
#include "kernels/pair_term.h"
#include "mask/mask.h"
#include "slm/options.h"
#include "slm/problem.h"
#include "targets/losses.h"

namespace slm {

class BatchObjective {
 public:
  // `codes` may be empty where r_cs is not used.
  BatchObjective(const Problem& problem, std::span<const ValueCodes> codes,
                 const SlmOptions& options);

  static bool UsesPairTerm(const SlmOptions& options) {
    return options.objective == Objective::kMi && options.alpha > 0 && options.rcs_weight > 0;
  }

  // The loss of the batch `rows` of the training part, given its scores. Writes d loss / d scores,
  // d loss / d weights of the mask, and, for HSIC, d loss / d argument of every feature (else the
  // span d_argument() is empty).
  double Compute(std::span<const int32_t> rows, MatrixView<const float> scores, const Mask& mask,
                 MatrixView<float> d_scores, std::span<float> d_weights);

  std::span<const float> d_argument() const { return d_argument_; }
  const LossKind& loss_kind() const { return loss_kind_; }

 private:
  double HsicTerm(std::span<const int32_t> rows, const Mask& mask);

  const Problem& problem_;
  std::span<const ValueCodes> codes_;
  const SlmOptions& options_;
  const LossKind& loss_kind_;
  std::unique_ptr<Loss> loss_;
  PairTerm pair_term_;
  std::vector<float> d_predictions_;
  // HSIC only.
  Hsic hsic_;
  ColumnSet columns_;  // all of them
  Matrix x_;
  std::vector<float> column_scale_, d_column_scale_, d_argument_;
};

}  // namespace slm
