#include "slm/rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/vector_ops.h"
#include "slm/errors.h"

namespace slm {
namespace {

class MatrixRows : public RowSource {
 public:
  explicit MatrixRows(Matrix values)
      : RowSource(values.rows(), values.cols()), values_(std::move(values)) {}

  void Gather(std::span<const int32_t> rows, const ColumnSet& columns,
              MatrixView<float> out) const override {
    slm::Gather({.x = values_.data(),
                 .x_stride = values_.stride(),
                 .rows = rows.data(),
                 .row_count = rows.size(),
                 .columns = columns.padded(),
                 .runs = columns.runs(),
                 .column_count = columns.size(),
                 .out = out.data,
                 .out_stride = out.stride});
  }

  MatrixView<const float> Read(size_t begin, size_t end, Matrix&) const override {
    return {values_.row(begin), end - begin, values_.cols(), values_.stride()};
  }

  MatrixView<const float> InMemory() const override { return values_.view(); }
  bool in_memory() const override { return true; }

 private:
  Matrix values_;
};

}  // namespace

MatrixView<const float> RowSource::InMemory() const {
  throw DataError(
      "this method needs all rows in memory at once, and they are not; take a sample of the rows, "
      "or a method that reads them in passes (slm, anova, fisher, variance, omp, linear, lasso)");
}

ColumnSet ColumnSet::All(size_t columns) {
  std::vector<int32_t> all(columns);
  std::iota(all.begin(), all.end(), 0);
  return ColumnSet(all, columns);
}

// What the lanes past the last column read does not matter, as long as it is inside the row.
void ColumnSet::Assign(std::span<const int32_t> columns, size_t of) {
  const size_t stride = PaddedWidth(of);
  size_ = columns.size();
  padded_.assign(PaddedWidth(size_), 0);
  std::copy(columns.begin(), columns.end(), padded_.begin());
  runs_.assign(padded_.size() / kLanes, -1);
  scattered_ = false;
  for (size_t r = 0; r < runs_.size(); ++r) {
    const int32_t* first = padded_.data() + r * kLanes;
    const int32_t* last = first + std::min(kLanes, size_ - std::min(size_, r * kLanes));
    const bool side_by_side =
        static_cast<size_t>(*first) + kLanes <= stride &&
        std::adjacent_find(first, last, [](int32_t a, int32_t b) { return b != a + 1; }) == last;
    if (side_by_side) runs_[r] = *first;
    scattered_ |= !side_by_side;
  }
}

void GatherAllRows(const RowSource& source, const ColumnSet& columns, MatrixView<float> out) {
  std::vector<int32_t> rows;
  for (size_t begin = 0; begin < source.rows(); begin += kRowsPerBlock) {
    rows.resize(std::min(kRowsPerBlock, source.rows() - begin));
    std::iota(rows.begin(), rows.end(), static_cast<int32_t>(begin));
    source.Gather(rows, columns, {out.row(begin), rows.size(), out.cols, out.stride});
  }
}

Matrix CopyColumns(const RowSource& source, std::span<const int32_t> columns) {
  Matrix out(source.rows(), columns.size());
  GatherAllRows(source, ColumnSet(columns, source.columns()), out.view());
  // A matrix is zero past its last column.
  for (size_t i = 0; i < out.rows(); ++i) {
    std::fill(out.row(i) + out.cols(), out.row(i) + out.stride(), 0.0f);
  }
  return out;
}

std::shared_ptr<const RowSource> MakeRows(Matrix values) {
  return std::make_shared<MatrixRows>(std::move(values));
}

std::shared_ptr<const RowSource> NoRows() {
  static const std::shared_ptr<const RowSource> none = MakeRows(Matrix());
  return none;
}

}  // namespace slm
