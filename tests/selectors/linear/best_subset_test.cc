#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/thread_pool.h"
#include "selectors/linear/subset_model.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

std::vector<int> Support(const Problem& problem) {
  std::vector<int> support = RunMethod("best-subset", problem, 3, {{"l2", "0"}}).features;
  std::sort(support.begin(), support.end());
  return support;
}

void Group(const Golden& golden, Problem& problem) {
  problem.layout.offsets.clear();
  for (int offset : golden.ints("offsets")) problem.layout.offsets.push_back(offset);
  problem.layout.names.resize(problem.layout.offsets.size() - 1);
}

TEST(BestSubset, FindsTheSupportOfAbessWhichIsTheBestOfAll) {
  const Golden golden("best_subset");
  EXPECT_EQ(Support(golden.MakeProblem(Task::kRegression)), golden.ints("values"));
  for (const std::string key : {"two", "three"}) {
    const Problem problem = golden.MakeProblem(Task::kClassification, "x", key + "_y");
    EXPECT_EQ(Support(problem), golden.ints(key)) << key;
  }
}

TEST(BestSubset, FindsTheBestFeaturesOfSeveralColumns) {
  const Golden golden("best_subset");
  Problem values = golden.MakeProblem(Task::kRegression, "x", "group_y");
  Group(golden, values);
  EXPECT_EQ(Support(values), golden.ints("values_groups"));
  for (const std::string key : {"two", "three"}) {
    Problem problem = golden.MakeProblem(Task::kClassification, "x", key + "_y");
    Group(golden, problem);
    EXPECT_EQ(Support(problem), golden.ints(key + "_groups")) << key;
  }
}

TEST(SubsetModel, HasTheLossOfLeastSquares) {
  const Golden golden("best_subset");
  const Problem problem = golden.MakeProblem(Task::kRegression);
  ThreadPool pool(1);
  std::vector<size_t> best;
  for (int j : golden.ints("values")) best.push_back(static_cast<size_t>(j));
  EXPECT_NEAR(MakeSubsetSquared(problem, 0, pool)->Fit(best, 0, {.pool = &pool}),
              golden.at("loss")[0], 1e-9);
}

// What a sacrifice says of a feature, against a fit with it or without it. Least squares is a
// parabola, so that the loss of the feature alone is exact where columns are uncorrelated.
class SacrificeTest : public testing::TestWithParam<Task> {};

TEST_P(SacrificeTest, ForetellsTheLossOfFitsWithAndWithoutAFeature) {
  const PlantedProblem planted(GetParam(), 4000, 8, 4, 3);
  Problem problem = planted.problem;
  for (size_t i = 0; i < problem.train.y.index.size(); ++i) {
    // Three classes, far from certain: the loss is close to its parabola.
    if (i % 5 != 0) problem.train.y.index[i] = static_cast<int32_t>(i % 3);
  }
  if (GetParam() == Task::kClassification) problem.train.y.classes = 3;
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  const std::unique_ptr<SubsetModel> model = GetParam() == Task::kClassification
                                                 ? MakeSubsetLogistic(problem, 0, {.pool = &pool})
                                                 : MakeSubsetSquared(problem, 0, pool);
  const double none = std::numeric_limits<double>::infinity();
  const double loss = model->Fit(std::vector<size_t>{0, 1}, none, context);
  model->Accept();
  std::vector<double> sacrifices(8);
  model->Sacrifices(sacrifices, {.pool = &pool});
  const double without = model->Fit(std::vector<size_t>{1}, none, context) - loss;
  const double with = loss - model->Fit(std::vector<size_t>{0, 1, 2}, none, context);
  EXPECT_GT(without, 0);
  EXPECT_NEAR(sacrifices[0] / without, 1, 0.1);
  EXPECT_NEAR(sacrifices[2] / with, 1, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Tasks, SacrificeTest,
                         testing::Values(Task::kClassification, Task::kRegression));

}  // namespace
}  // namespace slm
