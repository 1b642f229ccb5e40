#pragma once

// Adam (Kingma and Ba 2015) for one block of weights. The step counter belongs to the predictor;
// rows of the first layer that are outside the support keep their moments until they return
// ("lazy").

#include "base/archive.h"
#include "slm/matrix.h"
#include "slm/predictor.h"

namespace slm {

// What one step needs beyond the gradient, bias corrections included.
class AdamClock {
 public:
  // Advances by one step.
  void Tick(const StepSize& size);

  // Moves `n` weights (a multiple of 16) along g_scale * gradient.
  void Apply(float* w, float* m, float* v, const float* gradient, float g_scale, size_t n) const;

  // The rest is set by every Tick.
  void Serialize(Archive& archive) {
    archive.Value(beta1_power_);
    archive.Value(beta2_power_);
  }

 private:
  double beta1_power_ = 1;
  double beta2_power_ = 1;
  float rate_ = 0;
  float epsilon_ = 0;
  float l2_ = 0;
};

// Weights with their gradient and moments.
struct Parameters {
  Matrix w, gradient, m, v;

  Parameters() = default;
  Parameters(size_t rows, size_t cols)
      : w(rows, cols), gradient(rows, cols), m(rows, cols), v(rows, cols) {}

  void Step(const AdamClock& clock);

  // All but the gradient, which lives within a step.
  void Serialize(Archive& archive) {
    for (Matrix* matrix : {&w, &m, &v}) archive.Fixed(*matrix);
  }
};

}  // namespace slm
