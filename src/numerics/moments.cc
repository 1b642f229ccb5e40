#include "numerics/moments.h"

#include <algorithm>
#include <utility>

#include "kernels/products.h"

namespace slm {
namespace {

constexpr size_t kStrip = 64;  // columns of a task

double RowWeight(const Dataset& data, size_t row) {
  return data.weight.empty() ? 1.0 : data.weight[row];
}

}  // namespace

void TransposedProduct(MatrixView<const float> x, const double* left, size_t left_columns,
                       double* out, ThreadPool& pool) {
  if (left_columns == 0) return;
  const size_t stride = x.stride;
  pool.ParallelFor((stride + kStrip - 1) / kStrip, [&](size_t strip) {
    const size_t begin = strip * kStrip;
    TransposedProduct(ProductArgs{.rows = x.rows,
                                  .left = left,
                                  .left_stride = left_columns,
                                  .left_columns = left_columns,
                                  .x = x.data + begin,
                                  .x_stride = stride,
                                  .width = std::min(kStrip, stride - begin),
                                  .out = out + begin,
                                  .out_stride = stride});
  });
}

Moments::Moments(const Dataset& data, ThreadPool& pool)
    : data_(data), pool_(pool), stride_(data.x->stride()), outputs_(data.y.outputs()) {
  const size_t columns = data.x->columns(), rows = data.rows();
  const bool classes = data.y.has_classes();
  means_.resize(columns);
  variances_.resize(columns);
  output_means_.resize(outputs_);
  cross_.resize(outputs_ * stride_);
  gram_.resize(columns);
  std::vector<double> squares(outputs_);
  const MatrixView<const float> all = data.x->InMemory();
  for (size_t i = 0; i < rows; ++i) {
    const double w = RowWeight(data, i);
    const size_t output = classes ? static_cast<size_t>(data.y.index[i]) : 0;
    const double y = classes ? 1.0 : data.y.value[i];
    weight_ += w;
    output_means_[output] += w * y;
    squares[output] += w * y * y;
  }
  for (size_t o = 0; o < outputs_; ++o) {
    output_means_[o] /= weight_;
    total_ += squares[o] - weight_ * output_means_[o] * output_means_[o];
  }
  pool.ParallelFor((columns + kStrip - 1) / kStrip, [&](size_t strip) {
    const size_t begin = strip * kStrip, end = std::min(columns, begin + kStrip);
    for (size_t i = 0; i < rows; ++i) {
      const double w = RowWeight(data, i);
      const float* x = all.row(i);
      for (size_t j = begin; j < end; ++j) means_[j] += w * x[j];
    }
    for (size_t j = begin; j < end; ++j) means_[j] /= weight_;
    for (size_t i = 0; i < rows; ++i) {
      const double w = RowWeight(data, i);
      const float* x = all.row(i);
      const size_t output = classes ? static_cast<size_t>(data.y.index[i]) : 0;
      const double y = classes ? 1.0 : data.y.value[i];
      double* cross = cross_.data() + output * stride_;
      for (size_t j = begin; j < end; ++j) {
        const double centred = x[j] - means_[j];
        variances_[j] += w * centred * centred;
        cross[j] += w * y * centred;
      }
    }
  });
}

const double* Moments::Gram(size_t column) {
  if (gram_[column].empty()) PrepareGram(std::span(&column, 1));
  return gram_[column].data();
}

std::vector<double> Moments::TakeGram(size_t column) {
  Gram(column);
  return std::move(gram_[column]);
}

std::vector<double> Moments::Block(size_t begin, size_t end) const {
  const size_t width = end - begin;
  std::vector<double> out(width * width), centred(width);
  const MatrixView<const float> x = data_.x->InMemory();
  for (size_t i = 0; i < data_.rows(); ++i) {
    for (size_t a = 0; a < width; ++a) centred[a] = x(i, begin + a) - means_[begin + a];
    for (size_t a = 0; a < width; ++a) {
      AddScaled(RowWeight(data_, i) * centred[a], centred.data(), out.data() + a * width, width);
    }
  }
  return out;
}

void Moments::PrepareGram(std::span<const size_t> columns) {
  constexpr size_t kBatch = 32;  // bounds the copy of the columns
  const MatrixView<const float> x = data_.x->InMemory();
  std::vector<size_t> missing;
  for (size_t c : columns) {
    if (gram_[c].empty()) missing.push_back(c);
  }
  for (size_t first = 0; first < missing.size(); first += kBatch) {
    const size_t count = std::min(kBatch, missing.size() - first);
    std::vector<double> left(data_.rows() * count), out(count * stride_);
    for (size_t i = 0; i < data_.rows(); ++i) {
      const double w = RowWeight(data_, i);
      for (size_t a = 0; a < count; ++a) {
        const size_t c = missing[first + a];
        left[i * count + a] = w * (x(i, c) - means_[c]);
      }
    }
    TransposedProduct(x, left.data(), count, out.data(), pool_);
    for (size_t a = 0; a < count; ++a) {
      const auto row = out.begin() + static_cast<std::ptrdiff_t>(a * stride_);
      gram_[missing[first + a]].assign(row, row + static_cast<std::ptrdiff_t>(stride_));
    }
  }
}

}  // namespace slm
