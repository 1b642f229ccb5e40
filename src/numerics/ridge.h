#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "numerics/moments.h"
#include "slm/problem.h"

namespace slm {

// Minimises sum over rows of w (y - b - x beta)^2 + l2 |beta|^2, exactly, for a value to predict.
// Solves a system of as many equations as there are columns or rows, whichever are fewer.
std::vector<double> RidgeCoefficients(const Dataset& data, double l2, ThreadPool& pool);

// The same on some columns of the data behind `moments`, which are no more than there are rows.
std::vector<double> RidgeCoefficients(Moments& moments, std::span<const size_t> columns, double l2);

}  // namespace slm
