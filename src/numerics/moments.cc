#include "numerics/moments.h"

#include <algorithm>
#include <utility>

#include "base/row_reduction.h"
#include "kernels/products.h"

namespace slm {
namespace {

constexpr size_t kColumnStrip = 64;  // columns of a task

}  // namespace

void TransposedProduct(MatrixView<const float> x, const double* left, size_t left_columns,
                       double* out, ThreadPool& pool) {
  if (left_columns == 0) return;
  const size_t stride = x.stride;
  pool.ParallelFor((stride + kColumnStrip - 1) / kColumnStrip, [&](size_t strip) {
    const size_t begin = strip * kColumnStrip;
    TransposedProduct(ProductArgs{.rows = x.rows,
                                  .left = left,
                                  .left_stride = left_columns,
                                  .left_columns = left_columns,
                                  .x = x.data + begin,
                                  .x_stride = stride,
                                  .width = std::min(kColumnStrip, stride - begin),
                                  .out = out + begin,
                                  .out_stride = stride});
  });
}

std::vector<double> TransposedProduct(const RowSource& x, const double* left, size_t left_columns,
                                      ThreadPool& pool) {
  return SumOverRows(x, std::vector<double>(left_columns * x.stride()),
                     [&](std::vector<double>& sums, size_t first, MatrixView<const float> block) {
                       TransposedProduct(block, left + first * left_columns, left_columns,
                                         sums.data(), pool);
                     });
}

Moments::Moments(const Dataset& data, ThreadPool& pool)
    : data_(data), pool_(pool), stride_(data.x->stride()), outputs_(data.y.outputs()) {
  const size_t columns = data.x->columns(), strips = (columns + kColumnStrip - 1) / kColumnStrip;
  const bool classes = data.y.has_classes();
  auto output = [&](size_t i) { return classes ? static_cast<size_t>(data.y.index[i]) : 0; };
  auto label = [&](size_t i) { return classes ? 1.0 : data.y.value[i]; };
  output_means_.resize(outputs_);
  gram_.resize(columns);
  // The weight, then for each output the sums and those of squares.
  const std::vector<double> labels =
      SumOverRange(data.rows(), std::vector<double>(1 + 2 * outputs_),
                   [&](std::vector<double>& sums, size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) {
                       const double w = data.RowWeight(i), y = label(i);
                       sums[0] += w;
                       sums[1 + output(i)] += w * y;
                       sums[1 + outputs_ + output(i)] += w * y * y;
                     }
                   });
  weight_ = labels[0];
  for (size_t o = 0; o < outputs_; ++o) {
    output_means_[o] = labels[1 + o] / weight_;
    total_ += labels[1 + outputs_ + o] - weight_ * output_means_[o] * output_means_[o];
  }
  means_ = SumOverRows(*data.x, std::vector<double>(columns),
                       [&](std::vector<double>& sums, size_t first, MatrixView<const float> block) {
                         pool.ParallelFor(strips, [&](size_t strip) {
                           const size_t begin = strip * kColumnStrip,
                                        end = std::min(columns, begin + kColumnStrip);
                           for (size_t i = 0; i < block.rows; ++i) {
                             const double w = data.RowWeight(first + i);
                             const float* x = block.row(i);
                             for (size_t j = begin; j < end; ++j) sums[j] += w * x[j];
                           }
                         });
                       });
  for (double& mean : means_) mean /= weight_;
  // The cross products of each output, then the variances.
  cross_ = SumOverRows(*data.x, std::vector<double>((outputs_ + 1) * stride_),
                       [&](std::vector<double>& sums, size_t first, MatrixView<const float> block) {
                         pool.ParallelFor(strips, [&](size_t strip) {
                           const size_t begin = strip * kColumnStrip,
                                        end = std::min(columns, begin + kColumnStrip);
                           double* variances = sums.data() + outputs_ * stride_;
                           for (size_t i = 0; i < block.rows; ++i) {
                             const double w = data.RowWeight(first + i), y = label(first + i);
                             const float* x = block.row(i);
                             double* cross = sums.data() + output(first + i) * stride_;
                             for (size_t j = begin; j < end; ++j) {
                               const double centred = x[j] - means_[j];
                               variances[j] += w * centred * centred;
                               cross[j] += w * y * centred;
                             }
                           }
                         });
                       });
  const auto variances = cross_.begin() + static_cast<std::ptrdiff_t>(outputs_ * stride_);
  variances_.assign(variances, variances + static_cast<std::ptrdiff_t>(columns));
  cross_.resize(outputs_ * stride_);
}

