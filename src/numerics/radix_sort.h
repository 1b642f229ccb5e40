#pragma once

// Sorting of many short lists of integers, where std::sort would spend its time on wrong guesses of
// the branch predictor.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace slm {

// Sorts keys that differ only in the bits from `low` on; keys that agree there must stand in their
// final order already (the sort is stable). `scratch` is as long as `keys`; the sorted keys end up
// in one of the two, which is returned. Costs one pass for each eight bits between the smallest and
// the largest key.
template <std::unsigned_integral Key>
std::span<Key> RadixSort(std::span<Key> keys, std::span<Key> scratch, int low) {
  constexpr size_t kInsertion = 40;  // below, shifting a few neighbours beats counting
  const size_t n = keys.size();
  if (n < kInsertion) {
    for (size_t i = 1; i < n; ++i) {
      const Key key = keys[i];
      size_t at = i;
      for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
      keys[at] = key;
    }
    return keys;
  }
  Key all = 0, common = std::numeric_limits<Key>::max();
  for (Key key : keys) {
    all |= key;
    common &= key;
  }
  // Bits in which all keys agree need no pass.
  const int bits = static_cast<int>(std::bit_width(static_cast<Key>((all ^ common) >> low)));
  const int passes = (bits + 7) / 8;
  const int digit = passes == 0 ? 0 : (bits + passes - 1) / passes;
  const Key mask = static_cast<Key>((Key{1} << digit) - 1);
  uint32_t start[256];
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = low + pass * digit;
    std::fill_n(start, size_t{1} << digit, 0u);
    for (Key key : keys) ++start[(key >> shift) & mask];
    uint32_t sum = 0;
    for (size_t b = 0; b <= mask; ++b) sum += std::exchange(start[b], sum);
    for (Key key : keys) scratch[start[(key >> shift) & mask]++] = key;
    std::swap(keys, scratch);
  }
  return keys;
}

}  // namespace slm
