#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace slm {

// 0 to count - 1: all rows, or all columns.
inline std::vector<int32_t> Indices(size_t count) {
  std::vector<int32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace slm
