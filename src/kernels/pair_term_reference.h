#pragma once

// The pair term in its plainest form, in double: what kernels/pair_term.h is held against.

#include <cstddef>
#include <cstdint>
#include <span>

#include "slm/problem.h"

namespace slm {

// As PairTerm::Compute, for any p in [0, 1], by looking at every column of every pair; O(b^2 F).
double PairTermReference(std::span<const ValueCodes> codes, std::span<const int32_t> features,
                         std::span<const int32_t> rows, std::span<const double> p,
                         std::span<const double> r, std::span<const double> w, size_t block,
                         std::span<double> dr, std::span<double> dp);

}  // namespace slm
