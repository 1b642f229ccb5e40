#pragma once

// Gaussian kernels of many features at once, for the pairs of rows of one block, centred:
//   K_ij = exp(-|x_i - x_j|^2),  C_ij = K_ij - mean_i - mean_j + mean
// with means under the shares of the rows. Features come in strips of 16, side by side; a feature
// of several columns is a strip of as many planes, so that a row is, for each strip, planes x
// 16 floats. Values of features in a row are 16 for each strip.

#include <cstddef>
#include <cstdint>

namespace slm {

struct KernelRows {
  size_t strips;
  const int32_t* planes;  // of each strip
  const float* x;         // rows, each of 16 * (sum of planes)
  size_t x_stride;
  const float* share;  // of each row
  // By row and value (16 * strips); not read by AddKernelMeans.
  const float* row_mean;
  const float* mean;   // by value
  const float* scale;  // by value; read by CentredKernel alone
};

// sum[f] += sum over j in [begin, end) of share_j K_ij.
void AddKernelMeans(const KernelRows& rows, size_t i, size_t begin, size_t end,
                    float* sum) noexcept;

// sum[f] += sum over j in [begin, end) of share_j C_ij^2.
void AddKernelSquares(const KernelRows& rows, size_t i, size_t begin, size_t end,
                      float* sum) noexcept;

// out[f] = factor scale[f] C_ij.
void CentredKernel(const KernelRows& rows, size_t i, size_t j, float factor, float* out) noexcept;

}  // namespace slm
