#pragma once

// Contingency tables of codes, and the sums of c log c over their cells, from which every entropy
// of discrete columns follows: with N rows in all, H = log N - sum / N.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slm {

class CountTables {
 public:
  // Weights of the rows, or none; equal weights are counted in integers, with logarithms from a
  // table, which is several times as fast.
  CountTables(size_t rows, std::span<const float> weights);

  // The sum over the cells of (key, code), codes being bytes or words. O(rows + key_levels *
  // levels).
  template <class Code>
  double Sum(std::span<const uint32_t> keys, size_t key_levels, std::span<const Code> codes,
             size_t levels) const;

  // The same of (key, code) and, where keys are (outer, inner) = outer * inner_levels + inner, also
  // of (outer, code).
  struct Nested {
    double all = 0;
    double outer = 0;
  };
  Nested SumNested(std::span<const uint32_t> keys, size_t outer_levels, size_t inner_levels,
                   std::span<const uint8_t> codes, size_t levels) const;

  double total() const { return total_; }
  double Entropy(double sum) const { return std::max(0.0, std::log(total_) - sum / total_); }

 private:
  template <class Number, class Code>
  std::vector<Number> Count(std::span<const uint32_t> keys, size_t key_levels,
                            std::span<const Code> codes, size_t levels) const;
  template <class Number>
  double SumOver(const std::vector<Number>& counts) const;
  template <class Number>
  Nested SumNestedOf(std::vector<Number> counts, size_t outer_levels, size_t inner_levels,
                     size_t levels) const;

  std::span<const float> weights_;
  double total_ = 0;
  std::vector<double> c_log_c_;
};

}  // namespace slm
