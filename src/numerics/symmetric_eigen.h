#pragma once

// All eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to a tridiagonal
// one, then implicit QL. The rotations of QL are recorded and applied to blocks of the vectors
// afterwards, so that the vectors stay in the cache and blocks may go to threads. Values are made
// in doubles, vectors in floats: they are good to about 1e-5.

#include <cstddef>
#include <vector>

#include "slm/context.h"

namespace slm {

struct SymmetricEigen {
  std::vector<double> values;  // descending; empty if asked to stop
  std::vector<float> vectors;  // n x n: component j of the vector of values[i] is [j * n + i]
};

// `a` is n x n, row by row. About 8 n^3 multiply-adds, the same bits for any number of threads;
// recording rotations takes some 12 n^2 bytes.
SymmetricEigen DecomposeSymmetric(std::vector<double> a, size_t n, const Context& context);

}  // namespace slm
