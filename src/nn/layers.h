#pragma once

// The two kinds of layer: the input layer, which sees only the active columns and folds the mask
// into its weights, and the dense layer.

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "nn/adam.h"

namespace slm {

// y = (x diag(scale)) W_S + b for the active rows W_S of W. Three exact savings over a masked dense
// layer: only active columns are multiplied; the mask scales the weights, not the data; and one
// product G = x^T dy gives both gradients,
//   d W_a = scale_a G_a,   d scale_a = <W_a, G_a>,
// so that the gradient of the data is never formed.
class InputLayer {
 public:
  InputLayer() = default;
  InputLayer(size_t columns, size_t outputs);  // all zero
  InputLayer(size_t columns, size_t outputs, RandomStream random);

  size_t outputs() const { return weights_.w.cols(); }
  size_t columns() const { return weights_.w.rows(); }

  // No scales at all stand for ones, if every column is active.
  void Forward(const ActiveInput& input, bool relu, MatrixView<float> y);
  // The weights must not have changed since Forward. d_scale may be empty where nobody asks for it.
  void Backward(const ActiveInput& input, MatrixView<const float> dy, std::span<float> d_scale);
  void Step(const ActiveInput& input, const AdamClock& clock);

  Parameters& weights() { return weights_; }
  Parameters& bias() { return bias_; }
  const Parameters& weights() const { return weights_; }
  const Parameters& bias() const { return bias_; }

 private:
  WeightRows ActiveRows(const ActiveInput& input) const;

  Parameters weights_;  // the gradient's first rows hold G, in the order of the active columns
  Parameters bias_;
  Matrix scaled_;  // diag(scale) W_S
};

// y = x W + b, then what the epilogue does to it.
void DenseForward(MatrixView<const float> x, const Matrix& w, const float* bias,
                  GemmEpilogue epilogue, MatrixView<float> y);

// y = x W + b.
class DenseLayer {
 public:
  DenseLayer() = default;
  DenseLayer(size_t inputs, size_t outputs);  // all zero
  DenseLayer(size_t inputs, size_t outputs, RandomStream random);

  size_t outputs() const { return weights_.w.cols(); }

  void Forward(MatrixView<const float> x, bool relu, MatrixView<float> y);
  // Replaces x, which comes from a ReLU, by d loss / d x, which is zero where x is: one matrix less
  // to keep in the cache.
  void Backward(MatrixView<float> x, MatrixView<const float> dy);
  void Step(const AdamClock& clock);

  Parameters& weights() { return weights_; }
  Parameters& bias() { return bias_; }
  const Parameters& weights() const { return weights_; }
  const Parameters& bias() const { return bias_; }

 private:
  Parameters weights_;
  Parameters bias_;
  Matrix transposed_;
};

}  // namespace slm
