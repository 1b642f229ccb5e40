#pragma once

// One choice from several: the same rows, other random numbers. What chance alone decides differs
// between them, and evens out on average.

#include <cstdint>
#include <vector>

#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

struct EnsembleChoice {
  Choice choice;
  // For each chosen feature, best first, the share of the selections that chose it.
  std::vector<double> frequency;
};

// The k features of the largest mean weight over `members` selections with the seeds from `seed`
// on; weights and scores are means. The model is that of the first member that chose these very
// features; there may be none. If stopped, those finished count, always including the first.
EnsembleChoice SelectByMean(const Problem& problem, int k, uint64_t seed, int members,
                            Selector& selector, const Context& context);

}  // namespace slm
