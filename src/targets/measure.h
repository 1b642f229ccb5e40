#pragma once

// How good scores are, by the loss that trains and by what a user would ask for.

#include "slm/matrix.h"
#include "slm/problem.h"
#include "targets/losses.h"

namespace slm {

struct Measure {
  double quality = 0;  // larger is better: accuracy of classes, minus the loss of values
  double loss = 0;     // task loss

  bool BetterThan(const Measure& other) const {
    return quality > other.quality || (quality == other.quality && loss < other.loss);
  }
};

Measure MeasureScores(const Matrix& scores, const Dataset& data, const LossKind& loss);

// The same, with the quality that choices for the metric of `data` go by.
Measure MeasureForChoice(const Matrix& scores, const Dataset& data, const LossKind& loss);

// By the loss that `auto` stands for.
inline Measure MeasureScores(const Matrix& scores, const Dataset& data) {
  return MeasureScores(scores, data, DefaultLoss(data.y));
}

}  // namespace slm
