#pragma once

// Which of many statistics or p-values are discoveries, at a false discovery rate that is bounded.

#include <cstddef>
#include <span>
#include <vector>

namespace slm {

// Knockoff+ (Candes, Fan, Janson, Lv 2018). W_j > 0 says that column j did better than its
// knockoff; of a column that means nothing the sign is a coin. The estimate of the false share
// among the columns with W_j >= t is
//
//   (1 + #{W_j <= -t}) / max(1, #{W_j >= t})
//
// and the threshold is the smallest t > 0 among the |W_j| where it is at most q; infinity if there
// is none.
double KnockoffThreshold(std::span<const double> w, double q);

// The smallest q at which each column would be a discovery: the least of the estimates above over
// all t <= W_j, at most 1. It is at most q just where W_j >= KnockoffThreshold(w, q).
std::vector<double> KnockoffQValues(std::span<const double> w);

// Benjamini and Hochberg (1995): the smallest rate at which each of the p-values would be rejected
// among `tests` of them; those that are not given count as 1.
std::vector<double> AdjustedForRate(std::span<const double> p_values, size_t tests);

}  // namespace slm
