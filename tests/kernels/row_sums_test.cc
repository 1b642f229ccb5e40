#include "kernels/row_sums.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace slm {
namespace {

TEST(RowSums, AreThoseOfPlainLoopsAndTheSameBitsAtEveryLevel) {
  const size_t columns = 37;
  RandomStream random(1, 0);
  std::vector<float> x(4 * columns);
  for (float& value : x) value = static_cast<float>(random.Normal());
  FourRows rows = {};
  for (size_t r = 0; r < 4; ++r) {
    rows.x[r] = &x[r * columns];
    rows.weight[r] = random.Uniform();
    rows.weighted_y[r] = random.Normal();
  }
  std::vector<std::vector<double>> by_level;
  for (SimdLevel level : {SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4}) {
    SetSimdLevel(level);
    std::vector<double> sums(3 * columns, 0.5);
    SLM_DISPATCH(AddFourRows, rows, columns, sums.data(), sums.data() + columns);
    SLM_DISPATCH(AddFourProducts, rows, columns, sums.data() + 2 * columns);
    by_level.push_back(sums);
  }
  SetSimdLevel(SimdLevel::kV4);
  EXPECT_EQ(by_level[1], by_level[0]);
  EXPECT_EQ(by_level[2], by_level[0]);
  for (size_t c = 0; c < columns; ++c) {
    double sum = 0.5, square = 0.5, product = 0.5;
    for (size_t r = 0; r < 4; ++r) {
      const double value = x[r * columns + c];
      sum += rows.weight[r] * value;
      square += rows.weight[r] * value * value;
      product += rows.weighted_y[r] * value;
    }
    EXPECT_NEAR(by_level[0][c], sum, 1e-12);
    EXPECT_NEAR(by_level[0][columns + c], square, 1e-12);
    EXPECT_NEAR(by_level[0][2 * columns + c], product, 1e-12);
  }
}

}  // namespace
}  // namespace slm
