#include "selectors/networks/sparse_group_prox.h"

#include <algorithm>
#include <cmath>

namespace slm {

double SparseGroupNorm(std::span<const float> w, double alpha) {
  double magnitudes = 0, squares = 0;
  for (float x : w) {
    magnitudes += std::abs(x);
    squares += static_cast<double>(x) * x;
  }
  return (1 - alpha) * magnitudes + alpha * std::sqrt(squares);
}

void SparseGroupProx(std::span<float> w, double threshold, double alpha) {
  if (threshold == 0) return;
  const float soft = static_cast<float>((1 - alpha) * threshold);
  double squares = 0;
  for (float& x : w) {
    x = std::copysign(std::max(0.0f, std::abs(x) - soft), x);
    squares += static_cast<double>(x) * x;
  }
  const double norm = std::sqrt(squares), block = alpha * threshold;
  const float factor = norm > block ? static_cast<float>(1 - block / norm) : 0.0f;
  for (float& x : w) x *= factor;
}

}  // namespace slm
