#pragma once

// Several runs, the best one chosen by a judge. End-to-end validation hides noise columns of small
// weight, so each run's columns are given to fresh predictors, and what those reach on the
// validation rows decides.

#include <cstdint>

#include "nn/mean_fit.h"
#include "slm/options.h"
#include "slm/selector.h"

namespace slm {

// Predictors come from `make_predictor`, or, if it is empty, are those of the options.
Choice SearchMask(const Problem& problem, int k, const SlmOptions& options, uint64_t seed,
                  const Context& context, const PredictorFactory& make_predictor = {});

// The predictors that judge a run's columns, and those whose mean is the final one.
FitOptions JudgeFitOptions(const SlmOptions& options, const LossKind& loss,
                           const PredictorFactory& make_predictor);
MeanFitOptions FinalFitOptions(const SlmOptions& options, const LossKind& loss,
                               const PredictorFactory& make_predictor);

// The final predictor for features that were found otherwise.
Model FitFinal(const Problem& problem, std::span<const int> features, const SlmOptions& options,
               uint64_t seed, const Context& context);

// How many runs have a linear predictor, beside others whose predictors are the options'. Where a
// value is a sum of weak columns, a perceptron fits noise before its mask has told them apart.
int LinearRuns(const SlmOptions& options, const LossKind& loss,
               const PredictorFactory& make_predictor);
SlmOptions LinearOptions(SlmOptions options);

// Whether every other run learns from the task loss alone.
bool LearnsTaskAloneInTurn(const SlmOptions& options, const LossKind& loss);

// Throws a UsageError for options by which nothing would run.
void RequireRuns(const SlmOptions& options);

}  // namespace slm
