#pragma once

#include <span>
#include <vector>

#include "numerics/moments.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

// Minimises sum over rows of w (y - b - x beta)^2 + l2 |beta|^2, exactly, for a value to predict.
// Solves a system of as many equations as there are columns or rows, whichever are fewer. Where l2
// is too small to part columns, or rows, that depend on others, those others stand for them.
// Nothing if `context` says to stop before that is done.
std::vector<double> RidgeCoefficients(const Dataset& data, double l2, const Context& context);

// The same on some columns of the data behind `moments`, which are no more than there are rows.
std::vector<double> RidgeCoefficients(Moments& moments, std::span<const size_t> columns, double l2,
                                      const Context& context);

// What each column would have alone, for want of time.
std::vector<double> RidgeAlone(const Moments& moments, std::span<const size_t> columns, double l2);

}  // namespace slm
