#pragma once

// The Hilbert-Schmidt independence criterion of a batch, between the labels and the inputs scaled
// by the mask argument v (before sparsemax): the HSIC objective maximises it.
//
//   HSIC = tr(K H L H) / (b - 1)^2,  H = I - 1 1^T / b
//   K_ik = exp(-sum_j v_j^2 (x_ij - x_kj)^2 / (2 sigma^2)),  sigma^2 = sum_j v_j^2 var_j
//   L_ik = exp(-|y_i - y_k|^2 / (2 sigma_y^2))
//
// sigma^2 is the total variance of the scaled inputs in the batch, so the value does not change
// when v is multiplied by a number, and the gradient goes through it. Labels of classes are one-hot
// vectors with sigma_y^2 = 1 - sum_c share_c^2, their total variance in the batch; a continuous
// label is standardised already and has sigma_y = 1.
//
// Row weights, scaled to a sum of 1, replace 1 / b: HSIC = sum_ik a_i a_k K_ik L'_ik / (1 - sum
// a^2)^2, L' the label kernel with its means under a taken away. Equal weights give the formula
// above.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// Keeps its scratch memory, so that steps of one size allocate nothing. One for each thread.
class Hsic {
 public:
  // The value for the rows of x, whose labels are those of `rows`; writes its derivative by the
  // scale (v) of each column. `w` has a weight for each row of x or is empty. Columns of one
  // feature share its v: their derivatives add up. Where inputs or labels do not vary, or fewer
  // than two rows have weight, all are 0. Costs O(b^2) for each column, and b^2 floats.
  double Compute(MatrixView<const float> x, std::span<const float> scale, const Labels& labels,
                 std::span<const int32_t> rows, std::span<const float> w, std::span<float> d_scale);

 private:
  void SetShares(size_t b, std::span<const float> w);
  void SetLabelKernel(const Labels& labels, std::span<const int32_t> rows);
  double PackInputs(MatrixView<const float> x, std::span<const float> scale);

  size_t padded_ = 0;               // rows, filled up to panels of 16
  std::vector<double> share_;       // by row: its weight over the sum of weights
  std::vector<double> variance_;    // by column
  std::vector<double> product_;     // by column
  std::vector<double> label_mean_;  // by row
  AlignedBuffer<float> label_kernel_, label_, x_, norm_, row_sum_, gain_, lanes_;
};

}  // namespace slm
