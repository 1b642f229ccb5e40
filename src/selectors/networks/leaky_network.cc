#include "selectors/networks/leaky_network.h"

#include <cmath>

#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "nn/layers.h"

namespace slm {
namespace {

MatrixView<float> FirstRows(Matrix& matrix, size_t rows, size_t cols) {
  if (matrix.rows() < rows) matrix = Matrix(rows, cols);
  return {matrix.data(), rows, cols, matrix.stride()};
}

}  // namespace

LeakyNetwork::LeakyNetwork(std::span<const size_t> widths, Last last, double slope, double dropout,
                           RandomStream random)
    : slope_(static_cast<float>(slope)), dropout_(dropout) {
  for (size_t l = 0; l + 1 < widths.size(); ++l) {
    const size_t inputs = widths[l], units = widths[l + 1];
    Layer layer{.weights = Parameters(inputs, units),
                .bias = Parameters(1, units),
                .leaky = last == Last::kLeaky || l + 2 < widths.size(),
                .out = {},
                .derivative = {},
                .d_sum = {},
                .transposed = Matrix(units, inputs),
                .d_x = {}};
    // Glorot's uniform initialisation, what the authors' framework starts from.
    RandomStream own = random.Substream(l);
    const double limit = std::sqrt(6.0 / static_cast<double>(inputs + units));
    for (size_t i = 0; i < inputs; ++i) {
      for (size_t j = 0; j < units; ++j) {
        layer.weights.w(i, j) = static_cast<float>(own.Uniform(-limit, limit));
      }
    }
    layers_.push_back(std::move(layer));
  }
}

MatrixView<const float> LeakyNetwork::Forward(MatrixView<const float> x, RandomStream dropped) {
  const float gain = static_cast<float>(1 / (1 - dropout_));
  const uint32_t silent = static_cast<uint32_t>(std::lround(dropout_ * 65536));
  for (Layer& layer : layers_) {
    const Matrix& w = layer.weights.w;
    MatrixView<float> out = FirstRows(layer.out, x.rows, w.cols());
    DenseForward(x, w, layer.bias.w.data(), GemmEpilogue::kBias, out);
    if (layer.leaky) {
      MatrixView<float> derivative = FirstRows(layer.derivative, x.rows, w.cols());
      for (size_t i = 0; i < x.rows; ++i) {
        float *z = out.row(i), *d = derivative.row(i);
        for (size_t j = 0; j < w.cols(); ++j) d[j] = z[j] > 0 ? 1.0f : slope_;
        if (silent > 0) {
          for (size_t j = 0; j < w.cols(); j += 4) {
            uint64_t bits = dropped.Bits();
            for (size_t e = j; e < std::min(j + 4, w.cols()); ++e, bits >>= 16) {
              d[e] *= (bits & 0xffff) < silent ? 0.0f : gain;
            }
          }
        }
        for (size_t j = 0; j < w.cols(); ++j) z[j] *= d[j];
      }
    }
    x = out;
  }
  return x;
}

MatrixView<const float> LeakyNetwork::Backward(MatrixView<const float> x,
                                               MatrixView<const float> d_output) {
  const size_t rows = x.rows;
  MatrixView<const float> dy = d_output;
  for (size_t l = layers_.size(); l-- > 0;) {
    Layer& layer = layers_[l];
    const Matrix& w = layer.weights.w;
    if (layer.leaky) {
      MatrixView<float> d_sum = FirstRows(layer.d_sum, rows, w.cols());
      for (size_t i = 0; i < rows; ++i) {
        const float *d = layer.derivative.row(i), *above = dy.row(i);
        for (size_t j = 0; j < w.cols(); ++j) d_sum(i, j) = above[j] * d[j];
      }
      dy = d_sum;
    }
    const MatrixView<const float> below =
        l == 0 ? x : MatrixView<const float>(FirstRows(layers_[l - 1].out, rows, w.rows()));
    Gemm({.m = w.rows(),
          .n = w.stride(),
          .k = rows,
          .a = below.data,
          .a_stride = below.stride,
          .a_transposed = true,
          .b = dy.data,
          .b_stride = dy.stride,
          .c = layer.weights.gradient.data(),
          .c_stride = w.stride()});
    ColumnSums(dy.data, dy.stride, rows, w.stride(), layer.bias.gradient.data());
    Transpose(w.data(), w.stride(), w.rows(), w.cols(), layer.transposed.data(),
              layer.transposed.stride());
    MatrixView<float> d_x = FirstRows(layer.d_x, rows, w.rows());
    Gemm({.m = rows,
          .n = layer.transposed.stride(),
          .k = w.cols(),
          .a = dy.data,
          .a_stride = dy.stride,
          .b = layer.transposed.data(),
          .b_stride = layer.transposed.stride(),
          .c = d_x.data,
          .c_stride = d_x.stride});
    dy = d_x;
  }
  return dy;
}

void LeakyNetwork::Step(const AdamClock& clock) {
  for (Layer& layer : layers_) {
    layer.weights.Step(clock);
    layer.bias.Step(clock);
  }
}

}  // namespace slm
