#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "numerics/float_order.h"
#include "numerics/plane_tree.h"
#include "selectors/filters/feature_values.h"
#include "selectors/filters/neighbour_mi.h"
#include "tests/data/cells.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

TEST(AscendingOrder, SortsAnySignAndKeepsTheOrderOfEqualValues) {
  const std::vector<float> values = {2, -0.0f, -3e30f, 0, 1e-30f, 2, -1, 3e30f};
  EXPECT_EQ(AscendingOrder(values), (std::vector<uint32_t>{2, 6, 1, 3, 4, 0, 5, 7}));
  const std::vector<uint32_t> backwards = {7, 6, 5, 4, 3, 2, 1, 0};
  EXPECT_EQ(AscendingOrder(values, backwards), (std::vector<uint32_t>{2, 6, 3, 1, 4, 5, 0, 7}));
}

TEST(QuantileBins, HaveEqualCountsAndKeepEqualValuesTogether) {
  EXPECT_EQ(QuantileBins(std::vector<float>{5, 1, 4, 2, 6, 3}, 3),
            (std::vector<uint32_t>{2, 0, 1, 0, 2, 1}));
  EXPECT_EQ(QuantileBins(std::vector<float>{0, 0, 0, 0, 1, 2}, 3),
            (std::vector<uint32_t>{1, 1, 1, 1, 2, 2}));
}

// Every bit of the definition, by loops over all pairs; values without ties.
double RossByAllPairs(std::span<const float> x, std::span<const uint32_t> classes, size_t k) {
  const size_t n = x.size();
  auto digamma = [](size_t m) {
    double sum = -std::numbers::egamma;
    for (size_t i = 1; i < m; ++i) sum += 1.0 / static_cast<double>(i);
    return sum;
  };
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    std::vector<double> own;
    for (size_t j = 0; j < n; ++j) {
      if (j != i && classes[j] == classes[i]) own.push_back(std::abs(x[j] - x[i]));
    }
    std::sort(own.begin(), own.end());
    size_t near = 0;
    for (size_t j = 0; j < n; ++j) near += j != i && std::abs(x[j] - x[i]) <= own[k - 1];
    sum += digamma(k) - digamma(own.size() + 1) - digamma(near);
  }
  return std::max(0.0, digamma(n) + sum / static_cast<double>(n));
}

TEST(PlaneTree, FindsTheKthNeighbourAlsoAmongManyEqualPoints) {
  for (uint64_t places : {2u, 6u, 1000000u}) {  // in each direction
    RandomStream random(5, places);
    std::vector<double> x, y;
    for (int i = 0; i < 300; ++i) {
      x.push_back(static_cast<double>(random.Below(places)));
      y.push_back(0.3 * static_cast<double>(random.Below(places)));
    }
    for (size_t k : {1u, 4u, 299u}) {
      const std::vector<double> found = PlaneTree(x, y).KthDistances(k, [] { return false; });
      for (size_t i = 0; i < 300; ++i) {
        std::vector<double> all;
        for (size_t j = 0; j < 300; ++j) {
          if (j != i) all.push_back(std::max(std::abs(x[j] - x[i]), std::abs(y[j] - y[i])));
        }
        std::sort(all.begin(), all.end());
        ASSERT_EQ(found[i], all[k - 1]) << places << " " << k << " " << i;
      }
    }
  }
}

TEST(NeighbourMi, OfNumberAndClassIsRossEstimator) {
  RandomStream random(1, 0);
  std::vector<float> x;
  std::vector<uint32_t> classes;
  for (size_t i = 0; i < 120; ++i) {
    classes.push_back(static_cast<uint32_t>(random.Below(3)));
    x.push_back(static_cast<float>(random.Normal() + classes.back()));
  }
  for (int k : {1, 3, 10}) {
    EXPECT_NEAR(NeighbourMi(120, k).OfNumberAndClass(x, classes, 3),
                RossByAllPairs(x, classes, static_cast<size_t>(k)), 1e-12);
  }
}

TEST(NeighbourMi, OfGaussiansIsThatOfTheirCorrelation) {
  for (double correlation : {0.0, 0.5, 0.9, -0.9}) {
    RandomStream random(2, 0);
    std::vector<float> x, y;
    for (int i = 0; i < 4000; ++i) {
      const double a = random.Normal(), b = random.Normal();
      x.push_back(static_cast<float>(a));
      y.push_back(
          static_cast<float>(5 * (correlation * a + std::sqrt(1 - correlation * correlation) * b)));
    }
    EXPECT_NEAR(NeighbourMi(4000, 3).OfNumbers(x, y),
                -0.5 * std::log(1 - correlation * correlation), 0.03);
  }
}

