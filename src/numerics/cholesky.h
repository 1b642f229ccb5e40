#pragma once

// Cholesky factors in double, grown one row at a time.

#include <cmath>
#include <span>
#include <vector>

#include "kernels/products.h"

namespace slm {

// L with L L' = A for a symmetric positive semidefinite A that arrives row by row.
class Cholesky {
 public:
  size_t size() const { return begin_.size(); }
  // Row r of L, up to its diagonal.
  std::span<const double> Row(size_t r) const { return {values_.data() + begin_[r], r + 1}; }

  // Appends a row of A: its entries beside the rows so far, then the diagonal. Returns false, and
  // leaves the factor alone, where the row depends on the others to within `tolerance` of its
  // diagonal. Costs size()^2 / 2 multiply-adds.
  bool Append(std::span<const double> row, double tolerance = 1e-10) {
    const size_t n = size();
    const size_t start = values_.size();
    values_.insert(values_.end(), row.begin(), row.end());
    double* own = values_.data() + start;
    for (size_t r = 0; r < n; ++r) {
      const double* other = values_.data() + begin_[r];
      own[r] = (own[r] - Dot(own, other, r)) / other[r];
    }
    const double pivot = own[n] - Dot(own, own, n);
    if (!(pivot > tolerance * row[n])) {
      values_.resize(start);
      return false;
    }
    own[n] = std::sqrt(pivot);
    begin_.push_back(start);
    return true;
  }

  // b becomes L^-1 b.
  void SolveLower(double* b) const {
    for (size_t r = 0; r < size(); ++r) {
      const double* row = values_.data() + begin_[r];
      b[r] = (b[r] - Dot(row, b, r)) / row[r];
    }
  }

  // b becomes A^-1 b.
  void Solve(double* b) const {
    SolveLower(b);
    for (size_t r = size(); r-- > 0;) {
      const double* row = values_.data() + begin_[r];
      b[r] /= row[r];
      AddScaled(-b[r], row, b, r);
    }
  }

 private:
  std::vector<double> values_;  // the rows of L, one after the other
  std::vector<size_t> begin_;   // where each starts
};

}  // namespace slm
