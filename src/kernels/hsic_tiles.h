#pragma once

// The pairs of rows behind kernels/hsic.h, 16 rows against 16 rows at a time. For hsic.cc.

#include <cstddef>

#include "kernels/dispatch.h"

namespace slm {

// Rows come in panels of 16: column j of lane l of panel a is at (a * columns + j) * 16 + l.
struct HsicTiles {
  size_t panels;
  size_t columns;
  const float* x;     // panels x columns x 16, centred; 0 in the rows that fill the last panel
  const float* gain;  // columns: scale^2 / sigma^2
  const float* norm;  // panels x 16: sum_j gain_j x_ij^2
  const float* label_kernel;  // (panels * 16)^2; 0 in the rows that fill the last panel

  float* lanes;     // scratch, columns x 16, zero
  float* row_sum;   // panels x 16, added to: sum over k of P_ik = label_kernel_ik K_ik
  double* value;    // added to: sum of P over i < k
  double* spread;   // added to: sum of P_ik ||x_i - x_k||^2 / sigma^2 over i < k, scaled
  double* product;  // columns, added to: sum of P_ik x_ij x_kj over i < k
};

SLM_DECLARE_LEVELS(void, AddHsicTiles, const HsicTiles& batch)

// out[i * n + k] = exp(-(y_i - y_k)^2 / 2) for n values, a multiple of 16.
SLM_DECLARE_LEVELS(void, GaussianKernel, const float* y, size_t n, float* out)

}  // namespace slm
