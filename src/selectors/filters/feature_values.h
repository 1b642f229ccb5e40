#pragma once

// The features of the training rows as estimators of information see them: a discrete part, a
// continuous part, or both.
//
// Text columns and numbers of few values are discrete. Any other number is continuous, and where
// cells of it are missing the indicator is the discrete part beside it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "slm/problem.h"

namespace slm {

struct FeatureValues {
  std::vector<uint32_t> codes;  // of the discrete part: 0 ... levels - 1
  size_t levels = 1;
  std::vector<std::span<const float>> numbers;  // the continuous columns: none or one, more only
                                                // where a caller's layout groups columns
};

class FeatureColumns {
 public:
  // Copies the inputs column by column, without the rows whose weight is 0.
  explicit FeatureColumns(const Problem& problem);

  size_t features() const { return offsets_.size() - 1; }
  size_t rows() const { return rows_.size(); }
  // Which rows of the training data are left.
  const std::vector<uint32_t>& source_rows() const { return rows_; }

  // Columns of at most `discrete_levels` values are discrete. O(rows) for each column.
  FeatureValues Feature(size_t j, size_t discrete_levels) const;

 private:
  std::vector<int32_t> offsets_;
  std::vector<uint32_t> rows_;
  Matrix columns_;  // encoded columns x rows
};

// Splits every code by a second one: equal results are equal in both. Returns the new number of
// levels; numbers ascend with (code, other).
size_t RefineCodes(std::span<uint32_t> codes, size_t levels, std::span<const uint32_t> other,
                   size_t other_levels);

// Numbers of quantile bins, of about equal counts. Equal values share a bin, so that a value which
// fills several leaves the others empty.
std::vector<uint32_t> QuantileBins(std::span<const float> values, size_t bins);

// Codes of at most `most` values, ascending with the value; empty if there are more of them.
std::vector<uint32_t> ValueCodesUpTo(std::span<const float> values, size_t most, size_t* levels);

}  // namespace slm
