#include "kernels/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/dispatch.h"

namespace slm {
namespace {

constexpr SimdLevel kLevels[] = {SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4};

class Elementwise : public testing::Test {
 protected:
  void TearDown() override { SetSimdLevel(level_); }
  const SimdLevel level_ = ActiveSimdLevel();
};

TEST_F(Elementwise, GumbelIsTheDoubleLogarithmAtEveryLevelAlike) {
  std::vector<uint32_t> bits = {0, 0xffffffffu, 0x80000000u, 0x5e2d58d8u};
  RandomStream random(1, 0);
  for (int i = 0; i < 100000; ++i) bits.push_back(static_cast<uint32_t>(random.Bits()));
  std::vector<float> first;
  for (SimdLevel level : kLevels) {
    SetSimdLevel(level);
    std::vector<float> out(bits.size());
    GumbelFromBits(bits.data(), bits.size(), out.data());
    if (first.empty()) first = out;
    EXPECT_EQ(out, first);
  }
  double sum = 0, squares = 0;
  for (size_t i = 0; i < bits.size(); ++i) {
    const double u = (static_cast<double>(bits[i] >> 9) + 0.5) * 0x1p-23;
    const double expected = -std::log(-std::log(u));
    ASSERT_NEAR(first[i], expected, 1e-6 * (1 + std::abs(expected))) << bits[i];
    sum += first[i];
    squares += first[i] * first[i];
  }
  const double n = static_cast<double>(bits.size()), mean = sum / n;
  EXPECT_NEAR(mean, 0.5772, 0.02);
  EXPECT_NEAR(squares / n - mean * mean, 1.6449, 0.05);
}

TEST_F(Elementwise, TanhIsThatOfTheStandardLibrary) {
  std::vector<float> x = {0.0f, -0.0f, 1e-6f, -100.0f, 100.0f, 1e30f, -1e30f, 1.0f};
  RandomStream random(2, 0);
  while (x.size() < 16 * 500) x.push_back(static_cast<float>(3 * random.Normal()));
  for (SimdLevel level : kLevels) {
    SetSimdLevel(level);
    std::vector<float> out = x;
    Tanh(out.data(), out.size(), out.data());
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(out[i], std::tanh(x[i]), 3e-7f) << x[i];
  }
}

}  // namespace
}  // namespace slm
