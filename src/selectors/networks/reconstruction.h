#pragma once

// The error of an autoencoder: the mean over rows, by their weights, and over columns of the
// squared difference between a batch and what was made of it.

#include <cstdint>
#include <span>

#include "slm/matrix.h"

namespace slm {

// Returns `factor` times the error and writes its derivative. `weight` has one number for each row
// of the dataset or is empty; a batch whose rows all weigh nothing has no error.
inline double SquaredError(MatrixView<const float> x, MatrixView<const float> made,
                           std::span<const float> weight, std::span<const int32_t> rows,
                           double factor, MatrixView<float> d_made) {
  double total = 0, sum = 0;
  auto weight_of = [&](size_t i) {
    return weight.empty() ? 1.0 : weight[static_cast<size_t>(rows[i])];
  };
  for (size_t i = 0; i < rows.size(); ++i) total += weight_of(i);
  for (size_t i = 0; i < rows.size(); ++i) {
    const double share =
        total > 0 ? factor * weight_of(i) / (total * static_cast<double>(x.cols)) : 0;
    const float twice = static_cast<float>(2 * share);
    const float *a = x.row(i), *b = made.row(i);
    float* d = d_made.row(i);
    double squares = 0;
    for (size_t j = 0; j < x.cols; ++j) {
      const float difference = b[j] - a[j];
      squares += difference * difference;
      d[j] = twice * difference;
    }
    sum += share * squares;
  }
  return sum;
}

}  // namespace slm
