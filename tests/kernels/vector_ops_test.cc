#include "kernels/vector_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/dispatch.h"
#include "slm/matrix.h"
#include "tests/kernels/at_simd_level.h"

namespace slm {
namespace {

using VectorOps = AtSimdLevel;

Matrix RandomMatrix(size_t rows, size_t cols, double spread, uint64_t seed) {
  RandomStream random(seed, 0);
  Matrix x(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) x(i, j) = static_cast<float>(spread * random.Normal());
  }
  return x;
}

TEST_P(VectorOps, SoftmaxIsThatOfDoubleForAnyNumberOfClasses) {
  for (size_t classes : {1u, 2u, 10u, 15u, 16u, 17u, 26u, 32u, 100u}) {
    for (double spread : {0.1, 3.0, 60.0}) {
      constexpr size_t kRows = 7;
      const Matrix z = RandomMatrix(kRows, classes, spread, classes);
      Matrix r(kRows, classes);
      std::vector<float> max(kRows), sum(kRows), square_sum(kRows);
      Softmax({.z = z.data(),
               .z_stride = z.stride(),
               .rows = kRows,
               .classes = classes,
               .r = r.data(),
               .r_stride = r.stride(),
               .max = max.data(),
               .sum = sum.data(),
               .square_sum = square_sum.data()});
      for (size_t i = 0; i < kRows; ++i) {
        double top = -1e300, total = 0, squares = 0;
        for (size_t c = 0; c < classes; ++c) top = std::max(top, static_cast<double>(z(i, c)));
        for (size_t c = 0; c < classes; ++c) total += std::exp(static_cast<double>(z(i, c)) - top);
        for (size_t c = 0; c < classes; ++c) {
          const double below = top - static_cast<double>(z(i, c));
          const double expected = std::exp(-below) / total;
          squares += expected * expected;
          // The difference z - max is rounded to a float before the exponential.
          const double share = 1e-6 + 0x1p-23 * below;
          ASSERT_NEAR(static_cast<double>(r(i, c)), expected, share * expected + 1e-37);
        }
        for (size_t c = classes; c < r.stride(); ++c) ASSERT_EQ(r.row(i)[c], 0.0f);
        EXPECT_EQ(static_cast<double>(max[i]), top);
        EXPECT_NEAR(static_cast<double>(sum[i]), total, 1e-6 * total);
        EXPECT_NEAR(static_cast<double>(square_sum[i]), squares, 1e-6);
      }
    }
  }
}

TEST_P(VectorOps, ColumnSumsAreThoseOfDouble) {
  constexpr size_t kRows = 33;
  for (size_t width : {16u, 48u, 80u, 144u}) {
    const Matrix x = RandomMatrix(kRows, width, 1, 5);
    std::vector<float> sums(width);
    ColumnSums(x.data(), x.stride(), kRows, width, sums.data());
    for (size_t j = 0; j < width; ++j) {
      double sum = 0;
      for (size_t i = 0; i < kRows; ++i) sum += static_cast<double>(x(i, j));
      EXPECT_NEAR(static_cast<double>(sums[j]), sum, 1e-5);
    }
  }
}

TEST_P(VectorOps, RowsAreScaledAndMultipliedByTheirIndex) {
  constexpr size_t kWidth = 48;
  const Matrix w = RandomMatrix(9, kWidth, 1, 6), x = RandomMatrix(3, kWidth, 1, 7);
  const std::vector<int32_t> index = {1, 4, 8};
  const std::vector<float> scale = {2.5f, -1.0f, 0.0f};
  const WeightRows rows{w.data(), w.stride(), index.data(), index.size()};
  Matrix scaled(3, kWidth);
  std::vector<float> dots(3);
  ScaleRows(rows, scale.data(), scaled.data());
  RowDots(rows, x.data(), dots.data());
  for (size_t a = 0; a < index.size(); ++a) {
    double dot = 0;
    for (size_t j = 0; j < kWidth; ++j) {
      const float weight = w(static_cast<size_t>(index[a]), j);
      EXPECT_EQ(scaled(a, j), scale[a] * weight);
      dot += static_cast<double>(weight) * static_cast<double>(x(a, j));
    }
    EXPECT_NEAR(static_cast<double>(dots[a]), dot, 1e-5);
  }
}

TEST_P(VectorOps, MomentumFollowsTheFormulaInDouble) {
  Matrix w = RandomMatrix(1, 32, 1, 8), m = RandomMatrix(1, 32, 1, 9);
  const Matrix w_before = w, m_before = m, gradient = RandomMatrix(1, 32, 1, 10);
  Momentum({.n = 32,
            .w = w.data(),
            .m = m.data(),
            .gradient = gradient.data(),
            .g_scale = 0.5f,
            .decay = 0.25f,
            .rate = 0.125f,
            .kept = 0.75f});
  for (size_t i = 0; i < 32; ++i) {
    const double before = w_before(0, i);
    const double moment = 0.75 * m_before(0, i) + 0.5 * gradient(0, i) + 0.25 * before;
    EXPECT_NEAR(m(0, i), moment, 1e-6);
    EXPECT_NEAR(w(0, i), before - 0.125 * moment, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLevel, VectorOps, EverySimdLevel(), NameOfLevel);

}  // namespace
}  // namespace slm
