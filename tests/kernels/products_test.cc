#include "kernels/products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/dispatch.h"
#include "slm/matrix.h"
#include "tests/kernels/at_simd_level.h"

namespace slm {
namespace {

class ProductsTest : public AtSimdLevel {
 protected:
  static std::vector<double> Random(size_t n, uint64_t seed) {
    std::vector<double> out(n);
    RandomStream stream(seed, 0);
    for (double& value : out) value = stream.Normal();
    return out;
  }
};

TEST_P(ProductsTest, TransposedProductAgreesWithTheReference) {
  for (size_t rows : {0, 1, 255, 600}) {
    for (size_t left_columns : {1, 2, 3, 9, 10, 26}) {
      for (size_t columns : {5, 40}) {
        Matrix x(rows, columns);
        RandomStream stream(7, rows);
        for (size_t i = 0; i < rows; ++i) {
          for (size_t j = 0; j < columns; ++j) x(i, j) = static_cast<float>(stream.Normal());
        }
        const std::vector<double> left = Random(rows * left_columns, 8);
        const size_t width = PaddedWidth(columns);
        std::vector<double> expected(left_columns * width), found(left_columns * width, 9.0);
        ProductArgs args{.rows = rows,
                         .left = left.data(),
                         .left_stride = left_columns,
                         .left_columns = left_columns,
                         .x = x.data(),
                         .x_stride = width,
                         .width = width,
                         .out = expected.data(),
                         .out_stride = width};
        TransposedProductReference(args);
        args.out = found.data();
        TransposedProduct(args);
        for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-11);
      }
    }
  }
}

TEST_P(ProductsTest, DotAndAddScaledCoverEveryLength) {
  for (size_t n = 0; n < 40; ++n) {
    const std::vector<double> a = Random(n, 1), b = Random(n, 2);
    double dot = 0;
    std::vector<double> sum = b, expected = b;
    for (size_t i = 0; i < n; ++i) {
      dot += a[i] * b[i];
      expected[i] += 0.5 * a[i];
    }
    EXPECT_NEAR(Dot(a.data(), b.data(), n), dot, 1e-13);
    AddScaled(0.5, a.data(), sum.data(), n);
    for (size_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(sum[i], expected[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ProductsTest, EverySimdLevel(), NameOfLevel);

}  // namespace
}  // namespace slm
