#include "numerics/hit_test.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slm {
namespace {

TEST(FairCoinTails, AreSumsOfBinomialCoefficients) {
  // 10 tosses: 1, 10, 45, 120, 210, 252, ... of 1024.
  const std::vector<double> tails = FairCoinTails(10);
  ASSERT_EQ(tails.size(), 11u);
  EXPECT_DOUBLE_EQ(tails[0], 1);
  EXPECT_DOUBLE_EQ(tails[10], 1.0 / 1024);
  EXPECT_DOUBLE_EQ(tails[9], 11.0 / 1024);
  EXPECT_DOUBLE_EQ(tails[6], 386.0 / 1024);
  EXPECT_DOUBLE_EQ(tails[5], 638.0 / 1024);
}

TEST(FairCoinTails, HoldForTensOfThousandsOfTosses) {
  const std::vector<double> tails = FairCoinTails(40000);
  EXPECT_DOUBLE_EQ(tails[0], 1);
  EXPECT_NEAR(tails[20000], 0.5, 0.01);
  // Two standard deviations, by the normal distribution with half a head of correction.
  EXPECT_NEAR(tails[20200], 0.5 * std::erfc(1.995 / std::sqrt(2.0)), 1e-4);
}

TEST(FalseDiscoveryRate, FallsUpToTheLastValueBelowItsShare) {
  // The shares of 0.05 are 0.0125, 0.025, 0.0375 and 0.05: the second is above its own, and falls
  // with the third.
  EXPECT_EQ(FalseDiscoveryRate(std::vector<double>{0.2, 0.03, 0.01, 0.035}, 0.05),
            (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(FalseDiscoveryRate(std::vector<double>{0.2, 0.03}, 0.05),
            (std::vector<bool>{false, false}));
}

// The round in which a candidate that always hits, or never, is decided.
int DecidedIn(bool hit, const HitTest::Options& options, HitVerdict expected) {
  HitTest test(20, options);
  std::vector<bool> hits(20, !hit);
  hits[3] = hit;
  // The others stay open.
  for (int round = 1; round < 100; ++round) {
    for (size_t j = 0; j < 20; ++j) {
      if (j != 3) hits[j] = (round + static_cast<int>(j)) % 2 == 0;
    }
    test.AddRound(hits);
    if (test.verdict(3) == HitVerdict::kOpen) continue;
    EXPECT_EQ(test.verdict(3), expected);
    EXPECT_EQ(test.Open(), 19u);
    return round;
  }
  return 0;
}

TEST(HitTest, CorrectsForManyCandidates) {
  // 2^-9 is the first power not above 0.05 / 20.
  EXPECT_EQ(DecidedIn(true, {.two_step = false}, HitVerdict::kConfirmed), 9);
  EXPECT_EQ(DecidedIn(false, {.two_step = false}, HitVerdict::kRejected), 9);
}

TEST(HitTest, InTwoStepsCorrectsForRoundsAndByTheFalseDiscoveryRateForCandidates) {
  // 2^-9 is below 0.05 / 20, its share as the only one that falls, and below 0.05 / 9.
  EXPECT_EQ(DecidedIn(true, {}, HitVerdict::kConfirmed), 9);
  EXPECT_EQ(DecidedIn(false, {}, HitVerdict::kRejected), 9);
  // Alone it needs to be below 0.05 / rounds: 2^-8 < 0.05 / 8, 2^-7 > 0.05 / 7.
  HitTest alone(1, {});
  for (int round = 1; round <= 8; ++round) {
    EXPECT_EQ(alone.verdict(0), HitVerdict::kOpen) << round;
    alone.AddRound({true});
  }
  EXPECT_EQ(alone.verdict(0), HitVerdict::kConfirmed);
}

TEST(HitTest, CountsThoseConfirmedOnAndThoseRejectedNot) {
  HitTest test(2, {.two_step = false});
  for (int round = 0; round < 20; ++round) test.AddRound({true, false});
  for (int round = 0; round < 10; ++round) test.AddRound({false, true});
  EXPECT_EQ(test.verdict(0), HitVerdict::kConfirmed);
  EXPECT_EQ(test.verdict(1), HitVerdict::kRejected);
  EXPECT_EQ(test.hits(0), 20);
  EXPECT_EQ(test.hits(1), 0);
  EXPECT_EQ(test.rounds(), 30);
}

}  // namespace
}  // namespace slm
