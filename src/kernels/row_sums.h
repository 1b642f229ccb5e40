#pragma once

// Weighted sums over rows of the values of many columns, in double: what moments by class are made
// of. Every column has its own sums, so that all SIMD levels give the same bits.

#include <cstddef>

#include "kernels/dispatch.h"

namespace slm {

// Rows are added four at a time, which saves three of four stores of the sums. A missing fourth is
// any row with a weight of 0.
struct FourRows {
  const float* x[4];
  double weight[4];
  double weighted_y[4];
};

// sum += sum_r w_r x_r, square += sum_r w_r x_r^2, for each of the columns.
SLM_DECLARE_LEVELS(void, AddFourRows, const FourRows& rows, size_t columns, double* sum,
                   double* square)
// product += sum_r (w y)_r x_r.
SLM_DECLARE_LEVELS(void, AddFourProducts, const FourRows& rows, size_t columns, double* product)

}  // namespace slm
