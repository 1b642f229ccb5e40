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

// The options of such a run, from those of a selection.
SlmOptions PathOptions(const SlmOptions& options, bool cross_fit);

// For each of the ascending `ks` the F_t = k features of the mask at the time: a set by each start
// of its kind (all ones, filter), and one by a cross-fitted run where those did poorly. Runs take
// twice the steps of a selection, all of them for the way down.
std::vector<PathSet> MaskPath(const Problem& problem, std::span<const int> ks,
                              const SlmOptions& options, uint64_t seed, const Context& context);

}  // namespace slm
