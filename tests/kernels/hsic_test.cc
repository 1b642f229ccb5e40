#include "kernels/hsic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "kernels/dispatch.h"

namespace slm {
namespace {

using Square = std::vector<std::vector<double>>;

Square Times(const Square& a, const Square& b) {
  size_t n = a.size();
  Square c(n, std::vector<double>(n));
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < n; ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

struct HsicBatch {
  Matrix x;
  Labels labels;
  std::vector<int32_t> rows;
  std::vector<float> scale, w;

  HsicBatch(Task task, size_t b, size_t columns, bool weighted, uint64_t seed) : x(b, columns) {
    RandomStream random(seed, 1);
    labels.task = task;
    labels.classes = task == Task::kClassification ? 3 : 0;
    for (size_t i = 0; i < 2 * b; ++i) {
      if (task == Task::kClassification) {
        labels.index.push_back(static_cast<int32_t>(random.Below(3)));
      } else {
        labels.value.push_back(static_cast<float>(random.Normal()));
      }
    }
    for (size_t i = 0; i < b; ++i) {
      rows.push_back(static_cast<int32_t>(2 * b - 1 - 2 * i));
      if (weighted) w.push_back(static_cast<float>(random.Uniform(0.1, 3)));
    }
    for (size_t j = 0; j < columns; ++j) {
      scale.push_back(static_cast<float>(random.Uniform(-0.5, 1.5)));
      for (size_t i = 0; i < b; ++i) {
        size_t row = static_cast<size_t>(rows[i]);
        double label = task == Task::kClassification ? labels.index[row]
                                                     : static_cast<double>(labels.value[row]);
        x(i, j) = static_cast<float>(random.Normal() + (j % 2 == 0 ? label : 0) + 0.3);
      }
    }
    if (columns > 2) scale[2] = 0;
  }
};

// The formula as it stands in hsic.h: kernels, weighted centring, sum.
double Reference(const HsicBatch& batch, const std::vector<double>& scale) {
  size_t b = batch.rows.size();
  std::vector<double> a(b, 1.0);
  if (!batch.w.empty()) a.assign(batch.w.begin(), batch.w.end());
  double sum = std::accumulate(a.begin(), a.end(), 0.0);
  for (double& share : a) share /= sum;
  double sigma_square = 0;
  for (size_t j = 0; j < batch.x.cols(); ++j) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < b; ++i) {
      double entry = static_cast<double>(batch.x(i, j)) * scale[j];
      mean += a[i] * entry;
      square += a[i] * entry * entry;
    }
    sigma_square += square - mean * mean;
  }
  std::vector<double> class_share(3);
  auto label = [&](size_t i) {
    return static_cast<size_t>(batch.labels.index[static_cast<size_t>(batch.rows[i])]);
  };
  if (batch.labels.task == Task::kClassification) {
    for (size_t i = 0; i < b; ++i) class_share[label(i)] += a[i];
  }
  double label_variance = 1;
  for (double share : class_share) label_variance -= share * share;
  Square k(b, std::vector<double>(b)), l = k, h = k;
  for (size_t i = 0; i < b; ++i) {
    for (size_t m = 0; m < b; ++m) {
      double distance = 0;
      for (size_t j = 0; j < batch.x.cols(); ++j) {
        distance += std::pow(
            scale[j] * (static_cast<double>(batch.x(i, j)) - static_cast<double>(batch.x(m, j))),
            2);
      }
      k[i][m] = std::exp(-distance / (2 * sigma_square));
      if (batch.labels.task == Task::kClassification) {
        l[i][m] = label(i) == label(m) ? 1 : std::exp(-1 / label_variance);
      } else {
        double difference =
            static_cast<double>(batch.labels.value[static_cast<size_t>(batch.rows[i])]) -
            static_cast<double>(batch.labels.value[static_cast<size_t>(batch.rows[m])]);
        l[i][m] = std::exp(-difference * difference / 2);
      }
      h[i][m] = (i == m ? 1.0 : 0.0) - a[m];
    }
  }
  Square transposed = h;
  for (size_t i = 0; i < b; ++i) {
    for (size_t m = 0; m < b; ++m) transposed[i][m] = h[m][i];
  }
  Square centred = Times(Times(h, l), transposed);
  double total = 0, squares = 0;
  for (size_t i = 0; i < b; ++i) {
    squares += a[i] * a[i];
    for (size_t m = 0; m < b; ++m) total += a[i] * a[m] * k[i][m] * centred[i][m];
  }
  return total / ((1 - squares) * (1 - squares));
}

struct HsicResult {
  double value = 0;
  std::vector<float> d_scale;
};

HsicResult Compute(const HsicBatch& batch, Hsic& hsic) {
  HsicResult result;
  result.d_scale.assign(batch.scale.size(), 7.0f);
  result.value =
      hsic.Compute(batch.x.view(), batch.scale, batch.labels, batch.rows, batch.w, result.d_scale);
  return result;
}

class HsicOf : public testing::TestWithParam<std::tuple<Task, bool, SimdLevel>> {
 protected:
  void SetUp() override {
    before_ = ActiveSimdLevel();
    SetSimdLevel(std::get<2>(GetParam()));
    if (ActiveSimdLevel() != std::get<2>(GetParam()))
      GTEST_SKIP() << "this machine lacks the SIMD level";
  }
  void TearDown() override { SetSimdLevel(before_); }

