#include "numerics/count_tables.h"

#include <algorithm>
#include <type_traits>

namespace slm {
namespace {

// Larger counts are rare, and their logarithms are taken as they come.
constexpr size_t kLogTable = 1 << 16;

double CLogC(double c) { return c > 0 ? c * std::log(c) : 0; }

}  // namespace

CountTables::CountTables(size_t rows, std::span<const float> weights) : weights_(weights) {
  total_ = static_cast<double>(rows);
  if (!weights.empty()) {
    total_ = 0;
    for (float w : weights) total_ += w;
    return;
  }
  c_log_c_.resize(std::min(rows + 1, kLogTable));
  for (size_t c = 0; c < c_log_c_.size(); ++c) c_log_c_[c] = CLogC(static_cast<double>(c));
}

template <class Number, class Code>
std::vector<Number> CountTables::Count(std::span<const uint32_t> keys, size_t key_levels,
                                       std::span<const Code> codes, size_t levels) const {
  std::vector<Number> counts(key_levels * levels);
  for (size_t i = 0; i < keys.size(); ++i) {
    Number weight = 1;
    if constexpr (std::is_floating_point_v<Number>) weight = weights_[i];
    counts[keys[i] * levels + codes[i]] += weight;
  }
  return counts;
}

template <class Number>
double CountTables::SumOver(const std::vector<Number>& counts) const {
  double sum = 0;
  for (Number c : counts) {
    if constexpr (std::is_floating_point_v<Number>) {
      sum += CLogC(c);
    } else {
      sum += c < c_log_c_.size() ? c_log_c_[c] : CLogC(c);
    }
  }
  return sum;
}

template <class Number>
CountTables::Nested CountTables::SumNestedOf(std::vector<Number> counts, size_t outer_levels,
                                             size_t inner_levels, size_t levels) const {
  Nested nested = {.all = SumOver(counts)};
  std::vector<Number> outer(outer_levels * levels);
  for (size_t o = 0; o < outer_levels; ++o) {
    for (size_t i = 0; i < inner_levels; ++i) {
      const Number* from = &counts[(o * inner_levels + i) * levels];
      for (size_t c = 0; c < levels; ++c) outer[o * levels + c] += from[c];
    }
  }
  nested.outer = SumOver(outer);
  return nested;
}

CountTables::Nested CountTables::SumNested(std::span<const uint32_t> keys, size_t outer_levels,
                                           size_t inner_levels, std::span<const uint8_t> codes,
                                           size_t levels) const {
  const size_t key_levels = outer_levels * inner_levels;
  return weights_.empty() ? SumNestedOf(Count<uint32_t>(keys, key_levels, codes, levels),
                                        outer_levels, inner_levels, levels)
                          : SumNestedOf(Count<double>(keys, key_levels, codes, levels),
                                        outer_levels, inner_levels, levels);
}

template <class Code>
double CountTables::Sum(std::span<const uint32_t> keys, size_t key_levels,
                        std::span<const Code> codes, size_t levels) const {
  return weights_.empty() ? SumOver(Count<uint32_t>(keys, key_levels, codes, levels))
                          : SumOver(Count<double>(keys, key_levels, codes, levels));
}

template double CountTables::Sum<uint8_t>(std::span<const uint32_t>, size_t,
                                          std::span<const uint8_t>, size_t) const;
template double CountTables::Sum<uint32_t>(std::span<const uint32_t>, size_t,
                                           std::span<const uint32_t>, size_t) const;

}  // namespace slm
