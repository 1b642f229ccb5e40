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

  // The parts of every column, in one pass over the rows; with a context it works in parallel, and
  // once that says to stop, columns not reached count as constant.
  std::vector<VarianceParts> OfColumns(const Context* context = nullptr) const;

  // The F statistic; finite also where nothing is left unexplained.
  double F(const VarianceParts& parts) const;

 private:
  struct GroupedRows;

  double Weight(size_t row) const { return data_.weight.empty() ? 1 : data_.weight[row]; }
  size_t Group(size_t row) const { return by_class_ ? static_cast<size_t>(data_.y.index[row]) : 0; }
  GroupedRows GroupRows(size_t first, size_t rows) const;
  void AddStrip(const GroupedRows& grouped, size_t first, MatrixView<const float> block,
                size_t column, size_t columns, std::span<double> sums) const;
  void Finish(std::span<const double> sums, std::span<VarianceParts> parts) const;

  const Dataset& data_;
  bool by_class_;
  std::vector<double> class_weights_;  // one entry for a value
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

// So many rows, evenly spread over the source, of each of the encoded columns: one column after
// another, each centred and of length one, or all zero for a constant. The product of two of them
// is the correlation of their columns.
std::vector<double> UnitColumns(const RowSource& source, std::span<const int32_t> columns,
                                size_t rows);

}  // namespace slm
