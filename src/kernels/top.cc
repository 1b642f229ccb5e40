#include "kernels/top.h"

#include <array>
#include <bit>

namespace slm {
namespace {

// An unsigned key in the order of the floats; -0 and +0 are one value.
uint32_t Key(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value + 0.0f);
  return bits ^ (static_cast<uint32_t>(-static_cast<int32_t>(bits >> 31)) | 0x80000000u);
}

// The key of the count-th largest, by radix selection: 11, 11, then 10 bits. Each pass looks only
// at the keys that share the digits found so far.
uint32_t NthKey(std::vector<uint32_t>& keys, size_t count) {
  uint32_t prefix = 0;
  size_t size = keys.size();
  for (auto [shift, bits] : {std::pair<int, int>{21, 11}, {10, 11}, {0, 10}}) {
    std::array<uint32_t, 2048> histogram{};
    const uint32_t digit_mask = (1u << bits) - 1;
    for (size_t i = 0; i < size; ++i) ++histogram[(keys[i] >> shift) & digit_mask];
    uint32_t digit = digit_mask;
    while (histogram[digit] < count) count -= histogram[digit--];
    prefix |= digit << shift;
    if (shift == 0) break;
    size_t kept = 0;
    for (size_t i = 0; i < size; ++i) {
      uint32_t key = keys[i];
      keys[kept] = key;
      kept += ((key >> shift) & digit_mask) == digit ? 1 : 0;
    }
    size = kept;
  }
  return prefix;
}

}  // namespace

TopResult SelectTop(const float* v, size_t d, size_t count, int32_t* indices,
                    std::vector<uint32_t>* scratch) {
  scratch->resize(d);
  for (size_t i = 0; i < d; ++i) (*scratch)[i] = Key(v[i]);
  const uint32_t threshold = NthKey(*scratch, count);
  size_t above = 0;
  for (size_t i = 0; i < d; ++i) above += Key(v[i]) > threshold ? 1 : 0;
  size_t equal_left = count - above;  // how many at the threshold still fit

  TopResult result{0, -1, -1};
  size_t taken = 0;
  uint32_t below_key = 0;
  int32_t first_equal_outside = -1;
  for (size_t i = 0; i < d; ++i) {
    uint32_t key = Key(v[i]);
    int32_t index = static_cast<int32_t>(i);
    if (key > threshold) {
      indices[taken++] = index;
    } else if (key == threshold) {
      result.lowest_inside = v[i];
      if (equal_left > 0) {
        --equal_left;
        indices[taken++] = index;
      } else if (first_equal_outside < 0) {
        first_equal_outside = index;
      }
    } else if (result.highest_below < 0 || key > below_key) {
      below_key = key;
      result.highest_below = index;
    }
  }
  result.highest_outside = first_equal_outside >= 0 ? first_equal_outside : result.highest_below;
  return result;
}

}  // namespace slm
