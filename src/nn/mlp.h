#pragma once

// The predictors that come with the library: a perceptron with hidden layers of ReLU units, and a
// linear model.

#include <memory>
#include <vector>

#include "nn/layers.h"
#include "slm/predictor.h"

namespace slm {

class Mlp : public Predictor {
 public:
  Mlp(size_t columns, size_t outputs, size_t hidden_layers, size_t hidden_units,
      RandomStream random);

  void Forward(const ActiveInput& input, MatrixView<float> output) override;
  void Backward(const ActiveInput& input, MatrixView<const float> d_output,
                std::span<float> d_scale) override;
  void Step(const ActiveInput& input, const StepSize& size) override;
  std::unique_ptr<Predictor> Clone() const override { return std::make_unique<Mlp>(*this); }

  // The perceptron whose output is the mean of the outputs of `parts`, all of one shape: their
  // hidden units side by side, the layers above block by block.
  static std::unique_ptr<Mlp> AverageOf(std::span<const Mlp* const> parts);

  // Writes or reads weights and the state of the optimiser, for one of the same shape.
  void Serialize(Archive& archive);

  InputLayer& input_layer() { return input_layer_; }
  const InputLayer& input_layer() const { return input_layer_; }
  std::vector<DenseLayer>& dense_layers() { return dense_layers_; }
  const std::vector<DenseLayer>& dense_layers() const { return dense_layers_; }

 private:
  Mlp() = default;

  InputLayer input_layer_;
  std::vector<DenseLayer> dense_layers_;  // the last one gives the output
  std::vector<Matrix> hidden_;  // activations of each hidden layer; their gradients after Backward
  AdamClock clock_;
};

// Starts from zero: there is no symmetry to break, and a random weight of the wrong sign would tell
// the mask that its column does harm.
class Linear : public Predictor {
 public:
  Linear(size_t columns, size_t outputs) : layer_(columns, outputs) {}

  void Forward(const ActiveInput& input, MatrixView<float> output) override {
    layer_.Forward(input, /*relu=*/false, output);
  }
  void Backward(const ActiveInput& input, MatrixView<const float> d_output,
                std::span<float> d_scale) override {
    layer_.Backward(input, d_output, d_scale);
  }
  void Step(const ActiveInput& input, const StepSize& size) override {
    clock_.Tick(size);
    layer_.Step(input, clock_);
  }
  std::unique_ptr<Predictor> Clone() const override { return std::make_unique<Linear>(*this); }

  void Serialize(Archive& archive);

  InputLayer& layer() { return layer_; }
  const InputLayer& layer() const { return layer_; }

 private:
  InputLayer layer_;
  AdamClock clock_;
};

// One predictor that gives the mean output of several of one shape, made by MakePredictor.
std::unique_ptr<Predictor> AverageOf(std::span<const Predictor* const> parts);

// A linear model for no hidden layers, else a perceptron.
std::unique_ptr<Predictor> MakePredictor(size_t columns, size_t outputs, int hidden_layers,
                                         int hidden_units, RandomStream random);

// The caller's own kind of predictor where there is one, else that of the other MakePredictor.
std::unique_ptr<Predictor> MakePredictor(const PredictorFactory& own, size_t columns,
                                         size_t outputs, int hidden_layers, int hidden_units,
                                         RandomStream random);

}  // namespace slm
