#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/linear/held_out_linear.h"
#include "selectors/methods.h"
#include "slm/errors.h"
#include "targets/metrics.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

constexpr int kFolds = 4;

Choice Search(const Problem& problem, int k, bool floating = false, int threads = 2) {
  ThreadPool pool(threads);
  const std::unique_ptr<Selector> selector = MakeSfs();
  OptionList list;
  selector->DescribeOptions(list);
  list.Set("sfs_folds", std::to_string(kFolds));
  list.Set("floating", floating ? "true" : "false");
  list.Set("tolerance", "1e-9");
  return selector->Select(problem, k, 0, {.pool = &pool});
}

// What the first `size` features reach.
Measure Reached(const Problem& problem, const std::vector<int>& order, size_t size) {
  ThreadPool pool(2);
  const Context context{.pool = &pool};
  HeldOutLinear model(problem, {.folds = kFolds, .tolerance = 1e-9}, context);
  const std::vector<int> set(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size));
  model.SetBase(set, context);
  return model.MeasureOf(set, context);
}

TEST(Sfs, TakesTheFeaturesOfMlxtendForValuesInItsOrder) {
  const Golden golden("sfs");
  const Problem problem = golden.MakeProblem(Task::kRegression);
  const std::vector<int> order = golden.ints("order");
  EXPECT_EQ(Search(problem, 6).features, order);
  for (size_t size = 1; size <= order.size(); ++size) {
    EXPECT_NEAR(Reached(problem, order, size).quality, golden.at("scores")[size - 1], 1e-5);
  }
}

TEST(Sfs, TakesTheFeaturesOfMlxtendForClassesInItsOrder) {
  const Golden golden("sfs");
  Problem problem = golden.MakeProblem(Task::kClassification, "class_x", "class_y");
  problem.valid.metric = &FindMetric("log_loss", Task::kClassification);
  const std::vector<int> order = golden.ints("class_order");
  EXPECT_EQ(Search(problem, 6).features, order);
  for (size_t size = 1; size <= order.size(); ++size) {
    EXPECT_NEAR(-Reached(problem, order, size).loss, golden.at("class_scores")[size - 1], 1e-5);
  }
}

TEST(Sfs, FloatingTakesOutWhatTheOthersMakeUp) {
  const Golden golden("sfs");
  const Problem problem = golden.MakeProblem(Task::kRegression);
  std::vector<int> found = Search(problem, 6, true).features;
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, golden.ints("floating"));
  std::vector<int> forward = golden.ints("order");
  std::sort(forward.begin(), forward.end());
  EXPECT_NE(found, forward);
}

TEST(Sfs, TakesTheColumnsOfAFeatureTogetherWhicheverIsInTheBase) {
  const Golden golden("sfs");
  Problem problem = golden.MakeProblem(Task::kRegression);
  // Features of 1, 3, 2, ... columns.
  problem.layout.offsets = {0, 1, 4, 6, 9, 10, 14};
  problem.layout.names.resize(6);
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  HeldOutLinear one(problem, {.folds = kFolds}, context),
      other(problem, {.folds = kFolds}, context);
  one.SetBase(std::vector<int>{1, 5}, context);
  other.SetBase(std::vector<int>{3}, context);
  const std::vector<int> set = {1, 5, 3}, turned = {3, 1};
  EXPECT_NEAR(one.MeasureOf(set, context).loss, one.MeasureOf({{3, 5, 1}}, context).loss, 1e-9);
  EXPECT_NEAR(one.MeasureOf({{1, 3}}, context).loss, other.MeasureOf(turned, context).loss, 1e-9);
}

TEST(Sfs, RefusesMoreFoldsThanThereAreRowsFor) {
  const Golden golden("sfs");
  const Problem problem = golden.MakeProblem(Task::kRegression);
  ThreadPool pool(1);
  EXPECT_THROW(HeldOutLinear(problem, {.folds = 30}, {.pool = &pool}), InputError);
}

TEST(Sfs, FoldsCountByTheWeightThatTheyHoldOut) {
  PlantedProblem planted(Task::kRegression, 80, 4, 2, 3);
  Dataset& train = planted.problem.train;
  // The last of four folds weighs almost nothing, and nothing can be said of its rows.
  for (size_t i = 0; i < train.rows(); ++i) {
    train.weight.push_back(i % 4 == 3 ? 1e-9f : 1);
    if (i % 4 == 3) train.y.value[i] = i % 8 == 3 ? 100 : -100;
  }
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  HeldOutLinear model(planted.problem, {.folds = kFolds}, context);
  model.SetBase(std::vector<int>{0, 1}, context);
  EXPECT_LT(model.MeasureOf(std::vector<int>{0, 1}, context).loss, 0.1);
}

TEST(Sfs, ExtendingABaseIsMeasuringItAnew) {
  const PlantedProblem planted(Task::kRegression, 80, 12, 4, 3);
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  HeldOutLinear grown(planted.problem, {.folds = kFolds}, context);
  HeldOutLinear whole(planted.problem, {.folds = kFolds}, context);
  const std::vector<int> base = {3, 8, 1, 0}, set = {3, 8, 1, 0, 2};
  grown.SetBase(base, context);
  whole.SetBase(set, context);
  EXPECT_EQ(grown.MeasureOf(set, context).loss, whole.MeasureOf(set, context).loss);
  EXPECT_EQ(grown.MeasureOf(base, context).loss, whole.MeasureOf(base, context).loss);
}

}  // namespace
}  // namespace slm
