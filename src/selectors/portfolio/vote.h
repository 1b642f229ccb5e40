#pragma once

// One ranking from those of several methods.

#include <span>
#include <vector>

namespace slm {

// Each list names features, best first; a feature gets 1 / (kVoteOffset + its place) from every
// list that names it. What two lists have among their first five is ahead of what one has first.
std::vector<double> VotesFor(std::span<const std::vector<int>> lists, size_t features);

inline constexpr double kVoteOffset = 5;  // places from 0 on

}  // namespace slm
