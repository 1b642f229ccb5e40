#include "nn/layers.h"

#include <cmath>

#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace slm {
namespace {

// He's initialisation: normal with variance 2 / inputs.
void Initialise(Matrix& w, size_t inputs, RandomStream random) {
  double deviation = std::sqrt(2.0 / static_cast<double>(inputs));
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j) {
      w(i, j) = static_cast<float>(deviation * random.Normal());
    }
  }
}

GemmEpilogue Activation(bool relu) { return relu ? GemmEpilogue::kBiasRelu : GemmEpilogue::kBias; }

}  // namespace

InputLayer::InputLayer(size_t columns, size_t outputs)
    : weights_(columns, outputs), bias_(1, outputs), scaled_(columns, outputs) {}

InputLayer::InputLayer(size_t columns, size_t outputs, RandomStream random)
    : InputLayer(columns, outputs) {
  Initialise(weights_.w, columns, random);
}

WeightRows InputLayer::ActiveRows(const ActiveInput& input) const {
  return {weights_.w.data(), weights_.w.stride(), input.columns.data(), input.columns.size()};
}

void InputLayer::Forward(const ActiveInput& input, bool relu, MatrixView<float> y) {
  const size_t width = weights_.w.stride();
  const bool plain = input.scale.empty();
  if (!plain) ScaleRows(ActiveRows(input), input.scale.data(), scaled_.data());
  Gemm({.m = input.x.rows,
        .n = width,
        .k = input.columns.size(),
        .a = input.x.data,
        .a_stride = input.x.stride,
        .b = plain ? weights_.w.data() : scaled_.data(),
        .b_stride = width,
        .c = y.data,
        .c_stride = y.stride,
        .epilogue = Activation(relu),
        .bias = bias_.w.data()});
}

void InputLayer::Backward(const ActiveInput& input, MatrixView<const float> dy,
                          std::span<float> d_scale) {
  const size_t width = weights_.w.stride();
  Gemm({.m = input.columns.size(),
        .n = width,
        .k = input.x.rows,
        .a = input.x.data,
        .a_stride = input.x.stride,
        .a_transposed = true,
        .b = dy.data,
        .b_stride = dy.stride,
        .c = weights_.gradient.data(),
        .c_stride = width});
  if (!d_scale.empty()) RowDots(ActiveRows(input), weights_.gradient.data(), d_scale.data());
  ColumnSums(dy.data, dy.stride, dy.rows, width, bias_.gradient.data());
}

void InputLayer::Step(const ActiveInput& input, const AdamClock& clock) {
  const size_t width = weights_.w.stride();
  for (size_t a = 0; a < input.columns.size(); ++a) {
    size_t row = static_cast<size_t>(input.columns[a]);
    clock.Apply(weights_.w.row(row), weights_.m.row(row), weights_.v.row(row),
                weights_.gradient.row(a), input.scale[a], width);
  }
  bias_.Step(clock);
}

DenseLayer::DenseLayer(size_t inputs, size_t outputs)
    : weights_(inputs, outputs), bias_(1, outputs), transposed_(outputs, inputs) {}

DenseLayer::DenseLayer(size_t inputs, size_t outputs, RandomStream random)
    : DenseLayer(inputs, outputs) {
  Initialise(weights_.w, inputs, random);
}

void DenseForward(MatrixView<const float> x, const Matrix& w, const float* bias,
                  GemmEpilogue epilogue, MatrixView<float> y) {
  Gemm({.m = x.rows,
        .n = w.stride(),
        .k = w.rows(),
        .a = x.data,
        .a_stride = x.stride,
        .b = w.data(),
        .b_stride = w.stride(),
        .c = y.data,
        .c_stride = y.stride,
        .epilogue = epilogue,
        .bias = bias});
}

void DenseLayer::Forward(MatrixView<const float> x, bool relu, MatrixView<float> y) {
  DenseForward(x, weights_.w, bias_.w.data(), Activation(relu), y);
}

void DenseLayer::Backward(MatrixView<float> x, MatrixView<const float> dy) {
  const Matrix& w = weights_.w;
  Gemm({.m = w.rows(),
        .n = w.stride(),
        .k = x.rows,
        .a = x.data,
        .a_stride = x.stride,
        .a_transposed = true,
        .b = dy.data,
        .b_stride = dy.stride,
        .c = weights_.gradient.data(),
        .c_stride = w.stride()});
  ColumnSums(dy.data, dy.stride, dy.rows, w.stride(), bias_.gradient.data());
  Transpose(w.data(), w.stride(), w.rows(), w.cols(), transposed_.data(), transposed_.stride());
  Gemm({.m = dy.rows,
        .n = transposed_.stride(),
        .k = w.cols(),
        .a = dy.data,
        .a_stride = dy.stride,
        .b = transposed_.data(),
        .b_stride = transposed_.stride(),
        .c = x.data,
        .c_stride = x.stride,
        .epilogue = GemmEpilogue::kReluGrad,
        .mask = x.data,
        .mask_stride = x.stride});
}

void DenseLayer::Step(const AdamClock& clock) {
  weights_.Step(clock);
  bias_.Step(clock);
}

}  // namespace slm
