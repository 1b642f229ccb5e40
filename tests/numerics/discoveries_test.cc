#include "numerics/discoveries.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace slm {
namespace {

TEST(KnockoffThreshold, IsTheLeastAtWhichTheEstimateStaysBelowTheLevel) {
  // At 3: (1 + 0) / 2; at 2: (1 + 0) / 3; at 1: (1 + 1) / 4.
  const std::vector<double> w = {4, 3, 2, -1, 1};
  EXPECT_EQ(KnockoffThreshold(w, 0.5), 1);
  EXPECT_EQ(KnockoffThreshold(w, 0.4), 2);
  EXPECT_EQ(KnockoffThreshold(w, 0.33), std::numeric_limits<double>::infinity());
}

TEST(KnockoffThreshold, CountsTiesTogetherAndZerosNowhere) {
  // The two of size 2 have one estimate, (1 + 1) / 3, whatever their order.
  EXPECT_EQ(KnockoffThreshold(std::vector<double>{5, 4, 2, -2, 0, 0}, 0.5), 4);
  EXPECT_EQ(KnockoffThreshold(std::vector<double>{-2, 0, 2, 5, 0, 4}, 0.5), 4);
  EXPECT_EQ(KnockoffThreshold(std::vector<double>{5, 4, 2, -2, 0, 0}, 0.67), 2);
  EXPECT_TRUE(std::isinf(KnockoffThreshold(std::vector<double>{0, 0, 0}, 0.9)));
  EXPECT_TRUE(std::isinf(KnockoffThreshold(std::vector<double>{}, 0.9)));
  EXPECT_TRUE(std::isinf(KnockoffThreshold(std::vector<double>{-3, -2}, 0.9)));
}

TEST(KnockoffThreshold, NeedsAtLeastOneOverTheLevel) {
  std::vector<double> w(9, 1.0);
  EXPECT_TRUE(std::isinf(KnockoffThreshold(w, 0.1)));
  w.push_back(1.0);
  EXPECT_EQ(KnockoffThreshold(w, 0.1), 1);
}

TEST(KnockoffQValues, SayAtWhichLevelsAColumnIsADiscovery) {
  const std::vector<double> w = {4, 3, 2, -1, 1, 0, -0.5, 0.25, 3};
  const std::vector<double> q = KnockoffQValues(w);
  for (double level : {0.1, 0.2, 0.25, 0.3, 0.34, 0.4, 0.45, 0.5, 0.6, 0.9}) {
    const double threshold = KnockoffThreshold(w, level);
    for (size_t j = 0; j < w.size(); ++j) {
      EXPECT_EQ(q[j] <= level, w[j] >= threshold) << "column " << j << " at " << level;
    }
  }
  EXPECT_EQ(q[0], 0.25);  // one of four, at 2
  EXPECT_EQ(q[3], 1);
  EXPECT_EQ(q[5], 1);
}

TEST(AdjustedForRate, IsBenjaminiHochbergAmongAllTests) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.5};
  const std::vector<double> q = AdjustedForRate(p, 4);
  EXPECT_DOUBLE_EQ(q[0], 0.04);
  EXPECT_DOUBLE_EQ(q[1], 0.16 / 3);  // of rank 3, which is less than 0.03 * 4 / 2
  EXPECT_DOUBLE_EQ(q[2], 0.16 / 3);
  EXPECT_DOUBLE_EQ(q[3], 0.5);
  // Six others count as 1.
  EXPECT_DOUBLE_EQ(AdjustedForRate(p, 10)[0], 0.1);
  EXPECT_DOUBLE_EQ(AdjustedForRate(p, 10)[3], 1);
}

}  // namespace
}  // namespace slm
