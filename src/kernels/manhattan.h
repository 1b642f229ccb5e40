#pragma once

// Manhattan distances of a few rows from many, where a feature of several columns counts by the
// largest difference of its columns.

#include <cstddef>
#include <cstdint>

#include "kernels/dispatch.h"

namespace slm {

inline constexpr size_t kManhattanRows = 4;

// out(r, i) = sum over c < single of |x(c, i) - at(r, c)|
//           + sum over g < groups of max over offsets[g] <= c < offsets[g + 1] of the same,
// each one chain in this order. x is columns x rows; `rows` is a multiple of 16.
struct ManhattanArgs {
  const float* x = nullptr;
  size_t x_stride = 0;
  size_t rows = 0;
  const float* at = nullptr;  // kManhattanRows of them
  size_t at_stride = 0;
  size_t single = 0;
  const int32_t* offsets = nullptr;
  size_t groups = 0;
  float* out = nullptr;
  size_t out_stride = 0;
};
SLM_DECLARE_LEVELS(void, Manhattan, const ManhattanArgs& args)

}  // namespace slm
