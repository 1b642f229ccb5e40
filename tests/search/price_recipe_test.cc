#include "search/price_recipe.h"

#include <gtest/gtest.h>

#include <array>

#include "base/thread_pool.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

SlmOptions Quick() {
  SlmOptions options;
  options.starts = 1;
  options.filter_starts = 0;
  options.hidden_units = options.final_units = 8;
  options.rcs_weight = 0;
  return options;
}

TEST(PriceRecipe, IsOneFigureWhereItIsKnownWhichRunsThereAre) {
  const PlantedProblem planted(Task::kClassification, 200, 6, 2, 1);
  ThreadPool pool(1);
  for (CrossFit cross_fit : {CrossFit::kNever, CrossFit::kAlways}) {
    SlmOptions options = Quick();
    options.cross_fit = cross_fit;
    const TimeNeed time = TimeOfSearch(planted.problem, 2, options, 0, {.pool = &pool});
    EXPECT_GT(time.low, 0);
    EXPECT_EQ(time.low, time.high);
  }
}

TEST(PriceRecipe, IsARangeWhereResultsDecide) {
  const PlantedProblem planted(Task::kClassification, 200, 6, 2, 1);
  ThreadPool pool(1);
  const TimeNeed time = TimeOfSearch(planted.problem, 2, Quick(), 0, {.pool = &pool});
  EXPECT_LT(time.low, time.high);
  const std::array ks = {1, 2};
  const TimeNeed path = TimeOfMaskPath(planted.problem, ks, Quick(), 0, {.pool = &pool});
  EXPECT_GT(path.low, 0);
  EXPECT_LT(path.low, path.high);
}

TEST(PriceRecipe, IsKnownWhereRowsAreFew) {
  const PlantedProblem planted(Task::kRegression, 20, 60, 2, 1);
  ThreadPool pool(2);
  const TimeNeed time = TimeOfSearch(planted.problem, 2, Quick(), 0, {.pool = &pool});
  EXPECT_EQ(time.low, time.high);
  EXPECT_NE(time.basis, "");
}

}  // namespace
}  // namespace slm
