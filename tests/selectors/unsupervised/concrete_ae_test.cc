#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "tests/data/cells.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

// Twelve columns are made of three: each of the three has three noisy copies.
Problem ThreeFactors(std::vector<float> weight = {}) {
  Problem problem;
  problem.train.x = MakeRows(Matrix(300, 12));
  problem.train.y.classes = 2;
  problem.train.y.index.resize(300);
  problem.train.weight = std::move(weight);
  RandomStream random(7, 0);
  for (size_t i = 0; i < 300; ++i) {
    double factor[3];
    for (double& f : factor) f = random.Normal();
    for (size_t j = 0; j < 12; ++j) {
      const double noise = j < 3 ? 0.05 : 0.6;  // the first three are the cleanest
      Cells(problem.train)(i, j) = static_cast<float>((factor[j % 3] + noise * random.Normal()) /
                                                      std::sqrt(1 + noise * noise));
    }
  }
  problem.valid = problem.train;
  for (int j = 0; j < 12; ++j) {
    problem.layout.names.push_back("x" + std::to_string(j));
    problem.layout.offsets.push_back(j + 1);
  }
  return problem;
}

Choice Select(const Problem& problem, int k, const char* steps = "1500") {
  return RunMethod("concrete-ae", problem, k, {{"steps", steps}, {"learning_rate", "0.01"}});
}

TEST(ConcreteAutoencoder, ChoosesOneColumnOfEachFactorAndTheCleanestOfThem) {
  std::vector<int> features = Select(ThreeFactors(), 3).features;
  std::sort(features.begin(), features.end());
  EXPECT_EQ(features, (std::vector<int>{0, 1, 2}));
}

TEST(ConcreteAutoencoder, RowsOfNoWeightTeachNothing) {
  std::vector<float> weight(300, 0.0f);
  std::fill_n(weight.begin(), 150, 2.0f);
  const Problem clean = ThreeFactors(weight);
  Problem spoilt = ThreeFactors(weight);
  for (size_t i = 150; i < 300; ++i) std::fill_n(Cells(spoilt.train).row(i), 12, 100.0f);
  EXPECT_EQ(Select(spoilt, 3, "300").scores, Select(clean, 3, "300").scores);
}

}  // namespace
}  // namespace slm
