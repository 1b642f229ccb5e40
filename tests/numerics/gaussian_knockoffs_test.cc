#include "numerics/gaussian_knockoffs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/thread_pool.h"
#include "numerics/conditional_randomisation.h"
#include "numerics/normal_scores.h"

namespace slm {
namespace {

// Each column goes along with the one before it.
Matrix Correlated(size_t rows, size_t columns, uint64_t seed) {
  RandomStream random(seed, 1);
  Matrix x(rows, columns);
  for (size_t i = 0; i < rows; ++i) {
    double before = random.Normal();
    for (size_t c = 0; c < columns; ++c) {
      x(i, c) = static_cast<float>(before);
      before = 0.7 * before + std::sqrt(0.51) * random.Normal();
    }
  }
  return x;
}

Matrix Scores(const Matrix& x, ThreadPool& pool) {
  return NormalScores::Fit(x, pool).Apply(x, pool);
}

std::vector<int32_t> Singles(size_t columns) {
  std::vector<int32_t> offsets(columns + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  return offsets;
}

double Covariance(const Matrix& a, size_t i, const Matrix& b, size_t j) {
  double sum = 0, first = 0, second = 0;
  for (size_t r = 0; r < a.rows(); ++r) {
    sum += double{a(r, i)} * double{b(r, j)};
    first += double{a(r, i)};
    second += double{b(r, j)};
  }
  const double n = static_cast<double>(a.rows());
  return sum / n - first / n * second / n;
}

// The moments of columns and copies are those of two exchangeable ones.
void ExpectExchangeable(const Matrix& z, const Matrix& copy, std::span<const int32_t> offsets,
                        double tolerance) {
  for (size_t g = 0; g + 1 < offsets.size(); ++g) {
    for (size_t i = static_cast<size_t>(offsets[g]); i < static_cast<size_t>(offsets[g + 1]); ++i) {
      for (size_t j = 0; j < z.cols(); ++j) {
        const double own = Covariance(z, i, z, j);
        EXPECT_NEAR(Covariance(copy, i, copy, j), own, tolerance) << i << ", " << j;
        const bool same =
            j >= static_cast<size_t>(offsets[g]) && j < static_cast<size_t>(offsets[g + 1]);
        if (same) continue;
        EXPECT_NEAR(Covariance(copy, i, z, j), own, tolerance) << i << ", " << j;
      }
    }
  }
}

TEST(LedoitWolfShare, IsThatOfTheirFormulaByHand) {
  // Two columns, two rows (1, 1) and (-1, -1): R is all ones, so |R|^2 = 4, |R - I|^2 = 2, and
  // every row has z z' = R, so there is no noise.
  EXPECT_DOUBLE_EQ(LedoitWolfShare(4, 8, 2, 2), 1e-3);
  // Rows (1, 0) and (0, 1) times sqrt 2: R = I, which is its own target.
  EXPECT_DOUBLE_EQ(LedoitWolfShare(2, 8, 2, 2), 1);
  // Between the two: (fourth / n - |R|^2) / n / (|R|^2 - p).
  EXPECT_DOUBLE_EQ(LedoitWolfShare(3, 20, 4, 2), 0.5);
}

TEST(LeastReconstructable, HasNoBetterEntriesNearby) {
  ThreadPool pool(1);
  const size_t p = 4;
  std::vector<double> sigma(p * p);
  for (size_t r = 0; r < p; ++r) {
    for (size_t c = 0; c < p; ++c)
      sigma[r * p + c] = std::pow(0.6, std::abs(double(r) - double(c)));
  }
  const std::vector<double> s = *LeastReconstructable(sigma, p, {.pool = &pool});
  // The trace of the inverse of [Sigma, Sigma - S; Sigma - S, Sigma] is that of S^-1 and of
  // (2 Sigma - S)^-1, but for factors of 2 that do not matter here: by elimination.
  const auto trace = [&](const std::vector<double>& entries) {
    std::vector<double> a(p * p);
    for (size_t i = 0; i < p * p; ++i) a[i] = 2 * sigma[i];
    double total = 0;
    for (size_t j = 0; j < p; ++j) {
      a[j * p + j] -= entries[j];
      total += 1 / entries[j];
    }
    std::vector<double> inverse(p * p);
    for (size_t j = 0; j < p; ++j) inverse[j * p + j] = 1;
    for (size_t k = 0; k < p; ++k) {
      const double pivot = a[k * p + k];
      for (size_t c = 0; c < p; ++c) {
        a[k * p + c] /= pivot;
        inverse[k * p + c] /= pivot;
      }
      for (size_t r = 0; r < p; ++r) {
        if (r == k) continue;
        const double f = a[r * p + k];
        for (size_t c = 0; c < p; ++c) {
          a[r * p + c] -= f * a[k * p + c];
          inverse[r * p + c] -= f * inverse[k * p + c];
        }
      }
    }
    for (size_t j = 0; j < p; ++j) total += inverse[j * p + j];
    return total;
  };
  const double best = trace(s);
  for (size_t j = 0; j < p; ++j) {
    for (double change : {-0.1, 0.1}) {
      std::vector<double> other = s;
      other[j] += change;
      EXPECT_GT(trace(other), best) << j << " " << change;
    }
  }
  EXPECT_NEAR(s[0], s[3], 0.02);  // what is alike has equal entries
  EXPECT_GT(s[0], s[1]);          // the ends have fewer neighbours
}

TEST(KnockoffModel, DrawsCopiesThatAreExchangeableWithTheColumns) {
  ThreadPool pool(2);
  const Matrix z = Scores(Correlated(20000, 6, 1), pool);
  const std::vector<int32_t> offsets = Singles(6);
  const auto model = KnockoffModel::Fit(z.view(), offsets, {}, {.pool = &pool});
  ASSERT_TRUE(model && model->dense());
  const Matrix copy = model->Sample(z.view(), RandomStream(3, 4), pool);
  ExpectExchangeable(z, copy, offsets, 0.03);
  // And yet they are not the columns: Sigma - S stands between a column and its copy.
  for (size_t c = 0; c < 6; ++c) {
    EXPECT_NEAR(Covariance(z, c, copy, c), 1 - model->separation()[c * 6 + c], 0.03);
    EXPECT_GT(model->separation()[c * 6 + c], 0.2);
  }
}

TEST(KnockoffModel, DrawsOneLevelOfATextAndKeepsTheMoments) {
  ThreadPool pool(2);
  // Three levels by the first column, which the second goes along with; and a column of two values.
  const size_t rows = 20000;
  const Matrix numbers = Correlated(rows, 3, 2);
  Matrix x(rows, 6);
  for (size_t i = 0; i < rows; ++i) {
    const float by = numbers(i, 0);
    x(i, 0) = by < -0.5f;
    x(i, 1) = by >= -0.5f && by < 1;
    x(i, 2) = by >= 1;
    x(i, 3) = numbers(i, 1);
    x(i, 4) = numbers(i, 2) > 0.3f;
    x(i, 5) = numbers(i, 2);
  }
  const Matrix z = Scores(x, pool);
  const std::vector<int32_t> offsets = {0, 3, 4, 5, 6};
  std::vector<ExclusiveColumns> exclusive(2);
  for (size_t c : {0, 1, 2, 4}) {
    ExclusiveColumns& own = exclusive[c / 4];
    if (own.last == 0) own.first = c;
    own.last = c + 1;
    const auto column = [&](size_t i) { return z(i, c); };
    float low = column(0), high = column(0);
    for (size_t i = 0; i < rows; ++i) {
      low = std::min(low, column(i));
      high = std::max(high, column(i));
    }
    own.low.push_back(low);
    own.high.push_back(high);
  }
  exclusive[0].always_one = true;
  const auto model = KnockoffModel::Fit(z.view(), offsets, exclusive, {.pool = &pool});
  ASSERT_TRUE(model);
  const Matrix copy = model->Sample(z.view(), RandomStream(3, 4), pool);
  for (size_t i = 0; i < rows; ++i) {
    int levels = 0;
    for (size_t c = 0; c < 3; ++c) {
      levels += copy(i, c) == exclusive[0].high[c];
      ASSERT_TRUE(copy(i, c) == exclusive[0].high[c] || copy(i, c) == exclusive[0].low[c]);
    }
    ASSERT_EQ(levels, 1);
    ASSERT_TRUE(copy(i, 4) == exclusive[1].high[0] || copy(i, 4) == exclusive[1].low[0]);
  }
  // Odds outside of 0 and 1 are cut off, which costs some of the exactness where columns decide
  // each other, as here the last but one and the last.
  ExpectExchangeable(z, copy, offsets, 0.08);
}

TEST(KnockoffModel, OfMoreColumnsThanTheDenseFormTakesIsExchangeableToo) {
  ThreadPool pool(2);
  const size_t columns = kDenseColumns + 32;
  const Matrix z = Scores(Correlated(3000, columns, 5), pool);
  const auto model = KnockoffModel::Fit(z.view(), Singles(columns), {}, {.pool = &pool});
  ASSERT_TRUE(model && !model->dense());
  EXPECT_GT(model->shrinkage(), 0.01);
  const Matrix copy = model->Sample(z.view(), RandomStream(3, 4), pool);
  // Neighbours by what is left of their correlation after shrinkage; far columns by none.
  double near = 0, far = 0, own = 0, variance = 0;
  for (size_t c = 0; c + 100 < columns; ++c) {
    const double count = static_cast<double>(columns - 100);
    near += Covariance(z, c, copy, c + 1) / count;
    far += Covariance(z, c, copy, c + 100) / count;
    own += Covariance(z, c, copy, c) / count;
    variance += Covariance(copy, c, copy, c) / count;
  }
  EXPECT_NEAR(near, 0.7 * (1 - model->shrinkage()), 0.05);
  EXPECT_NEAR(far, 0, 0.01);
  EXPECT_NEAR(variance, 1, 0.05);
  EXPECT_LT(own, 0.9);
}

TEST(KnockoffModel, OfFewerRowsThanColumnsIsShrunkAndDrawsFiniteCopies) {
  ThreadPool pool(1);
  for (size_t columns : {60u, 900u}) {
    const Matrix z = Scores(Correlated(40, columns, 6), pool);
    const auto model = KnockoffModel::Fit(z.view(), Singles(columns), {}, {.pool = &pool});
    ASSERT_TRUE(model);
    EXPECT_GT(model->shrinkage(), 0.05);
    const Matrix copy = model->Sample(z.view(), RandomStream(1, 1), pool);
    double variance = 0;
    for (size_t c = 0; c < columns; ++c) variance += Covariance(copy, c, copy, c);
    // These very rows vary more along their own directions than the shrunk matrix says.
    EXPECT_NEAR(variance / static_cast<double>(columns), 1, 0.6);
  }
}

TEST(KnockoffModel, DrawsTheSameBitsOnAnyNumberOfThreads) {
  for (size_t columns : {size_t{12}, kDenseColumns + 5}) {
    std::vector<Matrix> copies;
    for (int threads : {1, 2, 8}) {
      ThreadPool pool(threads);
      const Matrix z = Scores(Correlated(150, columns, 7), pool);
      const auto model = KnockoffModel::Fit(z.view(), Singles(columns), {}, {.pool = &pool});
      copies.push_back(model->Sample(z.view(), RandomStream(1, 1), pool));
    }
    for (const Matrix& copy : copies) {
      EXPECT_EQ(
          std::memcmp(copy.data(), copies[0].data(), copy.rows() * copy.stride() * sizeof(float)),
          0);
    }
  }
}

RandomisationTest OnTable(const Matrix& z, std::span<const int32_t> offsets, double effect,
                          size_t of) {
  RandomStream random(9, 9);
  Matrix y(z.rows(), 1);
  for (size_t i = 0; i < z.rows(); ++i) {
    y(i, 0) = static_cast<float>(effect * double{z(i, of)} + random.Normal());
  }
  return {.z = z.view(), .offsets = offsets, .y = std::move(y), .draws = 999};
}

TEST(ConditionalPValues, FindTheCauseAndNotItsNeighbour) {
  ThreadPool pool(2);
  const Matrix z = Scores(Correlated(400, 8, 3), pool);
  const std::vector<int32_t> offsets = Singles(8);
  const std::vector<int> features = {3, 2, 4, 7};
  const std::vector<double> p = ConditionalPValues(OnTable(z, offsets, 0.5, 3), features,
                                                   RandomStream(1, 2), {.pool = &pool});
  ASSERT_EQ(p.size(), 4u);
  EXPECT_EQ(p[0], 1e-3);  // no draw was as large
  EXPECT_GT(p[1], 0.01);  // they go along with it by 0.7, and say nothing else
  EXPECT_GT(p[2], 0.01);
  ThreadPool other(8);
  EXPECT_EQ(ConditionalPValues(OnTable(z, offsets, 0.5, 3), features, RandomStream(1, 2),
                               {.pool = &other}),
            p);
}

TEST(ConditionalPValues, AreUniformWhereNothingIsToBeFound) {
  ThreadPool pool(2);
  // As many columns as fit the rest to the rows if it were taken where it was learned.
  for (size_t columns : {40u, 150u}) {
    int small = 0, all = 0;
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const Matrix z = Scores(Correlated(100, columns, 100 + seed), pool);
      const std::vector<int32_t> offsets = Singles(columns);
      std::vector<int> features(30);
      std::iota(features.begin(), features.end(), 0);
      RandomisationTest test = OnTable(z, offsets, 0, 0);
      test.draws = 199;
      for (double p : ConditionalPValues(test, features, RandomStream(seed, 2), {.pool = &pool})) {
        small += p <= 0.1;
        ++all;
      }
    }
    EXPECT_EQ(all, 240);
    EXPECT_LT(small, 24 + 20);  // the columns of a table are not independent
  }
}

}  // namespace
}  // namespace slm
