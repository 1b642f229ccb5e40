#include "selectors/networks/hier_prox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

std::span<float> PaddedRow(Matrix& matrix, size_t i) { return {matrix.row(i), matrix.stride()}; }

void ExpectNear(const Matrix& actual, const Matrix& expected, const std::string& what) {
  for (size_t i = 0; i < expected.rows(); ++i) {
    for (size_t j = 0; j < expected.cols(); ++j) {
      EXPECT_NEAR(actual(i, j), expected(i, j), 1e-6 * std::max(1.0f, std::abs(expected(i, j))))
          << what << " of feature " << i << ", " << j;
    }
  }
}

TEST(HierProx, AgreesWithThePackageOfItsAuthors) {
  const Golden golden("hier_prox");
  const std::vector<double>& settings = golden.at("settings");
  for (size_t i = 0; i < settings.size() / 2; ++i) {
    const double lambda = settings[2 * i], hierarchy = settings[2 * i + 1];
    SCOPED_TRACE("lambda " + std::to_string(lambda) + ", M " + std::to_string(hierarchy));
    Matrix v = golden.matrix("v"), u = golden.matrix("u");
    for (size_t j = 0; j < v.rows(); ++j) {
      HierProx(PaddedRow(v, j), PaddedRow(u, j), lambda, hierarchy);
    }
    ExpectNear(v, golden.matrix("v" + std::to_string(i)), "skip weight");
    ExpectNear(u, golden.matrix("u" + std::to_string(i)), "hidden weight");
  }
}

TEST(HierProx, LeavesNoHiddenWeightAboveTheBoundAndNoneWithoutASkipWeight) {
  const Golden golden("hier_prox");
  for (double lambda : {0.0, 0.2, 2.0, 20.0}) {
    Matrix v = golden.matrix("v"), u = golden.matrix("u");
    for (size_t j = 0; j < v.rows(); ++j) {
      HierProx(PaddedRow(v, j), PaddedRow(u, j), lambda, 2);
      double squares = 0, largest = 0;
      for (float x : PaddedRow(v, j)) squares += static_cast<double>(x) * x;
      for (float x : PaddedRow(u, j)) largest = std::max<double>(largest, std::abs(x));
      EXPECT_LE(largest, 2 * std::sqrt(squares) * (1 + 1e-6)) << lambda << ", feature " << j;
    }
  }
}

TEST(LargestHarmlessLambda, AgreesWithThePackageOfItsAuthors) {
  const Golden golden("hier_prox");
  ThreadPool pool(1);
  for (const char* m : {"10", "1"}) {
    Matrix skip = golden.matrix(std::string("start_skip_") + m);
    Matrix hidden = golden.matrix(std::string("start_hidden_") + m);
    std::vector<FeatureWeights> features;
    for (size_t j = 0; j < skip.rows(); ++j) {
      features.push_back({PaddedRow(skip, j), PaddedRow(hidden, j)});
    }
    const double expected = golden.at(std::string("start_") + m)[0];
    EXPECT_NEAR(LargestHarmlessLambda(features, std::stod(m), {.pool = &pool}), expected,
                1e-9 * expected)
        << "M " << m;
  }
}

TEST(LargestHarmlessLambda, EndsWhereEveryWeightIsTiny) {
  AlignedBuffer<float> tiny(kLanes);
  tiny[0] = 1e-7f;
  const FeatureWeights feature{{tiny.data(), kLanes}, {tiny.data(), kLanes}};
  ThreadPool pool(1);
  EXPECT_GT(LargestHarmlessLambda({&feature, 1}, 10, {.pool = &pool}), 0);
}

}  // namespace
}  // namespace slm
