#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "selectors/networks/sparse_group_prox.h"
#include "selectors/networks/sparse_net.h"
#include "tests/data/indices.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

void ExpectProximalStepsAgree(const Problem& problem, const Golden& golden,
                              const std::string& prefix) {
  const std::vector<double>& settings = golden.at("settings");
  const double rate = settings[0], ridge = settings[1], lambda = settings[2];
  const double alpha = golden.at(prefix + "_alpha")[0];
  SparseNet net(problem.train, problem.valid, {.hidden_units = 5}, RandomStream(0, 0));
  DenseLayer& upper = net.upper_layers()[0];
  Matrix* parts[] = {&net.hidden_weights(), &net.hidden_layer().bias().w, &upper.weights().w,
                     &upper.bias().w};
  for (size_t i = 0; i < 4; ++i) {
    *parts[i] = golden.matrix(prefix + "_start_" + std::to_string(i));
  }
  const std::vector<int32_t> rows = Indices(problem.train.rows());
  for (int step = 0; step < 12; ++step) {
    net.Gradients(rows);
    net.AddUpperPenalty(ridge);
    net.SaveWeights();
    net.StepFromSaved(rate);
    for (size_t j = 0; j < problem.layout.features(); ++j) {
      SparseGroupProx(RowsOf(net.hidden_weights(), problem.layout, j), rate * lambda, alpha);
    }
  }
  for (size_t i = 0; i < 4; ++i) {
    const Matrix expected = golden.matrix(prefix + "_end_" + std::to_string(i));
    for (size_t r = 0; r < expected.rows(); ++r) {
      for (size_t c = 0; c < expected.cols(); ++c) {
        EXPECT_NEAR((*parts[i])(r, c), expected(r, c), 2e-5)
            << "part " << i << " " << r << " " << c;
      }
    }
  }
  EXPECT_NEAR(net.LossOf(rows) + ridge * net.UpperSquares(), golden.at(prefix + "_loss")[0], 1e-5);
}

TEST(GroupLassoNn, TakesTheProximalStepsOfAnIndependentForm) {
  const Golden golden("group_lasso_nn");
  {
    SCOPED_TRACE("group lasso, classes");
    ExpectProximalStepsAgree(golden.MakeProblem(Task::kClassification), golden, "classes");
  }
  {
    SCOPED_TRACE("sparse group lasso, values");
    ExpectProximalStepsAgree(golden.MakeProblem(Task::kRegression, "u", "z"), golden, "values");
  }
}

TEST(SparseGroupProx, IsTheMinimumOfItsObjective) {
  RandomStream random(1, 0);
  std::vector<float> w(6);
  for (float& x : w) x = static_cast<float>(random.Normal());
  for (double alpha : {0.0, 0.5, 1.0}) {
    std::vector<float> best = w;
    SparseGroupProx(best, 0.4, alpha);
    auto objective = [&](const std::vector<float>& b) {
      double squares = 0;
      for (size_t i = 0; i < w.size(); ++i)
        squares += std::pow(static_cast<double>(w[i]) - b[i], 2);
      return 0.5 * squares + 0.4 * SparseGroupNorm(b, alpha);
    };
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<float> other = best;
      for (float& x : other) x += static_cast<float>(0.05 * random.Normal());
      EXPECT_LE(objective(best), objective(other) + 1e-6) << alpha;
    }
    std::vector<float> gone = w;
    SparseGroupProx(gone, 100, alpha);
    EXPECT_TRUE(std::all_of(gone.begin(), gone.end(), [](float x) { return x == 0; })) << alpha;
  }
}

TEST(SparseNet, AStepShortEnoughStaysBelowItsBound) {
  const PlantedProblem planted(Task::kClassification, 100, 6, 3, 2);
  SparseNet net(planted.problem.train, planted.problem.valid, {.hidden_units = 8},
                RandomStream(3, 0));
  const std::vector<int32_t> rows = Indices(planted.problem.train.rows());
  const double before = net.Gradients(rows);
  net.SaveWeights();
  net.StepFromSaved(1e-2);
  const double after = net.LossOf(rows);
  EXPECT_LT(after, before);
  EXPECT_LE(after, before + net.StepBound(1e-2) + 1e-6);
  net.StepFromSaved(0);
  EXPECT_NEAR(net.LossOf(rows), before, 1e-6);
}

TEST(GroupLassoNn, FindsPlantedFeaturesOfValuesAndOfClasses) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem planted(task, 300, 15, 3, 4);
    for (const char* alpha : {"1", "0.5"}) {
      Choice choice = RunMethod("group-lasso-nn", planted.problem, 3,
                                {{"hidden_units", "16"}, {"alpha", alpha}});
      std::sort(choice.features.begin(), choice.features.end());
      EXPECT_EQ(choice.features, (std::vector<int>{0, 1, 2})) << "alpha " << alpha;
    }
  }
}

}  // namespace
}  // namespace slm
