#pragma once

// The F largest of d values in O(d), ties broken by index.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slm {

struct TopResult {
  float lowest_inside;      // v(F)
  int32_t highest_outside;  // index of v(F + 1), lowest index among equals; -1 if F = d
  int32_t highest_below;    // index of the largest value strictly below v(F); -1 if there is none
};

// Writes the indices of the `count` largest of v[0 .. d) in ascending order. Values must not be
// NaN; 0 < count <= d. `scratch` is kept between calls to avoid allocation.
TopResult SelectTop(const float* v, size_t d, size_t count, int32_t* indices,
                    std::vector<uint32_t>* scratch);

}  // namespace slm
