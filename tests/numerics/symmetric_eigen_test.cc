#include "numerics/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "base/thread_pool.h"

namespace slm {
namespace {

SymmetricEigen Decompose(const std::vector<double>& a, size_t n, int threads = 1) {
  ThreadPool pool(threads);
  return DecomposeSymmetric(a, n, {.pool = &pool});
}

// A v = value v, and the vectors are orthonormal.
void ExpectDecomposes(const std::vector<double>& a, size_t n) {
  const SymmetricEigen eigen = Decompose(a, n);
  ASSERT_EQ(eigen.values.size(), n);
  const double size = std::max(eigen.values[0], -eigen.values[n - 1]);
  for (size_t p = 0; p < n; ++p) {
    EXPECT_GE(eigen.values[p == 0 ? 0 : p - 1], eigen.values[p]);
    for (size_t i = 0; i < n; ++i) {
      double product = 0;
      for (size_t j = 0; j < n; ++j) product += a[i * n + j] * double{eigen.vectors[j * n + p]};
      EXPECT_NEAR(product, eigen.values[p] * double{eigen.vectors[i * n + p]}, 1e-5 * size);
    }
    for (size_t q = 0; q <= p; ++q) {
      double product = 0;
      for (size_t j = 0; j < n; ++j) {
        product += double{eigen.vectors[j * n + p]} * double{eigen.vectors[j * n + q]};
      }
      EXPECT_NEAR(product, p == q ? 1 : 0, 1e-5);
    }
  }
}

std::vector<double> RandomSymmetric(size_t n) {
  RandomStream random(n, 0);
  std::vector<double> a(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) a[i * n + j] = a[j * n + i] = random.Normal();
  }
  return a;
}

TEST(SymmetricEigen, DecomposesMatricesOfAnySize) {
  for (size_t n : {1, 2, 3, 17, 90}) ExpectDecomposes(RandomSymmetric(n), n);
}

TEST(SymmetricEigen, DecomposesEqualEigenvaluesAndMatricesOfLowRank) {
  const size_t n = 40;
  std::vector<double> zero(n * n), identity(n * n), blocks(n * n);
  for (size_t i = 0; i < n; ++i) {
    identity[i * n + i] = 1;
    for (size_t j = 0; j < n; ++j) blocks[i * n + j] = i / 5 == j / 5 ? 1 : 0;
  }
  ExpectDecomposes(zero, n);
  ExpectDecomposes(identity, n);
  ExpectDecomposes(blocks, n);
  const SymmetricEigen eigen = Decompose(blocks, n);
  for (size_t i = 0; i < n; ++i) EXPECT_NEAR(eigen.values[i], i < 8 ? 5 : 0, 1e-12);
}

TEST(SymmetricEigen, ThreadsChangeNoBit) {
  const std::vector<double> a = RandomSymmetric(300);
  const SymmetricEigen one = Decompose(a, 300, 1), many = Decompose(a, 300, 3);
  EXPECT_EQ(one.values, many.values);
  EXPECT_EQ(one.vectors, many.vectors);
}

}  // namespace
}  // namespace slm
