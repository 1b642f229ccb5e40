#pragma once

// Columns on the scale of a standard normal variable, by rank: whatever the tails of a column, its
// scores are those of the normal distribution, and depend on its order alone.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "slm/matrix.h"

namespace slm {

// Rows of a column by their value, equal ones in their order.
std::vector<int32_t> RowsByValue(const Matrix& x, size_t column);

// The two values of a column, ascending; false if it has another number of them.
bool HasTwoValues(const Matrix& x, size_t column, float* low, float* high);

// Equal values share the mean of their scores. A column of two values stays as it is, but for its
// mean and scale.
class NormalScores {
 public:
  struct Column {
    bool two_valued = false;
    float low = 0, high = 0;  // of two values
    double mean = 0, scale = 1;
  };

  // Learns means and scales: the columns of Apply(x) have mean 0 and variance 1.
  static NormalScores Fit(const Matrix& x, ThreadPool& pool);
  // Rows are ranked among themselves.
  Matrix Apply(const Matrix& x, ThreadPool& pool) const;

  const std::vector<Column>& columns() const { return columns_; }

 private:
  std::vector<Column> columns_;
};

}  // namespace slm
