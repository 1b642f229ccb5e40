#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/dispatch.h"
#include "slm/matrix.h"

namespace slm {
namespace {

Matrix RandomMatrix(size_t rows, size_t cols, uint64_t seed) {
  Matrix matrix(rows, cols);
  RandomStream stream(seed, 0);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<float>(stream.Normal());
  }
  return matrix;
}

struct Shape {
  size_t m, n, k;
};

class GemmTest : public ::testing::TestWithParam<std::tuple<Shape, bool, GemmEpilogue>> {
 protected:
  void SetUp() override { level_ = ActiveSimdLevel(); }
  void TearDown() override { SetSimdLevel(level_); }
  SimdLevel level_;
};

TEST_P(GemmTest, EveryLevelAgreesWithTheReference) {
  auto [shape, transposed, epilogue] = GetParam();
  Matrix a = transposed ? RandomMatrix(shape.k, shape.m, 1) : RandomMatrix(shape.m, shape.k, 1);
  Matrix b = RandomMatrix(shape.k, shape.n, 2);
  Matrix bias = RandomMatrix(1, shape.n, 3);
  Matrix mask = RandomMatrix(shape.m, shape.n, 4);
  Matrix expected(shape.m, shape.n);
  GemmArgs args{.m = shape.m,
                .n = PaddedWidth(shape.n),
                .k = shape.k,
                .a = a.data(),
                .a_stride = a.stride(),
                .a_transposed = transposed,
                .b = b.data(),
                .b_stride = b.stride(),
                .c = expected.data(),
                .c_stride = expected.stride(),
                .epilogue = epilogue,
                .bias = bias.data(),
                .mask = mask.data(),
                .mask_stride = mask.stride()};
  GemmReference(args);
  for (SimdLevel level : {SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4}) {
    SetSimdLevel(level);
    Matrix c(shape.m, shape.n);
    args.c = c.data();
    Gemm(args);
    for (size_t i = 0; i < shape.m; ++i) {
      for (size_t j = 0; j < shape.n; ++j) {
        if (ActiveSimdLevel() == SimdLevel::kV2) {
          ASSERT_NEAR(c(i, j), expected(i, j), 1e-4 * std::sqrt(static_cast<double>(shape.k)));
        } else {
          ASSERT_EQ(c(i, j), expected(i, j)) << SimdLevelName(level) << " at " << i << "," << j;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, GemmTest,
    ::testing::Combine(::testing::Values(Shape{1, 1, 1}, Shape{3, 5, 7}, Shape{17, 33, 50},
                                         Shape{64, 128, 300}, Shape{113, 26, 617},
                                         Shape{29, 80, 513}),
                       ::testing::Bool(),
                       ::testing::Values(GemmEpilogue::kNone, GemmEpilogue::kBias,
                                         GemmEpilogue::kBiasRelu, GemmEpilogue::kReluGrad)));

TEST(Gemm, ReluGradientMayReplaceItsMask) {
  const size_t k = 700;  // more than one block of the inner dimension
  Matrix a = RandomMatrix(20, k, 1), b = RandomMatrix(k, 40, 2), mask = RandomMatrix(20, 40, 3);
  Matrix expected(20, 40), in_place = mask;
  GemmArgs args{.m = 20,
                .n = PaddedWidth(40),
                .k = k,
                .a = a.data(),
                .a_stride = a.stride(),
                .b = b.data(),
                .b_stride = b.stride(),
                .c = expected.data(),
                .c_stride = expected.stride(),
                .epilogue = GemmEpilogue::kReluGrad,
                .mask = mask.data(),
                .mask_stride = mask.stride()};
  Gemm(args);
  args.c = in_place.data();
  args.mask = in_place.data();
  Gemm(args);
  for (size_t i = 0; i < 20; ++i) {
    for (size_t j = 0; j < 40; ++j) EXPECT_EQ(in_place(i, j), expected(i, j));
  }
}

TEST(Transpose, SwapsRowsAndColumns) {
  Matrix in = RandomMatrix(37, 19, 5);
  Matrix out(19, 37);
  Transpose(in.data(), in.stride(), 37, 19, out.data(), out.stride());
  for (size_t i = 0; i < 37; ++i) {
    for (size_t j = 0; j < 19; ++j) EXPECT_EQ(out(j, i), in(i, j));
  }
}

}  // namespace
}  // namespace slm
