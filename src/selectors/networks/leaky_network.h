#pragma once

// Dense layers with leaky ReLU units and dropout, which hand the gradient on to what feeds them:
// the networks behind a concrete selector layer.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "nn/adam.h"
#include "slm/matrix.h"

namespace slm {

class LeakyNetwork {
 public:
  enum class Last { kLeaky, kLinear };  // what the last layer ends with

  // widths: inputs, each layer's units. Units pass `slope` of what is negative; a share `dropout`
  // of them is silent in training.
  LeakyNetwork(std::span<const size_t> widths, Last last, double slope, double dropout,
               RandomStream random);

  // The output for a batch, valid until the next call. `dropped` draws who is silent.
  MatrixView<const float> Forward(MatrixView<const float> x, RandomStream dropped);
  // Given d loss / d output of the latest Forward on the same x, returns d loss / d x and keeps the
  // gradients of the parameters for Step.
  MatrixView<const float> Backward(MatrixView<const float> x, MatrixView<const float> d_output);
  void Step(const AdamClock& clock);

  struct Layer {
    Parameters weights, bias;
    bool leaky;
    Matrix out;         // of the latest batch
    Matrix derivative;  // of the unit; leaky layers only
    Matrix d_sum;       // d loss / d (x W + b)
    Matrix transposed;
    Matrix d_x;
  };
  std::vector<Layer>& layers() { return layers_; }

 private:
  std::vector<Layer> layers_;
  float slope_;
  double dropout_;
};

}  // namespace slm
