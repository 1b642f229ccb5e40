#include "selectors/portfolio/vote.h"

namespace slm {

std::vector<double> VotesFor(std::span<const std::vector<int>> lists, size_t features) {
  std::vector<double> votes(features);
  for (const std::vector<int>& list : lists) {
    for (size_t place = 0; place < list.size(); ++place) {
      votes[static_cast<size_t>(list[place])] += 1 / (kVoteOffset + static_cast<double>(place));
    }
  }
  return votes;
}

}  // namespace slm
