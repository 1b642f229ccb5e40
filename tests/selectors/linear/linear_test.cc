#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/thread_pool.h"
#include "numerics/logistic.h"
#include "numerics/ridge.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

void AddWeights(const Golden& golden, Dataset& data) {
  for (size_t i = 0; i < data.rows(); ++i) {
    data.weight.push_back(static_cast<float>(golden.at("weight")[i]));
  }
}

void ExpectNear(const std::vector<double>& found, const std::vector<double>& expected,
                double tolerance) {
  ASSERT_GE(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

// Coefficients by logits x columns, as scikit-learn lays them out.
std::vector<double> FitLogistic(const Golden& golden, const Dataset& data) {
  ThreadPool pool(2);
  std::vector<size_t> all(data.x->columns());
  std::iota(all.begin(), all.end(), size_t{0});
  Logistic model(data, all, pool);
  std::vector<double> theta(model.parameters());
  model.Fit(theta, {.l2 = golden.at("l2")[0], .tolerance = 1e-11}, {.pool = &pool});
  std::vector<double> out;
  for (size_t c = 0; c < model.logits(); ++c) {
    for (size_t a : all) out.push_back(theta[a * model.logits() + c]);
  }
  return out;
}

TEST(Logistic, HasTheCoefficientsOfScikitLearn) {
  const Golden golden("linear");
  for (const std::string labels : {"two", "three"}) {
    Dataset data = golden.MakeProblem(Task::kClassification, "x", labels).train;
    ExpectNear(FitLogistic(golden, data), golden.at(labels + "_coefficients"), 1e-7);
    AddWeights(golden, data);
    ExpectNear(FitLogistic(golden, data), golden.at(labels + "_weighted"), 1e-7);
  }
}

TEST(Logistic, GradientAgreesWithDifferences) {
  const Golden golden("linear");
  Dataset data = golden.MakeProblem(Task::kClassification, "x", "three").train;
  AddWeights(golden, data);
  ThreadPool pool(1);
  Logistic model(data, std::vector<size_t>{4, 0}, pool);
  std::vector<double> theta = {0.3, -0.2, 0.1, -1.0, 0.4, 0.2, 0.5, 0.0, -0.5};
  std::vector<double> gradient(theta.size());
  model.Forward(theta, {.pool = &pool});
  model.Gradient(gradient);
  for (size_t i = 0; i < theta.size(); ++i) {
    std::vector<double> moved = theta;
    moved[i] += 1e-5;
    const double above = model.Forward(moved, {.pool = &pool});
    moved[i] -= 2e-5;
    EXPECT_NEAR(gradient[i], (above - model.Forward(moved, {.pool = &pool})) / 2e-5, 1e-7);
  }
}

TEST(Logistic, HasNoLossWhenItIsToStop) {
  const PlantedProblem planted(Task::kClassification, 100, 4, 2, 5);
  ThreadPool pool(1);
  Logistic model(planted.problem.train, std::vector<size_t>{0, 1}, pool);
  std::vector<double> theta(model.parameters());
  const Context late{.pool = &pool, .deadline = Context::Clock::time_point::min()};
  EXPECT_EQ(model.Forward(theta, late), std::numeric_limits<double>::infinity());
  EXPECT_EQ(model.Fit(theta, {}, late), std::numeric_limits<double>::infinity());
  EXPECT_EQ(theta, std::vector<double>(model.parameters()));
}

TEST(Logistic, ReachesTheBottomWhereNothingIsPenalisedAndColumnsRepeat) {
  const PlantedProblem planted(Task::kClassification, 200, 6, 3, 5);
  Dataset data = planted.problem.train;
  for (size_t i = 0; i < data.rows(); i += 3) data.y.index[i] ^= 1;  // no longer separable
  ThreadPool pool(1);
  Logistic model(data, std::vector<size_t>{0, 1, 0, 2}, pool);
  std::vector<double> theta(model.parameters()), gradient(model.parameters());
  model.Fit(theta, {.tolerance = 1e-9}, {.pool = &pool});
  model.Forward(theta, {.pool = &pool});
  model.Gradient(gradient);
  for (double g : gradient) EXPECT_NEAR(g, 0, 1e-6);
}

TEST(Ridge, HasTheCoefficientsOfScikitLearnWithMoreRowsThanColumnsAndWithFewer) {
  const Golden golden("linear");
  ThreadPool pool(2);
  const double l2 = golden.at("l2")[0];
  for (const std::string set : {"value", "wide"}) {
    Dataset data = golden.MakeProblem(Task::kRegression, set + "_x", set).train;
    ExpectNear(RidgeCoefficients(data, l2, {.pool = &pool}), golden.at(set + "_coefficients"),
               1e-8);
    AddWeights(golden, data);
    ExpectNear(RidgeCoefficients(data, l2, {.pool = &pool}), golden.at(set + "_weighted"), 1e-8);
  }
}

TEST(Linear, ScoresAFeatureByTheNormOverItsColumnsAndTheClasses) {
  const Golden golden("linear");
  Problem problem = golden.MakeProblem(Task::kClassification, "x", "three");
  problem.layout.names.resize(4);
  problem.layout.offsets = {0, 1, 3, 4, 6};
  const Choice choice = RunMethod("linear", problem, 2, {{"l2", "0.5"}, {"tolerance", "1e-10"}});
  const std::vector<double>& coefficients = golden.at("three_coefficients");
  for (size_t j = 0; j < 4; ++j) {
    double squares = 0;
    for (size_t c = 0; c < 3; ++c) {
      for (int a = problem.layout.offsets[j]; a < problem.layout.offsets[j + 1]; ++a) {
        const double value = coefficients[c * 6 + static_cast<size_t>(a)];
        squares += value * value;
      }
    }
    EXPECT_NEAR(choice.scores[j], std::sqrt(squares), 1e-6);
  }
}

TEST(Ridge, AColumnThatDependsOnOthersLeavesTheOthersInStep) {
  const PlantedProblem planted(Task::kRegression, 60, 4, 3, 5);
  Dataset data = planted.problem.train;
  Matrix x = CopyColumns(*data.x, std::vector<int32_t>{0, 1, 2});
  for (size_t i = 0; i < x.rows(); ++i) x(i, 1) = 0;
  data.x = MakeRows(std::move(x));
  ThreadPool pool(1);
  const std::vector<double> all = RidgeCoefficients(data, 0, {.pool = &pool});
  data.x = MakeRows(CopyColumns(*data.x, std::vector<int32_t>{0, 2}));
  const std::vector<double> others = RidgeCoefficients(data, 0, {.pool = &pool});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all, (std::vector<double>{others[0], 0, others[1]}));
}

TEST(Ridge, StoppedRanksByWhatEachColumnIsWorthAlone) {
  for (const size_t rows : {200u, 20u}) {
    const PlantedProblem planted(Task::kRegression, rows, 40, 4, 5);
    ThreadPool pool(1);
    Moments moments(planted.problem.train, pool);
    std::vector<double> alone;
    for (size_t c = 0; c < 40; ++c) {
      alone.push_back(std::abs(moments.Cross(0)[c] / (moments.variance(c) + 1)));
    }
    std::vector<int> order(40);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return alone[static_cast<size_t>(a)] > alone[static_cast<size_t>(b)];
    });
    order.resize(5);
    for (const char* method : {"linear", "rfe"}) {
      StopAfter at_once(0);
      const Choice choice = FindMethod(method).make()->Select(
          planted.problem, 5, 0, {.pool = &pool, .observer = &at_once});
      EXPECT_EQ(choice.features, order) << method << " of " << rows << " rows";
    }
  }
}

// Asked at least once for every row of a factor and every task of a product.
TEST(Ridge, AsksWhetherToStopInItsLongLoops) {
  for (const size_t rows : {400u, 100u}) {
    const PlantedProblem planted(Task::kRegression, rows, 200, 4, 5);
    ThreadPool pool(1);
    StopAfter never(1000000), late(100);
    EXPECT_EQ(
        RidgeCoefficients(planted.problem.train, 1, {.pool = &pool, .observer = &never}).size(),
        200u);
    EXPECT_LT(never.left(), 1000000 - 100);
    EXPECT_TRUE(
        RidgeCoefficients(planted.problem.train, 1, {.pool = &pool, .observer = &late}).empty());
    EXPECT_EQ(late.left(), -1);
  }
}

}  // namespace
}  // namespace slm
