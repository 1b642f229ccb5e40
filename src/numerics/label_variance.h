#pragma once

// How much of the variance of each encoded column the label explains: between the means of the
// classes, or along the line that fits the value. Rows count by their weights.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

// Weighted sums of squares of one column about its mean; both are 0 for a constant.
struct VarianceParts {
  double explained = 0;
  double residual = 0;
};

class LabelVariance {
 public:
  // Keeps a reference to the data.
  explicit LabelVariance(const Dataset& data);

  // The parts of every column. Sums run over the rows in their order, whatever the threads; with a
  // context it works in parallel, and once that says to stop, columns not reached count as
  // constant.
  std::vector<VarianceParts> OfColumns(const Context* context = nullptr) const;

  // The F statistic; finite also where nothing is left unexplained.
  double F(const VarianceParts& parts) const;

 private:
  double Weight(size_t row) const { return data_.weight.empty() ? 1 : data_.weight[row]; }
  void OfBlock(size_t first, std::span<VarianceParts> parts) const;

  const Dataset& data_;
  bool by_class_;
  std::vector<double> class_weights_;  // one entry for a value
  std::vector<size_t> begin_;          // rows_[begin_[c]] is the first row of class c
  std::vector<uint32_t> rows_;         // by class
  double weight_ = 0;                  // of all rows
  double fitted_ = 0;                  // means that are fitted: classes present, or 2 for a line
  double y_sum_ = 0, y_square_ = 0;
};

// The encoded column of each feature with the highest F statistic, and that statistic.
struct Strongest {
  std::vector<int32_t> column;
  std::vector<double> score;
};

Strongest StrongestColumns(const FeatureLayout& layout, const Dataset& data,
                           const Context* context);

// So many rows of an encoded column, centred and of length one; all zero for a constant. The
// product of two of them is the correlation of their columns.
void CopyUnit(MatrixView<const float> x, int32_t column, size_t rows, double* out);

}  // namespace slm
