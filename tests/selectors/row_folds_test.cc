#include "selectors/row_folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "slm/errors.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

TEST(RowFolds, ClassesOfFewRowsLeaveNoPartEmpty) {
  constexpr int kClasses = 50;
  for (const size_t each : {1u, 2u, 3u}) {
    PlantedProblem planted(Task::kClassification, kClasses * each, 3, 1, 4);
    Labels& y = planted.problem.train.y;
    y.classes = kClasses;
    for (size_t i = 0; i < y.index.size(); ++i) y.index[i] = static_cast<int32_t>(i % kClasses);
    const std::vector<RowFold> folds = DealFolds(planted.problem, 5, true, "folds");
    ASSERT_EQ(folds.size(), 5u);
    for (const RowFold& fold : folds) {
      EXPECT_EQ(fold.held_out.rows(), 10 * each);
      EXPECT_EQ(fold.choose.rows(), 10 * each);
      EXPECT_EQ(fold.learn.rows(), 30 * each);
    }
  }
}

TEST(RowFolds, RowsOfAClassAreSpreadEvenly) {
  PlantedProblem planted(Task::kClassification, 70, 3, 1, 4);
  Labels& y = planted.problem.train.y;
  for (size_t i = 0; i < 70; ++i) y.index[i] = i % 7 == 0 ? 1 : 0;
  for (const RowFold& fold : DealFolds(planted.problem, 5, false, "folds")) {
    EXPECT_EQ(std::count(fold.held_out.y.index.begin(), fold.held_out.y.index.end(), 1), 2);
    EXPECT_EQ(fold.held_out.rows(), 14u);
    EXPECT_EQ(fold.choose.rows(), 0u);
  }
}

TEST(RowFolds, CountRowsWithAWeightAlone) {
  PlantedProblem planted(Task::kRegression, 60, 3, 1, 4);
  std::vector<float>& weight = planted.problem.train.weight;
  for (size_t i = 0; i < 60; ++i) weight.push_back(i % 5 == 0 ? 5 : 0);
  for (const RowFold& fold : DealFolds(planted.problem, 5, true, "folds")) {
    for (const Dataset* part : {&fold.learn, &fold.held_out, &fold.choose}) {
      EXPECT_GE(part->rows(), 2u);
      for (float w : part->weight) EXPECT_EQ(w, 5);
    }
    EXPECT_EQ(fold.learn.rows() + fold.held_out.rows() + fold.choose.rows(), 12u);
  }
  EXPECT_THROW(DealFolds(planted.problem, 7, true, "folds"), InputError);
}

TEST(RowFolds, RefuseToLeaveNothingToLearnFrom) {
  const PlantedProblem planted(Task::kRegression, 60, 3, 1, 4);
  EXPECT_THROW(DealFolds(planted.problem, 2, true, "folds"), InputError);
  EXPECT_EQ(DealFolds(planted.problem, 2, false, "folds").size(), 2u);
}

}  // namespace
}  // namespace slm
