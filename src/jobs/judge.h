#pragma once

// The predictors that judge a set of columns, the same for every set, whoever chose it.

#include <cstdint>
#include <span>

#include "nn/fit.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

// The best by validation of `refits` perceptrons fitted on the features, whose order does not
// matter.
FitResult Judge(const Problem& problem, std::span<const int> features, int refits, uint64_t seed,
                const Context& context);

// The predictor to keep for features that have won: the mean of two larger ones for each refit, or
// the best of the judges where that validates better. In a hurry, as after Ctrl-C, fewer and
// smaller.
FitResult FitWinner(const Problem& problem, std::span<const int> features, int refits,
                    uint64_t seed, bool hurry, const Context& context);

// The seconds that each would take for k features, the second for the final predictor of slm's
// defaults: the first on one thread, beside `copies` less one others, the others on all threads of
// the context.
double TimeOfJudge(const Problem& problem, int k, int refits, size_t copies,
                   const Context& context);
double TimeOfChosen(const Problem& problem, int k, const Context& context);
double TimeOfWinner(const Problem& problem, int k, int refits, const Context& context);

}  // namespace slm
