#pragma once

// Several runs, the best one chosen by a judge. End-to-end validation hides noise columns of small
// weight, so each run's columns are given to fresh predictors, and what those reach on the
// validation rows decides. search/recipe.h says which runs there are.

#include <cstdint>
#include <span>

#include "slm/options.h"
#include "slm/selector.h"

namespace slm {

// Predictors come from `make_predictor`, or, if it is empty, are those of the options.
Choice SearchMask(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                  const Context& context, const PredictorFactory& make_predictor = {});

// The final predictor for features that were found otherwise.
Model FitFinal(const Problem& problem, std::span<const int> features, const SlmOptions& options,
               uint64_t seed, const Context& context);

}  // namespace slm
