#include "selectors/portfolio/vote.h"

#include <gtest/gtest.h>

namespace slm {
namespace {

TEST(VotesFor, AreWorthLessFromPlaceToPlaceAndAddUp) {
  const std::vector<std::vector<int>> lists = {{2, 0, 1}, {2, 3}};
  const std::vector<double> votes = VotesFor(lists, 5);
  EXPECT_DOUBLE_EQ(votes[2], 2 / kVoteOffset);
  EXPECT_DOUBLE_EQ(votes[0], 1 / (kVoteOffset + 1));
  EXPECT_DOUBLE_EQ(votes[3], votes[0]);
  EXPECT_DOUBLE_EQ(votes[1], 1 / (kVoteOffset + 2));
  EXPECT_EQ(votes[4], 0);
}

TEST(VotesFor, TwoThatAgreeAreAheadOfOneThatIsSure) {
  const std::vector<std::vector<int>> lists = {{0, 1, 2}, {3, 1, 4}, {5, 6, 7}};
  const std::vector<double> votes = VotesFor(lists, 8);
  EXPECT_GT(votes[1], votes[0]);
  EXPECT_GT(votes[1], votes[5]);
}

}  // namespace
}  // namespace slm
