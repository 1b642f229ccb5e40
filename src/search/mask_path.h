#pragma once

// Features for many k from few runs: tempering walks down through all of them, so a run that goes
// on to the smallest k leaves a set behind at each one it passes.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/options.h"
#include "slm/selector.h"

namespace slm {

// Whether runs with these options pass through k on the way: the mask holds exactly F_t features,
// and F_t falls.
bool WalksThroughK(const SlmOptions& options);

// For each of the ascending `ks` the sets of F_t = k features of the masks at the time: the runs
// are those of a selection, longer and without repetition (MakePathRecipe). The stage for poor
// results is wanted where no k did well.
std::vector<PathSet> MaskPath(const Problem& problem, std::span<const int> ks,
                              const SlmOptions& options, uint64_t seed, const Context& context);

}  // namespace slm
