#include "jobs/estimate.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>

#include "base/options.h"
#include "base/thread_pool.h"
#include "tests/data/cells.h"

namespace slm {
namespace {

Problem ProblemOfRows(size_t rows) {
  Problem problem;
  problem.layout.names = {"a", "b"};
  problem.layout.offsets = {0, 1, 2};
  for (Dataset* data : {&problem.train, &problem.valid}) {
    data->x = MakeRows(Matrix(rows, 2));
    data->y.classes = 2;
    for (size_t i = 0; i < rows; ++i) {
      Cells(*data).row(i)[0] = static_cast<float>(i);
      data->y.index.push_back(static_cast<int32_t>(i % 2));
    }
  }
  return problem;
}

// Does what the test wants, and counts on how many rows.
class CountingSelector : public Selector {
 public:
  explicit CountingSelector(std::function<void(size_t rows)> work) : work_(std::move(work)) {}
  Choice Select(const Problem& problem, int k, uint64_t, const Context&) override {
    work_(problem.train.rows());
    Choice choice;
    choice.features.resize(static_cast<size_t>(k));
    std::iota(choice.features.begin(), choice.features.end(), 0);
    return choice;
  }

 private:
  std::function<void(size_t)> work_;
};

TEST(EstimateTest, AFastMethodIsMeasuredOnAllRows) {
  const Problem problem = ProblemOfRows(6400);
  std::vector<size_t> rows;
  ThreadPool pool(1);
  const std::array ks = {1};
  const auto time = EstimateTime(
      [&] { return std::make_unique<CountingSelector>([&](size_t n) { rows.push_back(n); }); },
      problem, ks, 0, {.pool = &pool});
  ASSERT_TRUE(time);
  EXPECT_EQ(rows, (std::vector<size_t>{100, 400, 1600, 6400}));
  EXPECT_EQ(time->basis, "the selection itself");
  EXPECT_EQ(time->low, time->high);
}

TEST(EstimateTest, AMethodThatCannotDoItHasNoEstimate) {
  const Problem problem = ProblemOfRows(100);
  ThreadPool pool(1);
  const std::array ks = {1};
  auto make = [] {
    return std::make_unique<CountingSelector>([](size_t) { throw std::runtime_error("no"); });
  };
  EXPECT_FALSE(EstimateTime(make, problem, ks, 0, {.pool = &pool}));
  EXPECT_FALSE(EstimateTimeBeside(2, make, problem, ks, 0, {.pool = &pool}));
}

TEST(EstimateTest, AShareOfTheRowsIsEvenlyDrawnAndKeepsItsLabels) {
  const Problem some = ShareOfRows(ProblemOfRows(1000), 0.1);
  ASSERT_EQ(some.train.rows(), 100u);
  EXPECT_EQ(some.train.y.rows(), 100u);
  EXPECT_EQ(Cells(some.train)(0, 0), 0);
  EXPECT_EQ(Cells(some.train)(99, 0), 990);
  EXPECT_EQ(some.train.y.index[3], 0);
  EXPECT_EQ(ShareOfRows(ProblemOfRows(20), 0.1).train.rows(), 20u) << "never fewer than fifty";
}

TEST(EstimateTest, GrowthIsThatOfTheTwoMeasurementsWithinReason) {
  EXPECT_DOUBLE_EQ(GrowthOf(100, 1, 200, 4), 2);
  EXPECT_DOUBLE_EQ(GrowthOf(100, 1, 200, 1), 1) << "nobody reads twice the rows in the same time";
  EXPECT_DOUBLE_EQ(GrowthOf(100, 1, 200, 1000), 3);
  EXPECT_DOUBLE_EQ(GrowthOf(100, 0, 200, 1), 1);
}

}  // namespace
}  // namespace slm
