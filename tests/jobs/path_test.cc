#include "jobs/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "jobs/resample.h"
#include "selectors/catalog.h"
#include "slm/errors.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

PathSpec Request(const std::string& method = "anova") {
  PathSpec request;
  request.select.target = "y";
  request.select.split = {0.875, 0.125, 0};
  request.method = method;
  request.make = FindMethod(method).make;
  request.folds = 3;
  return request;
}

PathResult Follow(const PathSpec& request, bool classes = true, int threads = 2,
                  Observer* observer = nullptr) {
  ThreadPool pool(threads);
  const Tables tables{PlantedTable(300, 9, classes, 1), std::nullopt, std::nullopt};
  return FollowPath(tables, request, {.pool = &pool, .observer = observer});
}

TEST(GeometricGrid, GoesFromOneToTheLargestWithoutRepeats) {
  EXPECT_EQ(GeometricGrid(1), std::vector<int>({1}));
  EXPECT_EQ(GeometricGrid(2), std::vector<int>({1, 2}));
  EXPECT_EQ(GeometricGrid(10), std::vector<int>({1, 2, 3, 4, 6, 8, 10}));
  for (int largest : {3, 77, 617, 1000}) {
    const std::vector<int> grid = GeometricGrid(largest);
    EXPECT_EQ(grid.front(), 1);
    EXPECT_EQ(grid.back(), largest);
    EXPECT_EQ(std::set<int>(grid.begin(), grid.end()).size(), grid.size());
    EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
  }
}

TEST(FollowPath, FindsTheThreePlantedColumnsToBeEnough) {
  for (bool classes : {true, false}) {
    const PathResult result = Follow(Request(), classes);
    ASSERT_EQ(result.points.size(), GeometricGrid(9).size());
    EXPECT_EQ(result.metric, classes ? "accuracy" : "mae");
    EXPECT_EQ(result.folds, 3);
    EXPECT_EQ(result.data.test, 100u);
    EXPECT_EQ(result.chosen_k, 3);
    const PathPoint& three = result.points[2];
    ASSERT_EQ(three.method.size(), 3u);
    ASSERT_EQ(three.random.size(), 3u);
    const double gain = three.Method().mean - three.Random().mean;
    EXPECT_GT(classes ? gain : -gain, 0.05);
  }
}

TEST(FollowPath, OneRunOfSlmServesEveryK) {
  PathSpec request = Request("slm");
  request.make = [] {
    std::unique_ptr<Selector> selector = FindMethod("slm").make();
    OptionList options;
    selector->DescribeOptions(options);
    options.Set("steps", "300");
    options.Set("hidden_units", "16");
    options.Set("learning_rate", "0.01");
    options.Set("cross_fit", "never");
    return selector;
  };
  const PathResult result = Follow(request);
  EXPECT_EQ(result.chosen_k, 3);
}

TEST(FollowPath, ToleranceReplacesTheStandardError) {
  PathSpec request = Request();
  request.tolerance = 1;  // anything will do
  EXPECT_EQ(Follow(request).chosen_k, 1);
  request.tolerance = 0;
  const PathResult strict = Follow(request);
  EXPECT_EQ(strict.chosen_k, strict.best_k);
}

TEST(FollowPath, TakesTheGridOfTheCaller) {
  PathSpec request = Request();
  request.ks = {5, 2, 5};
  const PathResult listed = Follow(request);
  ASSERT_EQ(listed.points.size(), 2u);
  EXPECT_EQ(listed.points[0].k, 2);
  EXPECT_EQ(listed.points[1].k, 5);
  request.ks = {3, 10};
  EXPECT_THROW(Follow(request), InputError);
  request.ks.clear();
  request.k_max = 4;
  EXPECT_EQ(Follow(request).points.back().k, 4);
}

TEST(FollowPath, ThreadsChangeNoBit) {
  const PathResult one = Follow(Request(), true, 1);
  for (int threads : {2, 8}) {
    const PathResult other = Follow(Request(), true, threads);
    for (size_t i = 0; i < one.points.size(); ++i) {
      EXPECT_EQ(one.points[i].method, other.points[i].method);
      EXPECT_EQ(one.points[i].random, other.points[i].random);
    }
  }
}

// Asks to stop once the fits of a round of folds are done.
class StopAfterRounds : public Observer {
 public:
  explicit StopAfterRounds(int rounds) : rounds_(rounds) {}
  void OnProgress(const Progress& progress) override {
    // The next round begins with a selection.
    if (progress.phase == "select" && progress.step > rounds_) stop_ = true;
  }
  bool Cancelled() override { return stop_; }

 private:
  const int rounds_;
  std::atomic<bool> stop_ = false;
};

TEST(FollowPath, AStopKeepsTheFoldsThatWereFinished) {
  StopAfterRounds second(2);
  const PathResult result = Follow(Request(), true, 1, &second);
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(result.folds, 2);
  EXPECT_EQ(result.points[0].method.size(), 2u);
  StopAfterRounds at_once(0);
  EXPECT_THROW(Follow(Request(), true, 1, &at_once), RuntimeFailure);
}

TEST(Resampler, FoldsHoldEveryRowOutOnceAndKeepTestRowsOut) {
  const Tables tables{PlantedTable(200, 4, true, 1), std::nullopt, std::nullopt};
  SelectionSpec request = Request().select;
  request.k = 1;
  request.split = {0.7, 0.1, 0.2};
  const std::vector<size_t> test = CutRows(tables, request).test.rows;
  std::multiset<size_t> held_out;
  for (const RowParts& parts : Resampler(tables, request).Folds(4)) {
    std::set<size_t> own(parts.train.rows.begin(), parts.train.rows.end());
    own.insert(parts.valid.rows.begin(), parts.valid.rows.end());
    EXPECT_NEAR(static_cast<double>(parts.valid.rows.size()), 15, 1);
    for (size_t row : parts.test.rows) EXPECT_FALSE(own.contains(row));
    held_out.insert(parts.test.rows.begin(), parts.test.rows.end());
    EXPECT_EQ(own.size() + parts.test.rows.size(), 200 - test.size());
  }
  EXPECT_EQ(held_out.size(), 200 - test.size());
  for (size_t row : test) EXPECT_FALSE(held_out.contains(row));
}

TEST(Resampler, BootstrapRepeatsTrainingRowsAndKeepsValidationApart) {
  const Tables tables{PlantedTable(200, 4, true, 1), std::nullopt, std::nullopt};
  SelectionSpec request = Request().select;
  request.k = 1;
  const RowParts parts = Resampler(tables, request).Bootstrap(7);
  const std::set<size_t> distinct(parts.train.rows.begin(), parts.train.rows.end());
  EXPECT_EQ(parts.train.rows.size(), 175u);
  EXPECT_NEAR(static_cast<double>(distinct.size()) / 175, 0.632, 0.08);
  for (size_t row : parts.valid.rows) EXPECT_FALSE(distinct.contains(row));
  EXPECT_TRUE(parts.test.rows.empty());
  const RowParts half = Resampler(tables, request).Subsample(0.5, 7);
  EXPECT_NEAR(static_cast<double>(half.train.rows.size() + half.valid.rows.size()), 100, 2);
}

}  // namespace
}  // namespace slm
