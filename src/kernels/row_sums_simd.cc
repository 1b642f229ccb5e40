#include "kernels/row_sums.h"

namespace slm::SLM_SIMD_LEVEL {

void AddFourRows(const FourRows& rows, size_t columns, double* __restrict sum,
                 double* __restrict square) noexcept {
  const auto [x0, x1, x2, x3] = rows.x;
  const auto [w0, w1, w2, w3] = rows.weight;
  for (size_t c = 0; c < columns; ++c) {
    const double v0 = x0[c], v1 = x1[c], v2 = x2[c], v3 = x3[c];
    const double a0 = w0 * v0, a1 = w1 * v1, a2 = w2 * v2, a3 = w3 * v3;
    sum[c] += (a0 + a1) + (a2 + a3);
    square[c] += (a0 * v0 + a1 * v1) + (a2 * v2 + a3 * v3);
  }
}

void AddFourProducts(const FourRows& rows, size_t columns, double* __restrict product) noexcept {
  const auto [x0, x1, x2, x3] = rows.x;
  const auto [w0, w1, w2, w3] = rows.weighted_y;
  for (size_t c = 0; c < columns; ++c) {
    product[c] += (w0 * static_cast<double>(x0[c]) + w1 * static_cast<double>(x1[c])) +
                  (w2 * static_cast<double>(x2[c]) + w3 * static_cast<double>(x3[c]));
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
