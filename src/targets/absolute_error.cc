// |R - Y|: the median of what may be, whatever the tails.

#include <cmath>

#include "targets/value_loss.h"

namespace slm {
namespace {

struct Absolute {
  static double Value(double difference) { return std::abs(difference); }
  static float Slope(float difference) {
    return difference > 0 ? 1.0f : difference < 0 ? -1.0f : 0.0f;
  }
};

}  // namespace

const LossKind& AbsoluteLoss() {
  static constexpr LossKind kKind = {
      .name = "absolute",
      .summary = "the absolute error, which asks for the median",
      .task = Task::kRegression,
      .by_default = true,
      // Absolute errors teach by their signs alone, which calls for a higher rate.
      .traits = TraitsOfValues(/*rate=*/2.5, /*least_l2=*/0.01, /*good_quality=*/-0.1),
      .make = MakeValueLoss<Absolute>};
  return kKind;
}

}  // namespace slm
