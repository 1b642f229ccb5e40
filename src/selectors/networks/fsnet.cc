#include "selectors/networks/fsnet.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/row_reduction.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "numerics/symmetric_eigen.h"

namespace slm {
namespace {

// The authors' start: uniform between -0.05 and 0.05.
Parameters SmallWeights(size_t rows, size_t cols, RandomStream random) {
  Parameters p(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) p.w(i, j) = static_cast<float>(random.Uniform(-0.05, 0.05));
  }
  return p;
}

// out = histograms x weights.
void Embed(const Matrix& histograms, const Matrix& weights, Matrix& out) {
  Gemm({.m = histograms.rows(),
        .n = weights.stride(),
        .k = histograms.cols(),
        .a = histograms.data(),
        .a_stride = histograms.stride(),
        .b = weights.data(),
        .b_stride = weights.stride(),
        .c = out.data(),
        .c_stride = out.stride()});
}

// The gradient of the weights from that of what Embed gave.
void EmbedBackward(const Matrix& histograms, const Matrix& d_out, Parameters& weights) {
  Gemm({.m = histograms.cols(),
        .n = weights.w.stride(),
        .k = histograms.rows(),
        .a = histograms.data(),
        .a_stride = histograms.stride(),
        .a_transposed = true,
        .b = d_out.data(),
        .b_stride = d_out.stride(),
        .c = weights.gradient.data(),
        .c_stride = weights.gradient.stride()});
}

// Of the rows, in each bin of each column.
struct Shares {
  Matrix by_column;
};

void AddSums(Shares& shares, const Shares& other) {
  Matrix& sum = shares.by_column;
  for (size_t i = 0; i < sum.rows() * sum.stride(); ++i) {
    sum.data()[i] += other.by_column.data()[i];
  }
}

}  // namespace

Matrix ColumnHistograms(const Dataset& data, std::span<const int32_t> columns, int bins) {
  const size_t count = static_cast<size_t>(bins);
  std::vector<float> low(columns.size()), high(columns.size());
  ForEachBlock(*data.x, [&](size_t begin, MatrixView<const float> block) {
    for (size_t i = 0; i < block.rows; ++i) {
      for (size_t a = 0; a < columns.size(); ++a) {
        const float x = block(i, static_cast<size_t>(columns[a]));
        low[a] = begin + i == 0 ? x : std::min(low[a], x);
        high[a] = begin + i == 0 ? x : std::max(high[a], x);
      }
    }
  });
  auto weight = [&](size_t row) { return data.weight.empty() ? 1.0 : double{data.weight[row]}; };
  const double total = SumOverRange(data.rows(), 0.0, [&](double& sum, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) sum += weight(i);
  });
  const double one = total > 0 ? 1 / total : 0;
  Shares shares =
      SumOverRows(*data.x, Shares{Matrix(columns.size(), count)},
                  [&](Shares& own, size_t begin, MatrixView<const float> block) {
                    for (size_t i = 0; i < block.rows; ++i) {
                      const double share = one * weight(begin + i);
                      for (size_t a = 0; a < columns.size(); ++a) {
                        const double width = (static_cast<double>(high[a]) - low[a]) / bins;
                        const double x = block(i, static_cast<size_t>(columns[a]));
                        const double place = width > 0 ? (x - low[a]) / width : 0;
                        const size_t bin = std::min(count - 1, static_cast<size_t>(place));
                        own.by_column(a, bin) += static_cast<float>(share);
                      }
                    }
                  });
  Matrix out = std::move(shares.by_column);
  for (size_t a = 0; a < columns.size(); ++a) {
    const double width = (static_cast<double>(high[a]) - low[a]) / bins;
    for (size_t b = 0; b < count; ++b) {
      out(a, b) *= static_cast<float>(low[a] + (static_cast<double>(b) + 0.5) * width);
    }
  }
  return out;
}

void Whiten(Matrix& rows, const Context& context) {
  constexpr double kLeastShare = 1e-5;  // of the largest variance: the eigenvectors are floats
  const size_t n = rows.cols();
  const double count = static_cast<double>(rows.rows());
  std::vector<double> mean(n), covariance(n * n);
  for (size_t i = 0; i < rows.rows(); ++i) {
    for (size_t b = 0; b < n; ++b) mean[b] += rows(i, b) / count;
  }
  std::vector<double> row(n);
  for (size_t i = 0; i < rows.rows(); ++i) {
    for (size_t b = 0; b < n; ++b) row[b] = rows(i, b) - mean[b];
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = 0; b < n; ++b) covariance[a * n + b] += row[a] * row[b] / count;
    }
  }
  const SymmetricEigen eigen = DecomposeSymmetric(std::move(covariance), n, context);
  if (eigen.values.empty()) return;
  // The symmetric root, E L^(-1/2) E^T, is the one that does not depend on the eigenvectors' signs.
  Matrix root(n, n);
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; b < n; ++b) {
      double sum = 0;
      for (size_t i = 0; i < n; ++i) {
        if (eigen.values[i] <= kLeastShare * eigen.values[0]) break;
        sum += static_cast<double>(eigen.vectors[a * n + i]) * eigen.vectors[b * n + i] /
               std::sqrt(eigen.values[i]);
      }
      root(a, b) = static_cast<float>(sum);
    }
  }
  for (size_t i = 0; i < rows.rows(); ++i) {
    for (size_t b = 0; b < n; ++b) rows(i, b) -= static_cast<float>(mean[b]);
  }
  Matrix white(rows.rows(), n);
  Embed(rows, root, white);
  rows = std::move(white);
}

