#include "kernels/top.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace slm {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Holds the selection of the `count` largest against a stable sort of all values.
void CheckAgainstSort(const std::vector<float>& v, size_t count) {
  std::vector<int32_t> order(v.size());
  std::iota(order.begin(), order.end(), 0);
  auto at = [&](int32_t i) { return v[static_cast<size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return at(a) > at(b); });
  std::vector<int32_t> expected(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(expected.begin(), expected.end());

  std::vector<int32_t> indices(count);
  std::vector<uint32_t> scratch;
  TopResult result = SelectTop(v.data(), v.size(), count, indices.data(), &scratch);
  ASSERT_EQ(indices, expected);
  ASSERT_EQ(result.lowest_inside, at(order[count - 1]));
  ASSERT_EQ(result.highest_outside, count < v.size() ? order[count] : -1);
  auto below = std::find_if(order.begin(), order.end(),
                            [&](int32_t i) { return at(i) < at(order[count - 1]); });
  ASSERT_EQ(result.highest_below, below == order.end() ? -1 : *below);
}

TEST(SelectTop, IsTheHeadOfAStableSortForRandomValuesAndTies) {
  RandomStream random(1, 0);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<float> v(1 + random.Below(60));
    const uint64_t levels = 1 + random.Below(20);  // few levels give many ties
    for (float& x : v) {
      x = trial % 2 == 0 ? static_cast<float>(random.Normal() * 1e3)
                         : static_cast<float>(random.Below(levels)) - 8.0f;
    }
    ASSERT_NO_FATAL_FAILURE(CheckAgainstSort(v, 1 + random.Below(v.size()))) << "trial " << trial;
  }
}

TEST(SelectTop, TellsNeighbouringFloatsApart) {
  RandomStream random(2, 0);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<float> v(30);
    for (float& x : v) {
      x = trial % 2 == 0 ? 1.0f : -3.0f;
      for (uint64_t ulps = random.Below(4); ulps > 0; --ulps) x = std::nextafter(x, kInfinity);
    }
    ASSERT_NO_FATAL_FAILURE(CheckAgainstSort(v, 1 + random.Below(v.size())));
  }
}

TEST(SelectTop, TreatsBothZerosAsOneValue) {
  const std::vector<float> v = {-0.0f, 0.0f, -1.0f, 0.0f, -0.0f, 1.0f};
  for (size_t count = 1; count <= v.size(); ++count) CheckAgainstSort(v, count);
}

TEST(SelectTop, OrdersInfinitiesAndExtremes) {
  const float max = std::numeric_limits<float>::max();
  const float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> v = {-kInfinity, max, kInfinity, -tiny,     tiny,
                                -max,       0,   kInfinity, -kInfinity};
  for (size_t count = 1; count <= v.size(); ++count) CheckAgainstSort(v, count);
}

TEST(SelectTop, ScratchOfAnotherSizeDoesNoHarm) {
  std::vector<uint32_t> scratch(1000, 7u);
  const std::vector<float> v = {1, 3, 2};
  std::vector<int32_t> indices(2);
  SelectTop(v.data(), v.size(), 2, indices.data(), &scratch);
  EXPECT_EQ(indices, (std::vector<int32_t>{1, 2}));
}

}  // namespace
}  // namespace slm
