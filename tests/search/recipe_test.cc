#include "search/recipe.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "nn/mlp.h"
#include "search/explain_recipe.h"
#include "slm/errors.h"
#include "targets/metrics.h"

namespace slm {
namespace {

constexpr TableShape kTall = {5000, 100};
constexpr TableShape kFew = {100, 201};

// What tells the runs of a recipe apart, but for their random numbers.
using Kind = std::tuple<double, bool, int, Objective>;

Kind KindOf(const PlannedRun& run) {
  return {run.filter.Of(1), run.cross_fitted, run.training.hidden_layers, run.training.objective};
}

std::vector<Kind> KindsOf(const Stage& stage) {
  std::vector<Kind> kinds;
  for (const PlannedRun& run : stage.runs) kinds.push_back(KindOf(run));
  return kinds;
}

std::set<Kind> DistinctKinds(const Recipe& recipe) {
  std::set<Kind> kinds;
  for (const Stage& stage : recipe.stages) {
    for (const PlannedRun& run : stage.runs) kinds.insert(KindOf(run));
  }
  return kinds;
}

constexpr Objective kMi = Objective::kMi, kAbsolute = Objective::kTaskOnly;

TEST(MakeRecipe, ForClassesHasSixPlainRunsAndFourCrossFittedOnesWhereThoseDoPoorly) {
  const Recipe recipe = MakeRecipe(kTall, CrossEntropyLoss(), {});
  ASSERT_EQ(recipe.stages.size(), 2u);
  const Stage &plain = recipe.stages[0], &crossed = recipe.stages[1];
  EXPECT_EQ(KindsOf(plain), (std::vector<Kind>{{0, false, 1, kMi},
                                               {0, false, 1, kMi},
                                               {0, false, 1, kMi},
                                               {0, false, 1, kMi},
                                               {1.0 / 15, false, 1, kMi},
                                               {1.0 / 5, false, 1, kMi}}));
  EXPECT_EQ(plain.when, Stage::When::kAlways);
  EXPECT_EQ(plain.gives, Stage::Gives::kEachRun);
  EXPECT_EQ(KindsOf(crossed), (std::vector<Kind>{{0, true, 1, kMi},
                                                 {1.0 / 40, true, 1, kMi},
                                                 {0, true, 1, kMi},
                                                 {1.0 / 40, true, 1, kMi}}));
  EXPECT_EQ(crossed.when, Stage::When::kWherePoor);
  EXPECT_EQ(crossed.gives, Stage::Gives::kMeanMask);
  EXPECT_EQ(crossed.runs[0].training.hidden_units, 32);
  EXPECT_EQ(crossed.runs[0].steps, 6000);
  EXPECT_EQ(crossed.runs[0].training.drops, 10);
  EXPECT_EQ(crossed.runs[0].training.rcs_weight, 0);
  EXPECT_EQ(recipe.poor, 0.9);
  EXPECT_EQ(recipe.own_weight, 0.5);
}

TEST(MakeRecipe, ForValuesHalfOfTheRunsOfAKindLearnFromAbsoluteErrorsAndSomeAreLinear) {
  const Recipe recipe = MakeRecipe(kTall, AbsoluteLoss(), {});
  ASSERT_EQ(recipe.stages.size(), 2u);
  EXPECT_EQ(KindsOf(recipe.stages[0]), (std::vector<Kind>{{0, false, 1, kMi},
                                                          {0, false, 1, kAbsolute},
                                                          {0, false, 1, kMi},
                                                          {0, false, 1, kAbsolute},
                                                          {1.0 / 15, false, 1, kMi},
                                                          {1.0 / 5, false, 1, kAbsolute},
                                                          {0, false, 0, kMi},
                                                          {1.0 / 15, false, 0, kAbsolute}}));
  EXPECT_EQ(recipe.stages[0].runs[0].training.learning_rate, 2e-3);
  EXPECT_EQ(recipe.stages[0].runs[1].training.learning_rate, 5e-3);
  // Cross-fitted runs have a high rate already.
  EXPECT_EQ(recipe.stages[1].runs[0].training.learning_rate,
            recipe.stages[1].runs[1].training.learning_rate);
  EXPECT_EQ(recipe.own_weight, 0);
  SlmOptions task_only;
  task_only.objective = Objective::kTaskOnly;
  EXPECT_EQ(MakeRecipe(kTall, AbsoluteLoss(), task_only).stages[0].runs[1].training.learning_rate,
            2e-3);
}

TEST(MakeRecipe, ForAMetricThatCountsRareClassesHalfOfTheRunsOfAKindHaveBalancedBatches) {
  const TableShape shape = {5000, 100, &FindMetric("auc", Task::kClassification)};
  const Recipe recipe = MakeRecipe(shape, CrossEntropyLoss(), {});
  std::vector<bool> balanced;
  for (const Stage& stage : recipe.stages) {
    for (const PlannedRun& run : stage.runs) balanced.push_back(run.balanced);
  }
  EXPECT_EQ(balanced, (std::vector<bool>{false, true, false, true, false, true,  // plain
                                         false, true, false, true}));
  // A path takes one run of each kind.
  size_t on_path = 0;
  const Recipe path = MakePathRecipe(shape, CrossEntropyLoss(), {});
  for (const PlannedRun& run : path.stages[0].runs) on_path += run.balanced ? 1 : 0;
  EXPECT_EQ(on_path, 2u);
  // Their own validation is by other class shares than that of the refits.
  EXPECT_EQ(recipe.own_weight, 0);
  EXPECT_EQ(recipe.poor, 0.5);
  EXPECT_NE(RecipeText(recipe).find("balanced batches"), std::string::npos);
  EXPECT_NE(RecipeText(recipe).find("mean explained entropy"), std::string::npos);
  for (const char* plain : {"accuracy", "log_loss"}) {
    const Recipe other =
        MakeRecipe({5000, 100, &FindMetric(plain, Task::kClassification)}, CrossEntropyLoss(), {});
    for (const PlannedRun& run : other.stages[0].runs) EXPECT_FALSE(run.balanced) << plain;
  }
}

TEST(MakeRecipe, WhereRowsAreFewCrossFittedRunsThatLeanOnTheFilterStandAlone) {
  const Recipe recipe = MakeRecipe(kFew, CrossEntropyLoss(), {});
  ASSERT_EQ(recipe.stages.size(), 1u);
  EXPECT_TRUE(recipe.few_rows);
  EXPECT_EQ(recipe.stages[0].when, Stage::When::kAlways);
  for (const PlannedRun& run : recipe.stages[0].runs) {
    EXPECT_EQ(KindOf(run), (Kind{0.3, true, 1, kMi}));
  }
  EXPECT_FALSE(MakeRecipe({100, 200}, CrossEntropyLoss(), {}).few_rows);
  EXPECT_FALSE(MakeRecipe({1000, 9000}, CrossEntropyLoss(), {}).few_rows);
  SlmOptions unjudged;
  unjudged.refits = 0;
  EXPECT_FALSE(MakeRecipe(kFew, CrossEntropyLoss(), unjudged).few_rows);
  SlmOptions never;
  never.cross_fit = CrossFit::kNever;
  EXPECT_FALSE(MakeRecipe(kFew, CrossEntropyLoss(), never).few_rows);
}

TEST(MakeRecipe, CrossFitsManyColumnsOnlyIfAsked) {
  constexpr TableShape kWide = {5000, 2001};
  SlmOptions options;
  EXPECT_EQ(MakeRecipe(kWide, CrossEntropyLoss(), options).stages.size(), 1u);
  options.cross_fit = CrossFit::kAlways;
  EXPECT_EQ(MakeRecipe(kWide, CrossEntropyLoss(), options).stages.at(1).when, Stage::When::kAlways);
  options = {};
  options.starts = options.filter_starts = 0;
  const Recipe alone = MakeRecipe(kWide, CrossEntropyLoss(), options);
  ASSERT_EQ(alone.stages.size(), 1u);
  EXPECT_TRUE(alone.stages[0].runs[0].cross_fitted);
}

TEST(MakeRecipe, BoundsTheStepsByPassesOverTheRows) {
  auto steps = [](size_t rows, const SlmOptions& options) {
    return MakeRecipe({rows, 10}, CrossEntropyLoss(), options).stages[0].runs[0].steps;
  };
  EXPECT_EQ(steps(5000, {}), 2000);
  EXPECT_EQ(steps(250, {}), 300 * 4);
  EXPECT_EQ(steps(64, {}), 600);
  SlmOptions epochs;
  epochs.epochs = 3;
  EXPECT_EQ(steps(250, epochs), 12);
}

TEST(MakeRecipe, GivesEveryRunRandomNumbersOfItsOwn) {
  SlmOptions options;
  options.starts = options.filter_starts = options.linear_starts = options.cross_fit_runs = 1000;
  const Recipe recipe = MakeRecipe(kTall, AbsoluteLoss(), options);
  std::set<uint64_t> indices;
  for (const Stage& stage : recipe.stages) {
    for (const PlannedRun& run : stage.runs) indices.insert(run.index);
  }
  EXPECT_EQ(indices.size(), 4000u);
}

TEST(MakeRecipe, WithoutARunIsAUsageError) {
  SlmOptions options = PaperOptions();
  options.starts = 0;
  EXPECT_THROW(MakeRecipe(kTall, CrossEntropyLoss(), options), InputError);
}

TEST(MakePathRecipe, HasEveryKindOfRunThatASelectionHas) {
  for (const LossKind* loss : {&CrossEntropyLoss(), &AbsoluteLoss()}) {
    for (const TableShape& shape : {kTall, kFew}) {
      const Recipe path = MakePathRecipe(shape, *loss, {}),
                   selection = MakeRecipe(shape, *loss, {});
      EXPECT_EQ(DistinctKinds(path), DistinctKinds(selection));
      ASSERT_EQ(path.stages.size(), selection.stages.size());
      for (size_t s = 0; s < path.stages.size(); ++s) {
        EXPECT_EQ(path.stages[s].when, selection.stages[s].when);
        EXPECT_EQ(path.stages[s].gives, selection.stages[s].gives);
      }
    }
  }
}

TEST(MakePathRecipe, TakesTwiceTheStepsAndAllOfThemForTheWayDown) {
  const Recipe path = MakePathRecipe(kTall, CrossEntropyLoss(), {});
  const PlannedRun &plain = path.stages[0].runs[0], &crossed = path.stages[1].runs[0];
  EXPECT_EQ(path.stages[0].runs.size(), 3u) << "starts from all ones differ by chance alone";
  EXPECT_EQ(plain.steps, 4000);
  EXPECT_EQ(plain.training.drops, 45);
  EXPECT_EQ(plain.training.tempering, 1);
  EXPECT_EQ(crossed.steps, 12000);
  EXPECT_EQ(crossed.training.drops, 15);
  EXPECT_EQ(crossed.training.tempering, 1);
}

TEST(RecipeText, HasALineForEveryRun) {
  const std::string text = RecipeText(MakeRecipe(kTall, AbsoluteLoss(), {}));
  EXPECT_NE(text.find("5000 training rows, 100 encoded columns; loss absolute\n"),
            std::string::npos);
  for (int i = 0; i < 12; ++i) {
    EXPECT_NE(text.find("  run " + std::to_string(i) + " "), std::string::npos) << i;
  }
  EXPECT_NE(text.find("filter, 1/15 of the steps  linear"), std::string::npos) << text;
}

TEST(RecipeJson, SaysHowEveryRunIsTrained) {
  const Json json = RecipeJson(MakeRecipe(kFew, AbsoluteLoss(), {}));
  EXPECT_EQ(json["schema"].text(), "slm.recipe/1");
  EXPECT_TRUE(json["few_rows"].boolean());
  const Json::Array& runs = json["stages"].array().at(0)["runs"].array();
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[1]["objective"].text(), "task");
  EXPECT_DOUBLE_EQ(runs[1]["filter_share"].number(), 0.3);
  EXPECT_TRUE(runs[1]["cross_fitted"].boolean());
}

}  // namespace
}  // namespace slm
