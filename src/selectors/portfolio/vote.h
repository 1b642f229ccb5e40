#pragma once

// One ranking from those of several methods.

#include <span>
#include <vector>

namespace slm {

// Each list names features, best first; a feature gets 1 / (kVoteOffset + its place) from every
// list that names it. The first places count for more than the next, but no list can bring a
// feature to the front by itself once two others agree on another.
std::vector<double> VotesFor(std::span<const std::vector<int>> lists, size_t features);

inline constexpr double kVoteOffset = 5;  // places from 0 on

}  // namespace slm
