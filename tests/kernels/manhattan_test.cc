#include "kernels/manhattan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace slm {
namespace {

TEST(Manhattan, IsThatOfPlainLoopsAndTheSameBitsAtEveryLevel) {
  const size_t columns = 21, rows = 48, single = 13;
  const std::vector<int32_t> offsets = {13, 15, 16, 21};
  RandomStream random(1, 0);
  std::vector<float> x(columns * rows), at(kManhattanRows * columns);
  for (float& value : x) value = static_cast<float>(random.Normal());
  for (float& value : at) value = static_cast<float>(random.Normal());
  std::vector<std::vector<float>> by_level;
  for (SimdLevel level : {SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4}) {
    SetSimdLevel(level);
    by_level.emplace_back(kManhattanRows * rows);
    const ManhattanArgs args = {.x = x.data(),
                                .x_stride = rows,
                                .rows = rows,
                                .at = at.data(),
                                .at_stride = columns,
                                .single = single,
                                .offsets = offsets.data(),
                                .groups = offsets.size() - 1,
                                .out = by_level.back().data(),
                                .out_stride = rows};
    SLM_DISPATCH(Manhattan, args);
  }
  SetSimdLevel(SimdLevel::kV4);
  EXPECT_EQ(by_level[1], by_level[0]);
  EXPECT_EQ(by_level[2], by_level[0]);
  for (size_t r = 0; r < kManhattanRows; ++r) {
    for (size_t i = 0; i < rows; ++i) {
      auto distance = [&](size_t c) { return std::abs(x[c * rows + i] - at[r * columns + c]); };
      float sum = 0;
      for (size_t c = 0; c < single; ++c) sum += distance(c);
      for (size_t g = 0; g + 1 < offsets.size(); ++g) {
        float most = 0;
        for (int32_t c = offsets[g]; c < offsets[g + 1]; ++c) {
          most = std::max(most, distance(static_cast<size_t>(c)));
        }
        sum += most;
      }
      EXPECT_EQ(by_level[0][r * rows + i], sum);
    }
  }
}

}  // namespace
}  // namespace slm
