#pragma once

#include "slm/matrix.h"

namespace slm {

// The value says where it is from.
inline Matrix Numbered(size_t rows, size_t columns) {
  Matrix out(rows, columns);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) out(i, j) = static_cast<float>(i * columns + j);
  }
  return out;
}

}  // namespace slm
