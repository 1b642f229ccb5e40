#pragma once

// The judge of a set of columns: a small search over perceptrons fitted on it, the same for every
// set, in which validation chooses.

#include <cstdint>
#include <span>

#include "slm/context.h"
#include "slm/predictor.h"
#include "slm/problem.h"

namespace slm {

// The best of `refits` predictors by validation. Same seed, same predictors.
Model Judge(const Problem& problem, std::span<const int> features, int refits, uint64_t seed,
            const Context& context);

}  // namespace slm
