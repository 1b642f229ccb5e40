#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/methods.h"
#include "slm/errors.h"
#include "targets/metrics.h"
#include "tests/data/cells.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

Choice Rank(const Problem& problem, int k, const std::vector<OptionSetting>& settings) {
  ThreadPool pool(2);
  const std::unique_ptr<Selector> selector = MakePermutation();
  OptionList list;
  selector->DescribeOptions(list);
  for (const OptionSetting& one : settings) list.Set(one.name, one.value);
  return selector->Select(problem, k, 0, {.pool = &pool});
}

// Of a linear model, permuted squares rise by 2 beta^2 var(x) on average.
TEST(Permutation, OfALinearModelIsTwiceTheSquareOfTheCoefficients) {
  PlantedProblem planted(Task::kRegression, 3000, 5, 1, 9);
  const std::vector<double> beta = {0.8, -0.5, 0.3, 0, 0};
  for (Dataset* data : {&planted.problem.train, &planted.problem.valid}) {
    for (size_t i = 0; i < data->rows(); ++i) {
      double y = 0;
      for (size_t j = 0; j < 5; ++j) y += beta[j] * Cells(*data).row(i)[j];
      data->y.value[i] = static_cast<float>(y);
    }
  }
  planted.problem.valid.metric = &FindMetric("r2", Task::kRegression);
  const Choice choice = Rank(planted.problem, 3, {{"hidden_layers", "0"}, {"repeats", "10"}});
  EXPECT_EQ(choice.features, (std::vector<int>{0, 1, 2}));
  // In shares of the variance of the target.
  for (size_t j = 0; j < 5; ++j) {
    EXPECT_NEAR(choice.scores[j], 2 * beta[j] * beta[j] / 0.98, 0.06) << j;
  }
}

TEST(Permutation, RanksAsPermutationsAroundScikitLearnsPerceptronDo) {
  const Golden golden("permutation");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  const std::vector<double> theirs = golden.at("importance");
  const Choice choice = Rank(problem, 4, {});
  EXPECT_EQ(choice.features, golden.ints("order"));
  double xy = 0, xx = 0, yy = 0, mean_x = 0, mean_y = 0;
  const double n = static_cast<double>(theirs.size());
  for (size_t j = 0; j < theirs.size(); ++j) {
    mean_x += choice.scores[j] / n;
    mean_y += theirs[j] / n;
  }
  for (size_t j = 0; j < theirs.size(); ++j) {
    const double x = choice.scores[j] - mean_x, y = theirs[j] - mean_y;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  EXPECT_GT(xy / std::sqrt(xx * yy), 0.97);
}

TEST(Permutation, RefusesMoreFoldsThanThereAreRowsFor) {
  const PlantedProblem planted(Task::kRegression, 20, 5, 1, 9);
  EXPECT_THROW(Rank(planted.problem, 2, {{"permutation_folds", "11"}}), InputError);
}

TEST(Permutation, CutShortEveryFeatureIsAMeanOverTheFoldsItWasMeasuredIn) {
  constexpr int kFeatures = 6;
  PlantedProblem planted(Task::kRegression, 400, kFeatures, 1, 9, {5, 1, 2, 3, 4, 0});
  const auto rank = [&](StopAfter& observer) {
    ThreadPool pool(1);
    const std::unique_ptr<Selector> selector = MakePermutation();
    OptionList list;
    selector->DescribeOptions(list);
    list.Set("permutation_folds", "3");
    list.Set("repeats", "1");
    list.Set("hidden_layers", "0");
    return selector->Select(planted.problem, 1, 0, {.pool = &pool, .observer = &observer});
  };
  constexpr int kMany = 1000000;
  StopAfter never(kMany);
  const double whole = rank(never).scores[5];
  // Each measurement asks once: after one of three folds.
  StopAfter early(kMany - never.left() - 2 * kFeatures);
  const Choice cut = rank(early);
  EXPECT_GT(cut.scores[5], 0.6 * whole);
  EXPECT_EQ(cut.features, std::vector<int>{5});
}

}  // namespace
}  // namespace slm