SelectorPredictor::SelectorPredictor(Matrix histograms, size_t nodes, RandomStream random)
    : histograms_(std::move(histograms)),
      weights_(SmallWeights(histograms_.cols(), nodes, random)),
      by_feature_(histograms_.rows(), nodes),
      logits_(nodes, histograms_.rows()) {}

const Matrix& SelectorPredictor::Predict() {
  Embed(histograms_, weights_.w, by_feature_);
  Transpose(by_feature_.data(), by_feature_.stride(), by_feature_.rows(), by_feature_.cols(),
            logits_.data(), logits_.stride());
  return logits_;
}

void SelectorPredictor::Backward(const Matrix& d_logits) {
  Transpose(d_logits.data(), d_logits.stride(), d_logits.rows(), d_logits.cols(),
            by_feature_.data(), by_feature_.stride());
  EmbedBackward(histograms_, by_feature_, weights_);
}

void SelectorPredictor::Step(const AdamClock& clock) { weights_.Step(clock); }

ReconstructionPredictor::ReconstructionPredictor(Matrix histograms, size_t inputs,
                                                 RandomStream random)
    : histograms_(std::move(histograms)),
      weights_(SmallWeights(histograms_.cols(), inputs, random)),
      predicted_(histograms_.rows(), inputs),
      transposed_(inputs, histograms_.rows()),
      d_transposed_(inputs, histograms_.rows()) {}

MatrixView<const float> ReconstructionPredictor::Forward(MatrixView<const float> h) {
  Embed(histograms_, weights_.w, predicted_);
  Tanh(predicted_.data(), predicted_.rows() * predicted_.stride(), predicted_.data());
  Transpose(predicted_.data(), predicted_.stride(), predicted_.rows(), predicted_.cols(),
            transposed_.data(), transposed_.stride());
  if (made_.rows() < h.rows) made_ = Matrix(h.rows, predicted_.rows());
  Gemm({.m = h.rows,
        .n = transposed_.stride(),
        .k = transposed_.rows(),
        .a = h.data,
        .a_stride = h.stride,
        .b = transposed_.data(),
        .b_stride = transposed_.stride(),
        .c = made_.data(),
        .c_stride = made_.stride()});
  return {made_.data(), h.rows, made_.cols(), made_.stride()};
}

MatrixView<const float> ReconstructionPredictor::Backward(MatrixView<const float> h,
                                                          MatrixView<const float> d_made) {
  if (d_h_.rows() < h.rows) d_h_ = Matrix(h.rows, predicted_.cols());
  Gemm({.m = h.rows,
        .n = predicted_.stride(),
        .k = predicted_.rows(),
        .a = d_made.data,
        .a_stride = d_made.stride,
        .b = predicted_.data(),
        .b_stride = predicted_.stride(),
        .c = d_h_.data(),
        .c_stride = d_h_.stride()});
  Gemm({.m = transposed_.rows(),
        .n = transposed_.stride(),
        .k = h.rows,
        .a = h.data,
        .a_stride = h.stride,
        .a_transposed = true,
        .b = d_made.data,
        .b_stride = d_made.stride,
        .c = d_transposed_.data(),
        .c_stride = d_transposed_.stride()});
  for (size_t i = 0; i < transposed_.rows(); ++i) {
    const float* t = transposed_.row(i);
    float* d = d_transposed_.row(i);
    for (size_t c = 0; c < transposed_.cols(); ++c) d[c] *= 1 - t[c] * t[c];
  }
  // What was predicted is not needed any more, so its place holds the gradient.
  Transpose(d_transposed_.data(), d_transposed_.stride(), d_transposed_.rows(),
            d_transposed_.cols(), predicted_.data(), predicted_.stride());
  EmbedBackward(histograms_, predicted_, weights_);
  return {d_h_.data(), h.rows, d_h_.cols(), d_h_.stride()};
}

void ReconstructionPredictor::Step(const AdamClock& clock) { weights_.Step(clock); }

}  // namespace slm