const double* Moments::Gram(size_t column) {
  if (gram_[column].empty()) PrepareGram(std::span(&column, 1));
  return gram_[column].data();
}

std::vector<double> Moments::TakeGram(size_t column) {
  Gram(column);
  return std::move(gram_[column]);
}

std::vector<std::vector<double>> Moments::Blocks(std::span<const int32_t> offsets) const {
  const size_t count = offsets.size() - 1;
  auto width = [&](size_t b) { return static_cast<size_t>(offsets[b + 1] - offsets[b]); };
  std::vector<size_t> start(count + 1);
  for (size_t b = 0; b < count; ++b) {
    start[b + 1] = start[b] + (width(b) > 1 ? width(b) * width(b) : 0);
  }
  if (start[count] == 0) return std::vector<std::vector<double>>(count);
  const std::vector<double> all = SumOverRows(
      *data_.x, std::vector<double>(start[count]),
      [&](std::vector<double>& sums, size_t first, MatrixView<const float> block) {
        pool_.ParallelFor(count, [&](size_t b) {
          if (width(b) <= 1) return;
          const size_t begin = static_cast<size_t>(offsets[b]), n = width(b);
          std::vector<double> centred(n);
          for (size_t i = 0; i < block.rows; ++i) {
            const double w = data_.RowWeight(first + i);
            for (size_t a = 0; a < n; ++a) centred[a] = block(i, begin + a) - means_[begin + a];
            for (size_t a = 0; a < n; ++a) {
              AddScaled(w * centred[a], centred.data(), sums.data() + start[b] + a * n, n);
            }
          }
        });
      });
  std::vector<std::vector<double>> out;
  for (size_t b = 0; b < count; ++b) {
    out.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(start[b]),
                     all.begin() + static_cast<std::ptrdiff_t>(start[b + 1]));
  }
  return out;
}

void Moments::PrepareGram(std::span<const size_t> columns, size_t most) {
  constexpr size_t kBatch = 32;  // bounds the copy of the columns
  std::vector<size_t> missing;
  for (size_t c : columns) {
    if (gram_[c].empty()) missing.push_back(c);
  }
  size_t rows = missing.size();
  for (const std::vector<double>& row : gram_) rows += row.empty() ? 0 : 1;
  if (rows > most / (sizeof(double) * stride_)) {
    std::vector<char> needed(gram_.size());
    for (size_t c : columns) needed[c] = 1;
    for (size_t c = 0; c < gram_.size(); ++c) {
      if (needed[c] == 0) gram_[c] = std::vector<double>();  // "= {}" keeps the memory
    }
  }
  std::vector<double> left;
  for (size_t first = 0; first < missing.size(); first += kBatch) {
    const size_t count = std::min(kBatch, missing.size() - first);
    const std::vector<double> out =
        SumOverRows(*data_.x, std::vector<double>(count * stride_),
                    [&](std::vector<double>& sums, size_t row, MatrixView<const float> block) {
                      left.resize(block.rows * count);
                      for (size_t i = 0; i < block.rows; ++i) {
                        const double w = data_.RowWeight(row + i);
                        for (size_t a = 0; a < count; ++a) {
                          const size_t c = missing[first + a];
                          left[i * count + a] = w * (block(i, c) - means_[c]);
                        }
                      }
                      TransposedProduct(block, left.data(), count, sums.data(), pool_);
                    });
    for (size_t a = 0; a < count; ++a) {
      const auto row = out.begin() + static_cast<std::ptrdiff_t>(a * stride_);
      gram_[missing[first + a]].assign(row, row + static_cast<std::ptrdiff_t>(stride_));
    }
  }
}

}  // namespace slm
