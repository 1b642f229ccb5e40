#pragma once

// What a recipe costs: how long SearchMask and MaskPath would take, told from short runs of a
// hundred steps that walk through the whole tempering schedule, and predictors fitted for as long.

#include <cstdint>
#include <span>

#include "nn/fit.h"
#include "slm/options.h"
#include "slm/selector.h"

namespace slm {

// Takes about a second. Whether a stage for poor results is wanted is known from the results alone:
// the two ends are without and with it.
TimeNeed TimeOfSearch(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                      const Context& context);
TimeNeed TimeOfMaskPath(const Problem& problem, std::span<const int> ks, const SlmOptions& options,
                        uint64_t seed, const Context& context);

// Of a predictor fitted on k features, while `copies` of them are fitted side by side.
double TimeOfFit(const Problem& problem, int k, const FitOptions& fit, size_t copies,
                 const Context& context);

}  // namespace slm
