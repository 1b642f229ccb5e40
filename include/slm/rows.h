#pragma once

// Access to the rows of a dataset, wherever they are kept.
//
// Training and judges ask for batches of rows (Gather), statistics for passes over all of them in
// their order (ForEachBlock; for sums, base/row_reduction.h). A method that needs every row at
// once says so by calling InMemory, the one call that a source may refuse. The matrix in memory is
// the source that MakeRows gives.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "slm/matrix.h"

namespace slm {

// Columns to gather, prepared once for many batches.
class ColumnSet {
 public:
  ColumnSet() = default;
  ColumnSet(std::span<const int32_t> columns, size_t of) { Assign(columns, of); }
  // All columns of a matrix with so many.
  static ColumnSet All(size_t columns);

  // Columns of a matrix with `of` columns in padded rows (see slm/matrix.h).
  void Assign(std::span<const int32_t> columns, size_t of);

  size_t size() const { return size_; }
  std::span<const int32_t> columns() const { return {padded_.data(), size_}; }
  // The columns, filled up to whole vectors with others of the same matrix.
  const int32_t* padded() const { return padded_.data(); }
  // The first column of each vector whose columns lie side by side, else -1.
  const int32_t* runs() const { return runs_.data(); }
  // Whether there is a vector whose columns do not lie side by side.
  bool scattered() const { return scattered_; }

 private:
  size_t size_ = 0;
  std::vector<int32_t> padded_;
  std::vector<int32_t> runs_;
  bool scattered_ = false;
};

// All calls are const and may be made from several threads at once. Neither the number of rows nor
// any value changes in the life of a source.
class RowSource {
 public:
  virtual ~RowSource() = default;

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  // Floats of a padded row, the stride of every block.
  size_t stride() const { return PaddedWidth(columns_); }

  // out(i, a) = the value of row rows[i] in column a of the set. Rows of `out` are padded; what is
  // written past the last column is undefined, but padding for the set of all columns.
  virtual void Gather(std::span<const int32_t> rows, const ColumnSet& columns,
                      MatrixView<float> out) const = 0;

  // Rows [begin, end) as a padded matrix, valid until the source or `scratch`, where it may have
  // been put, changes.
  virtual MatrixView<const float> Read(size_t begin, size_t end, Matrix& scratch) const = 0;

  // All rows at once, for what cannot be done by batches or passes. Throws an InputError unless
  // in_memory().
  virtual MatrixView<const float> InMemory() const;
  virtual bool in_memory() const { return false; }

 protected:
  RowSource(size_t rows, size_t columns) : rows_(rows), columns_(columns) {}
  RowSource(const RowSource&) = default;
  RowSource& operator=(const RowSource&) = default;

 private:
  size_t rows_;
  size_t columns_;
};

// A matrix in memory. Blocks and InMemory are views of it, without copying.
std::shared_ptr<const RowSource> MakeRows(Matrix values);

// A source of no rows and no columns.
std::shared_ptr<const RowSource> NoRows();

// Row i of `out` becomes row i of the source, in all rows, as Gather would.
void GatherAllRows(const RowSource& source, const ColumnSet& columns, MatrixView<float> out);

// Some columns of all rows: as much memory as they take.
Matrix CopyColumns(const RowSource& source, std::span<const int32_t> columns);

// Rows of a block. Sums over the rows of a block are one chain, so its size decides their bits and
// must never change.
inline constexpr size_t kRowsPerBlock = 65536;

// Calls visit(first row, block) for all rows in their order, kRowsPerBlock at a time.
template <class Visit>
void ForEachBlock(const RowSource& source, Visit&& visit) {
  Matrix scratch;
  for (size_t begin = 0; begin < source.rows(); begin += kRowsPerBlock) {
    const size_t end = std::min(source.rows(), begin + kRowsPerBlock);
    visit(begin, source.Read(begin, end, scratch));
  }
}

}  // namespace slm
