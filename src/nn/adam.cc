#include "nn/adam.h"

#include <cmath>

#include "kernels/vector_ops.h"

namespace slm {
namespace {
constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;
}  // namespace

void AdamClock::Tick(const StepSize& size) {
  beta1_power_ *= kBeta1;
  beta2_power_ *= kBeta2;
  double root = std::sqrt(1 - beta2_power_);
  rate_ = static_cast<float>(size.learning_rate * root / (1 - beta1_power_));
  epsilon_ = static_cast<float>(kEpsilon * root);
  l2_ = static_cast<float>(size.l2);
}

void AdamClock::Apply(float* w, float* m, float* v, const float* gradient, float g_scale,
                      size_t n) const {
  Adam({.n = n,
        .w = w,
        .m = m,
        .v = v,
        .gradient = gradient,
        .g_scale = g_scale,
        .l2 = l2_,
        .rate = rate_,
        .epsilon = epsilon_,
        .beta1 = static_cast<float>(kBeta1),
        .beta2 = static_cast<float>(kBeta2)});
}

void Parameters::Step(const AdamClock& clock) {
  clock.Apply(w.data(), m.data(), v.data(), gradient.data(), 1.0f, w.rows() * w.stride());
}

}  // namespace slm
