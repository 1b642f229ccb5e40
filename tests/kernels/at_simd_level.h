#pragma once

#include <gtest/gtest.h>

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

}  // namespace slm
