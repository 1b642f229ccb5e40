#pragma once

// Selections that hold what the user wants to keep, whatever the method.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// Throws a RuntimeFailure unless a method chose just k features, none of them twice.
void RequireExactly(std::span<const int> features, int k);

// Selector::Select with every feature of problem.keep among the k. SLM knows of them; of other
// methods, which do not, those it left out take the places of the last it chose. The model, which
// reads other columns then, goes.
Choice SelectKept(Selector& selector, const Problem& problem, int k, uint64_t seed,
                  const Context& context);

// The same for Selector::SelectEach; no k may be smaller than problem.keep.
std::vector<PathSet> SelectEachKept(Selector& selector, const Problem& problem,
                                    std::span<const int> ks, uint64_t seed, const Context& context);

}  // namespace slm
