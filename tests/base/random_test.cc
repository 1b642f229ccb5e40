#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace slm {
namespace {

TEST(RandomStream, SameAddressGivesSameValues) {
  RandomStream a(7, 3), b(7, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.Bits(), b.Bits());
}

TEST(RandomStream, SeedsStreamsAndSubstreamsDiffer) {
  EXPECT_NE(RandomStream(0, 0).Bits(), RandomStream(1, 0).Bits());
  EXPECT_NE(RandomStream(0, 0).Bits(), RandomStream(0, 1).Bits());
  RandomStream stream(0, 0);
  EXPECT_NE(stream.Substream(0).Bits(), stream.Substream(1).Bits());
}

TEST(RandomStream, UniformAndNormalHaveTheirMoments) {
  RandomStream stream(1, 1);
  const int n = 200000;
  double uniform = 0, normal = 0, normal_square = 0;
  for (int i = 0; i < n; ++i) {
    uniform += stream.Uniform();
    double z = stream.Normal();
    normal += z;
    normal_square += z * z;
  }
  EXPECT_NEAR(uniform / n, 0.5, 0.005);
  EXPECT_NEAR(normal / n, 0.0, 0.01);
  EXPECT_NEAR(normal_square / n, 1.0, 0.02);
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(2, 0);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[stream.Below(7)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(RandomStream, ShuffleIsAPermutation) {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  RandomStream(3, 0).Shuffle(std::span(shuffled));
  EXPECT_NE(items, shuffled);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(items, shuffled);
}

}  // namespace
}  // namespace slm
