#pragma once

// Selections that hold what the user wants to keep, whatever the method.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// Puts what is missing of `keep` (ascending) in the places of the last features that need not stay.
// Returns whether anything changed. There must be as many features as there are to keep.
bool HoldKept(std::span<const int32_t> keep, std::vector<int>* features);

// The same for a choice. What it did not choose itself has no weight (NaN). Its model, which reads
// other columns then, goes.
void HoldKept(std::span<const int32_t> keep, Choice* choice);

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
