#pragma once

// Weighted second moments of a dataset around its means, in double: all that least squares needs to
// know of the rows. Labels are the value, or one output for each class (1 for the row's own).

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "slm/problem.h"

namespace slm {

// A column is dependent on others when what they leave of it is this share of its variance.
inline constexpr double kDependent = 1e-10;

class Moments {
 public:
  // Two passes over the data. Both references must outlive this object.
  Moments(const Dataset& data, ThreadPool& pool);

  size_t columns() const { return variances_.size(); }
  size_t stride() const { return stride_; }  // of rows below; columns past the last are 0
  size_t outputs() const { return outputs_; }

  // For each column j: sum over rows of w (y_o - mean of y_o) x_j.
  const double* Cross(size_t output) const { return cross_.data() + output * stride_; }
  // Sum over rows and outputs of w (y - mean)^2.
  double total() const { return total_; }
  double weight() const { return weight_; }
  double mean(size_t column) const { return means_[column]; }
  double output_mean(size_t output) const { return output_means_[output]; }
  // Sum over rows of w (x_j - mean)^2.
  double variance(size_t column) const { return variances_[column]; }

  // Row c of the Gram matrix: for each column j, sum over rows of w (x_c - mean_c) (x_j - mean_j).
  // Rows are computed when first asked for, a pass over the data each; several at once cost less.
  const double* Gram(size_t column);
  void PrepareGram(std::span<const size_t> columns) { PrepareGram(columns, SIZE_MAX); }
  // Where all rows would take more than `most` bytes, only those of `columns` are kept. They have
  // the same bits when they are computed again.
  void PrepareGram(std::span<const size_t> columns, size_t most);
  // The same for one who needs it once: not kept.
  std::vector<double> TakeGram(size_t column);

  // The parts of the Gram matrix in columns [offsets[b], offsets[b + 1]), each row by row; none for
  // single columns. One pass over the data for all of them.
  std::vector<std::vector<double>> Blocks(std::span<const int32_t> offsets) const;

 private:
  const Dataset& data_;
  ThreadPool& pool_;
  size_t stride_;
  size_t outputs_;
  double weight_ = 0;
  double total_ = 0;
  std::vector<double> means_, variances_, output_means_;
  std::vector<double> cross_;
  std::vector<std::vector<double>> gram_;
};

// out(a, j) = sum over i of left(i, a) x(i, j) on all threads; rows of `left` and `out` are
// `left_columns` and the stride of x long.
void TransposedProduct(MatrixView<const float> x, const double* left, size_t left_columns,
                       double* out, ThreadPool& pool);

// The same over all rows of a source, in one pass.
std::vector<double> TransposedProduct(const RowSource& x, const double* left, size_t left_columns,
                                      ThreadPool& pool);

}  // namespace slm
