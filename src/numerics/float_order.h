#pragma once

// Sorting of floats with the rows they belong to, by radix: O(n), and stable, so that orders by
// several columns are made by sorting one after the other.

#include <cstdint>
#include <span>
#include <vector>

namespace slm {

// The rows 0 ... n - 1 by ascending value; rows of equal value keep their order in `from`, or
// ascend without it. No NaN; the two zeros are equal. At most 2^32 values.
std::vector<uint32_t> AscendingOrder(std::span<const float> values,
                                     std::span<const uint32_t> from = {});

}  // namespace slm
