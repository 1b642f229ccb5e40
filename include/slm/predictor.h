#pragma once

// The model behind the mask: anything trained by gradients. Implement it to bring your own.
//
// A predictor sees only the active columns of a batch. The mask does not scale the data but arrives
// as one weight for each active column, which the predictor folds into its first layer:
// its input is x(i, a) * scale[a].

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "slm/matrix.h"

namespace slm {

struct ActiveInput {
  MatrixView<const float> x;         // batch rows x active columns; padding to the stride is zero
  std::span<const int32_t> columns;  // which of the predictor's columns each of them is, ascending
  std::span<const float> scale;      // the mask's weight for each of them
};

// One step of the optimiser, decided by the trainer.
struct StepSize {
  double learning_rate;
  double l2 = 0;  // weight decay added to the gradient: l2 * weight
};

class Predictor {
 public:
  virtual ~Predictor() = default;

  // Scores for the batch: a logit for each class, or the value. `output` has a row for each row of
  // the input.
  virtual void Forward(const ActiveInput& input, MatrixView<float> output) = 0;

  // Given d loss / d output of the latest Forward on the same input, writes d loss / d scale and
  // keeps the gradients of the parameters for Step.
  virtual void Backward(const ActiveInput& input, MatrixView<const float> d_output,
                        std::span<float> d_scale) = 0;

  // Moves the parameters along the gradients of the latest Backward.
  virtual void Step(const ActiveInput& input, const StepSize& size) = 0;

  virtual std::unique_ptr<Predictor> Clone() const = 0;
};

// Makes a fresh predictor for so many encoded columns and outputs; the same seed, the same
// predictor.
using PredictorFactory =
    std::function<std::unique_ptr<Predictor>(size_t columns, size_t outputs, uint64_t seed)>;

// A trained predictor and what it reads.
struct Model {
  std::unique_ptr<Predictor> predictor;
  std::vector<int32_t> columns;  // encoded columns of the problem, ascending
  std::vector<int32_t> inputs;   // what the predictor calls each of them
  std::vector<float> scale;      // the weight of each
};

}  // namespace slm
