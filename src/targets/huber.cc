// Huber's loss: squared errors as far as they are ordinary, absolute ones beyond, so that it asks
// for the mean of what may be without letting a few far rows decide. With d = R - Y:
//
//   d^2 / 2 if |d| <= c, else c (|d| - c / 2)
//
// c = 1.345 deviations of the target: with normal errors of that deviation, the mean that it finds
// has 95 % of the efficiency of the least-squares one (Huber 1964; Holland, Welsch 1977). The
// deviation of the errors themselves is smaller and not known before a fit, so more of them count
// as ordinary than in a robust regression that estimates it.

#include <algorithm>
#include <cmath>

#include "targets/value_loss.h"

namespace slm {
namespace {

constexpr double kThreshold = 1.345;

struct Huber {
  static double Value(double difference) {
    const double size = std::abs(difference);
    return size <= kThreshold ? size * size / 2 : kThreshold * (size - kThreshold / 2);
  }
  static float Slope(float difference) {
    constexpr float kMost = static_cast<float>(kThreshold);
    return std::clamp(difference, -kMost, kMost);
  }
};

}  // namespace

const LossKind& HuberLoss() {
  static constexpr LossKind kKind = {
      .name = "huber",
      .summary = "squared up to 1.345 deviations of the target, absolute beyond",
      .task = Task::kRegression,
      .traits = TraitsOfValues(/*rate=*/1, /*least_l2=*/0.001, /*good_quality=*/-0.005),
      .make = MakeValueLoss<Huber>};
  return kKind;
}

}  // namespace slm
