#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/dispatch.h"

namespace slm {

// A test that runs at each SIMD level, and is skipped at those that the machine lacks.
class AtSimdLevel : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    before_ = ActiveSimdLevel();
    SetSimdLevel(GetParam());
    if (ActiveSimdLevel() != GetParam()) GTEST_SKIP() << "this machine lacks the SIMD level";
  }
  void TearDown() override { SetSimdLevel(before_); }

 private:
  SimdLevel before_ = SimdLevel::kV2;
};

// What such tests are instantiated with, and how they are named.
inline auto EverySimdLevel() {
  return testing::Values(SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4);
}
inline std::string NameOfLevel(const testing::TestParamInfo<SimdLevel>& level) {
  return std::string(SimdLevelName(level.param));
}

}  // namespace slm
