#pragma once

// The sparse group lasso on one group of weights:  Omega(w) = (1 - alpha) |w|_1 + alpha |w|_2.
// alpha = 1 is the group lasso. Zeros, as in the padding of a matrix, change nothing.

#include <span>

namespace slm {

double SparseGroupNorm(std::span<const float> w, double alpha);

// Replaces w by argmin_b 1/2 |w - b|^2 + threshold Omega(b): soft thresholding, then the rest
// shrinks as a block.
void SparseGroupProx(std::span<float> w, double threshold, double alpha);

}  // namespace slm
