#pragma once

// How good scores are, by the loss that trains and by what a user would ask for.

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

struct Measure {
  double quality = 0;  // accuracy, or minus the mean absolute error: larger is better
  double loss = 0;     // task loss: cross entropy or mean absolute error

  bool BetterThan(const Measure& other) const {
    return quality > other.quality || (quality == other.quality && loss < other.loss);
  }
};

Measure MeasureScores(const Matrix& scores, const Dataset& data);

}  // namespace slm
