#include "numerics/shadows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slm {
namespace {

TEST(Shadows, ShuffleTheRowsOfAFeatureAndKeepItsColumnsTogether) {
  FeatureLayout layout;
  layout.names = {"a", "b", "c"};
  layout.offsets = {0, 1, 3, 4};
  Matrix x(40, 4), out(40, 5);
  for (size_t i = 0; i < 40; ++i) {
    for (size_t c = 0; c < 4; ++c) x(i, c) = static_cast<float>(100 * c + i);
    for (size_t c = 0; c < 5; ++c) out(i, c) = -1;
  }
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < 40; i += 2) rows.push_back(i);
  // A feature may have several shadows.
  const std::vector<size_t> features = {1, 0, 0, 2};
  ThreadPool pool(2);
  FillShadows(x.view(), layout, features, rows, RandomStream(1, 2), pool, out.view());
  std::vector<float> twice[2];
  for (size_t i = 0; i < 40; ++i) {
    if (i % 2 == 1) {
      EXPECT_EQ(out(i, 0), -1);  // not among the rows
      continue;
    }
    EXPECT_EQ(out(i, 1), out(i, 0) + 100);  // both columns from one row
    for (size_t copy = 0; copy < 2; ++copy) twice[copy].push_back(out(i, 2 + copy));
  }
  EXPECT_NE(twice[0], twice[1]);
  for (std::vector<float>& values : twice) {
    EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
    std::sort(values.begin(), values.end());
    for (size_t i = 0; i < 20; ++i) EXPECT_EQ(values[i], static_cast<float>(2 * i));
  }
}

}  // namespace
}  // namespace slm