// Half of the rows are exactly 0, of one class more than of the other.
TEST(NeighbourMi, OfAMixtureWithManyEqualValuesNeedsNoNoise) {
  RandomStream random(3, 0);
  std::vector<float> x, y;
  std::vector<uint32_t> classes;
  for (int i = 0; i < 6000; ++i) {
    classes.push_back(static_cast<uint32_t>(random.Below(2)));
    const bool zero = random.Uniform() < (classes.back() == 0 ? 0.8 : 0.2);
    x.push_back(zero ? 0.0f : static_cast<float>(random.Normal()));
    y.push_back(static_cast<float>(classes.back()));
  }
  const double truth = std::log(2.0) + 0.8 * std::log(0.8) + 0.2 * std::log(0.2);
  EXPECT_NEAR(NeighbourMi(6000, 3).OfNumberAndClass(x, classes, 2), truth, 0.03);
  EXPECT_NEAR(NeighbourMi(6000, 3).OfNumbers(x, y), truth, 0.05);
}

TEST(NeighbourMi, OfConstantsAndLonelyClassesIsNothing) {
  const NeighbourMi mi(6, 3);
  const std::vector<float> constant(6, 2.0f), x = {1, 2, 3, 4, 5, 6};
  const std::vector<uint32_t> classes = {0, 1, 2, 3, 4, 5}, one(6, 0);
  EXPECT_EQ(mi.OfNumbers(constant, x), 0);
  EXPECT_EQ(mi.OfNumbers(x, constant), 0);
  EXPECT_EQ(mi.OfNumberAndClass(constant, one, 1), 0);
  EXPECT_EQ(mi.OfNumberAndClass(x, classes, 6), 0);
}

void ExpectAgreement(const Golden& golden, Task task) {
  const Problem problem = golden.MakeProblem(task);
  for (auto [key, neighbors] : {std::pair{"mi", "3"}, {"mi_5", "5"}}) {
    const Choice choice = RunMethod("mi", problem, 3, {{"neighbors", neighbors}});
    const std::vector<double>& expected = golden.at(key);
    for (size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(choice.scores[j], expected[j], 1e-5) << key << " " << j;
    }
  }
}

TEST(Mi, IsScikitLearnsForClassesAndValues) {
  ExpectAgreement(Golden("class_filters"), Task::kClassification);
  ExpectAgreement(Golden("value_filters"), Task::kRegression);
}

TEST(Mi, IsNeverAboveTheEntropyOfTheLabel) {
  Problem problem;
  problem.layout.names = {"exact", "text"};
  problem.layout.offsets = {0, 1, 3};
  problem.train.x = MakeRows(Matrix(40, 3));
  problem.train.y.classes = 2;
  for (size_t i = 0; i < 40; ++i) {
    const bool one = i % 4 == 0;
    Cells(problem.train)(i, 0) = static_cast<float>(i) + (one ? 1000.0f : 0.0f);
    Cells(problem.train)(i, one ? 1 : 2) = 1;
    problem.train.y.index.push_back(one ? 1 : 0);
  }
  const double entropy = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
  const Choice choice = RunMethod("mi", problem, 1);
  EXPECT_LE(choice.scores[0], entropy + 1e-6);
  EXPECT_NEAR(choice.scores[0], entropy, 0.1);
  EXPECT_NEAR(choice.scores[1], entropy, 1e-6);
}

// The cells of one class are missing: the indicator tells that class, the numbers nothing.
TEST(Mi, OfANumberWithMissingCellsCountsBothThatTheyAreMissingAndTheRest) {
  RandomStream random(4, 0);
  Problem problem;
  problem.layout.names = {"number"};
  problem.layout.offsets = {0, 2};
  problem.train.x = MakeRows(Matrix(900, 2));
  problem.train.y.classes = 3;
  for (size_t i = 0; i < 900; ++i) {
    const bool missing = i % 3 == 2;
    Cells(problem.train)(i, 0) =
        missing ? 0.0f : static_cast<float>(random.Normal() + (i % 3 == 0 ? 0 : 8));
    Cells(problem.train)(i, 1) = missing ? 1.4f : -0.7f;
    problem.train.y.index.push_back(static_cast<int32_t>(i % 3));
  }
  EXPECT_NEAR(RunMethod("mi", problem, 1).scores[0], std::log(3.0), 0.02);
  problem.train.y.task = Task::kRegression;
  for (int32_t c : problem.train.y.index) {
    problem.train.y.value.push_back(static_cast<float>(c + 0.01 * random.Normal()));
  }
  EXPECT_NEAR(RunMethod("mi", problem, 1).scores[0], std::log(3.0), 0.1);
}

}  // namespace
}  // namespace slm
