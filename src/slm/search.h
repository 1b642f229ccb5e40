#pragma once

// Several runs, the best one chosen by a judge. End-to-end validation hides noise columns of small
// weight, so each run's columns are given to fresh predictors, and what those reach on the validation
// rows decides.

#include <cstdint>

#include "slm/options.h"
#include "slm/selector.h"

namespace slm {

Choice SearchMask(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                  const Context& context);

}  // namespace slm
