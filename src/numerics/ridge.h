#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "slm/problem.h"

namespace slm {

// Minimises sum over rows of w (y - b - x beta)^2 + l2 |beta|^2, exactly, for a value to predict.
// Solves a system of as many equations as there are columns or rows, whichever are fewer.
std::vector<double> RidgeCoefficients(const Dataset& data, double l2, ThreadPool& pool);

}  // namespace slm
