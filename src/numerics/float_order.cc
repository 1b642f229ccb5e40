#include "numerics/float_order.h"

#include <array>
#include <bit>

namespace slm {
namespace {

constexpr int kDigits = 3;
constexpr int kDigitBits = 11;
constexpr uint32_t kDigitMask = (1u << kDigitBits) - 1;

// Unsigned integers in the order of the floats.
uint32_t OrderedBits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value + 0.0f);
  return bits ^ (bits >> 31 != 0 ? 0xffffffffu : 0x80000000u);
}

struct Item {
  uint32_t key;
  uint32_t row;
};

}  // namespace

std::vector<uint32_t> AscendingOrder(std::span<const float> values,
                                     std::span<const uint32_t> from) {
  const size_t n = values.size();
  std::vector<Item> items(n), other(n);
  std::array<std::vector<uint32_t>, kDigits> starts;
  for (auto& digit : starts) digit.resize(kDigitMask + 2);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t row = from.empty() ? static_cast<uint32_t>(i) : from[i];
    const uint32_t key = OrderedBits(values[row]);
    items[i] = {key, row};
    for (int d = 0; d < kDigits; ++d) {
      ++starts[static_cast<size_t>(d)][(key >> (d * kDigitBits) & kDigitMask) + 1];
    }
  }
  for (int d = 0; d < kDigits; ++d) {
    std::vector<uint32_t>& start = starts[static_cast<size_t>(d)];
    for (size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
    for (const Item& item : items) other[start[item.key >> (d * kDigitBits) & kDigitMask]++] = item;
    items.swap(other);
  }
  std::vector<uint32_t> order;
  order.reserve(n);
  for (const Item& item : items) order.push_back(item.row);
  return order;
}

}  // namespace slm
