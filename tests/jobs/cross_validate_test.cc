#include "jobs/cross_validate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/thread_pool.h"
#include "jobs/select.h"
#include "selectors/catalog.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

struct Planted {
  Tables tables{.data = PlantedTable(240, 8, true, 3), .valid = {}, .test = {}};
  SelectionWork work;

  explicit Planted(int folds) {
    work.tables = &tables;
    work.request.target = "y";
    work.request.k = 3;
    work.request.split = {0.875, 0.125, 0};
    work.method = "anova";
    work.make = [] { return FindMethod("anova").make(); };
    work.folds = folds;
  }
};

TEST(CrossValidate, HoldsOutEveryRowOnceAndFindsThePlantedColumns) {
  const Planted planted(4);
  ThreadPool pool(2);
  const CrossValidation result = CrossValidate(planted.work, {.pool = &pool});
  ASSERT_EQ(result.folds.size(), 4u);
  size_t held_out = 0;
  for (const FoldResult& fold : result.folds) {
    held_out += fold.held_out;
    EXPECT_EQ(fold.train + fold.valid + fold.held_out, 240u);
    EXPECT_EQ(fold.selected.size(), 3u);
  }
  EXPECT_EQ(held_out, 240u);
  EXPECT_EQ(result.metric, "accuracy");
  EXPECT_GT(result.Metric().mean, 0.85);
  const std::vector<FeatureFrequency> often = result.chosen;
  ASSERT_EQ(often.size(), 3u);
  for (const FeatureFrequency& feature : often) {
    EXPECT_LT(feature.index, 3);
    EXPECT_DOUBLE_EQ(feature.frequency, 1);
  }
}

TEST(CrossValidate, GivesTheSameBitsAtAnyNumberOfThreads) {
  const Planted planted(3);
  ThreadPool one(1), four(4);
  EXPECT_EQ(WriteFields(CrossValidate(planted.work, {.pool = &one})).Dump(),
            WriteFields(CrossValidate(planted.work, {.pool = &four})).Dump());
  EXPECT_EQ(WriteFields(CompareWithChance(planted.work, 3, 1, {.pool = &one})).Dump(),
            WriteFields(CompareWithChance(planted.work, 3, 1, {.pool = &four})).Dump());
}

TEST(CompareWithChance, FindsNothingInShuffledLabels) {
  const Planted planted(0);
  SelectionWork work = planted.work;
  work.request.split = {0.6, 0.1, 0.3};
  ThreadPool pool(2);
  const NullComparison null = CompareWithChance(work, 12, 0.9, {.pool = &pool});
  ASSERT_EQ(null.chance.size(), 12u);
  EXPECT_NEAR(null.Chance().mean, 0.5, 0.1);
  EXPECT_EQ(null.as_good, 0u);
  EXPECT_DOUBLE_EQ(null.Share(), 1.0 / 13);
  EXPECT_NE(null.chance[0], null.chance[1]);
}

TEST(CompareWithChance, OfErrorsTheSmallerIsTheBetter) {
  NullComparison null{.metric = "mae", .actual = 2, .chance = {1, 2, 3}};
  null.as_good = CountAsGood(null.chance, null.actual, /*larger_is_better=*/false);
  EXPECT_EQ(null.as_good, 2u);
  EXPECT_DOUBLE_EQ(null.Share(), 0.75);
}

TEST(CompareWithChance, ARegressionOfShuffledValuesExplainsNothing) {
  Planted planted(3);
  planted.tables.data = PlantedTable(240, 8, false, 3);
  planted.work.request.metric = "r2";
  ThreadPool pool(2);
  const NullComparison null = CompareWithChance(planted.work, 3, 0.9, {.pool = &pool});
  EXPECT_LT(null.Chance().mean, 0.1);
  EXPECT_GT(CrossValidate(planted.work, {.pool = &pool}).Metric().mean, 0.8);
}

}  // namespace
}  // namespace slm