 private:
  SimdLevel before_;
};

TEST_P(HsicOf, ValueAndGradientMatchTheFormula) {
  auto [task, weighted, level] = GetParam();
  Hsic hsic;
  for (size_t b : {2, 5, 17, 32, 50}) {
    for (size_t columns : {1, 4, 11}) {
      SCOPED_TRACE(testing::Message() << b << " rows, " << columns << " columns");
      HsicBatch batch(task, b, columns, weighted, 10 * b + columns);
      std::vector<double> scale(batch.scale.begin(), batch.scale.end());
      HsicResult result = Compute(batch, hsic);
      double value = Reference(batch, scale);
      EXPECT_NEAR(result.value, value, 1e-6 * (std::abs(value) + 0.1));
      const double step = 1e-5;
      for (size_t j = 0; j < columns; ++j) {
        double before = scale[j];
        scale[j] = before + step;
        double above = Reference(batch, scale);
        scale[j] = before - step;
        double below = Reference(batch, scale);
        scale[j] = before;
        EXPECT_NEAR(static_cast<double>(result.d_scale[j]), (above - below) / (2 * step), 2e-6)
            << "column " << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HsicOf,
    testing::Combine(testing::Values(Task::kClassification, Task::kRegression), testing::Bool(),
                     testing::Values(SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4)));

TEST(Hsic, EqualWeightsGiveThePlainFormula) {
  // tr(K H L H) / (b - 1)^2 for two rows: K = exp(-2), since sigma^2 is a quarter of the squared
  // distance, L = exp(-1 / (1/2)), H = (1 -1; -1 1) / 2.
  HsicBatch batch(Task::kClassification, 2, 1, false, 1);
  batch.labels.index[static_cast<size_t>(batch.rows[0])] = 0;
  batch.labels.index[static_cast<size_t>(batch.rows[1])] = 2;
  batch.scale[0] = 2;
  Hsic hsic;
  double k = std::exp(-2), l = std::exp(-2);
  EXPECT_NEAR(Compute(batch, hsic).value, (1 - k) * (1 - l), 1e-6);
}

TEST(Hsic, DoesNotChangeWithTheScaleOfTheMask) {
  HsicBatch batch(Task::kRegression, 40, 6, false, 3);
  Hsic hsic;
  double value = Compute(batch, hsic).value;
  for (float& s : batch.scale) s *= 64;
  EXPECT_NEAR(Compute(batch, hsic).value, value, 1e-7);
}

TEST(Hsic, IsZeroWithoutVariation) {
  Hsic hsic;
  HsicBatch one_class(Task::kClassification, 20, 3, false, 4);
  std::fill(one_class.labels.index.begin(), one_class.labels.index.end(), 1);
  EXPECT_NEAR(Compute(one_class, hsic).value, 0, 1e-7);
  HsicBatch no_scale(Task::kClassification, 20, 3, false, 4);
  std::fill(no_scale.scale.begin(), no_scale.scale.end(), 0.0f);
  HsicResult result = Compute(no_scale, hsic);
  EXPECT_EQ(result.value, 0);
  EXPECT_EQ(result.d_scale, std::vector<float>(3, 0.0f));
  HsicBatch single(Task::kRegression, 1, 3, false, 4);
  EXPECT_EQ(Compute(single, hsic).value, 0);
}

TEST(Hsic, LevelsV3AndV4GiveTheSameBits) {
  SimdLevel best = ActiveSimdLevel();
  if (best != SimdLevel::kV4) GTEST_SKIP() << "this machine has no AVX-512";
  Hsic hsic;
  for (Task task : {Task::kClassification, Task::kRegression}) {
    HsicBatch batch(task, 77, 30, true, 5);
    SetSimdLevel(SimdLevel::kV3);
    HsicResult v3 = Compute(batch, hsic);
    SetSimdLevel(SimdLevel::kV4);
    HsicResult v4 = Compute(batch, hsic);
    EXPECT_EQ(v3.value, v4.value);
    EXPECT_EQ(v3.d_scale, v4.d_scale);
  }
  SetSimdLevel(best);
}

}  // namespace
}  // namespace slm
