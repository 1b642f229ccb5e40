#pragma once

// The path of min 1/2 |y - X b|^2 + lambda |b|_1 with b >= 0 as lambda falls: least angle
// regression with the lasso modification. It needs X^T y and columns of X^T X, and of those only
// the ones of features that enter.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace slm {

struct LarsPath {
  std::vector<double> beta;      // at the end of the path; positive where active
  std::vector<double> residual;  // X^T (y - X beta)
  double lambda = 0;             // the residual of every active feature
  std::vector<double> lambdas;   // at the start of each step
  std::vector<int> entered;      // in the order in which features became active; some may have left
};

// Column `feature` of X^T X, of as many values as there are features, valid until the path ends.
// `residual` is that of the moment: those of large residual will be asked for next. Null ends the
// path.
using GramColumn = std::function<const double*(int feature, std::span<const double> residual)>;

// Follows the path until `most` features are active and the next one is about to enter, or the
// residual vanishes.
LarsPath NonNegativeLars(std::span<const double> xty, size_t most, const GramColumn& column);

}  // namespace slm
