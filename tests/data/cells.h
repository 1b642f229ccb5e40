#pragma once

// The values of a dataset in memory, for tests that write them one by one.

#include <algorithm>
#include <utility>

#include "slm/problem.h"

namespace slm {

// Datasets that are copies of each other share their rows until one of them is written to.
inline MatrixView<float> Cells(Dataset& data) {
  if (data.x.use_count() > 1) {
    const MatrixView<const float> shared = data.x->InMemory();
    Matrix own(shared.rows, shared.cols);
    std::copy_n(shared.data, shared.rows * shared.stride, own.data());
    data.x = MakeRows(std::move(own));
  }
  const MatrixView<const float> x = data.x->InMemory();
  return {const_cast<float*>(x.data), x.rows, x.cols, x.stride};
}

inline MatrixView<const float> Cells(const Dataset& data) { return data.x->InMemory(); }

}  // namespace slm
