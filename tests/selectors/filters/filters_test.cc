// Methods that score each feature by itself, against scikit-learn and scikit-feature.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slm/errors.h"
#include "tests/data/cells.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

void ExpectScores(const Choice& choice, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(choice.scores.size(), expected.size());
  for (size_t j = 0; j < expected.size(); ++j) {
    EXPECT_NEAR(choice.scores[j], expected[j], tolerance * (1 + expected[j])) << j;
  }
}

// Two features: a number, and a text column of three levels as the encoder leaves it.
Problem NumberAndText() {
  Problem problem;
  problem.layout.names = {"number", "text"};
  problem.layout.offsets = {0, 1, 4};
  problem.train.x = MakeRows(Matrix(8, 4));
  problem.train.y.classes = 2;
  for (size_t i = 0; i < 8; ++i) {
    Cells(problem.train)(i, 0) = static_cast<float>(i) - 3.5f;
    Cells(problem.train)(i, 1 + (i < 4 ? 0 : i < 6 ? 1 : 2)) = 1;
    problem.train.y.index.push_back(i < 4 ? 0 : 1);
  }
  return problem;
}

TEST(Anova, IsScikitLearnsFStatistic) {
  const Golden classes("class_filters"), values("value_filters");
  ExpectScores(RunMethod("anova", classes.MakeProblem(Task::kClassification), 3),
               classes.at("anova"), 1e-5);
  ExpectScores(RunMethod("anova", values.MakeProblem(Task::kRegression), 3), values.at("anova"),
               1e-5);
}

TEST(Anova, CountsARowOfWeightTwoAsTwoRows) {
  const Golden golden("class_filters");
  Problem weighted = golden.MakeProblem(Task::kClassification), repeated = weighted;
  const size_t rows = weighted.train.rows(), columns = weighted.train.x->columns();
  weighted.train.weight.assign(rows, 1.0f);
  repeated.train.x = MakeRows(Matrix(rows + 10, columns));
  for (size_t i = 0; i < rows + 10; ++i) {
    const size_t source = i < rows ? i : i - rows;
    if (i >= rows) {
      weighted.train.weight[source] = 2.0f;
      repeated.train.y.index.push_back(repeated.train.y.index[source]);
    }
    std::copy_n(Cells(weighted.train).row(source), columns, Cells(repeated.train).row(i));
  }
  for (const char* method : {"anova", "fisher", "variance"}) {
    const Choice choice = RunMethod(method, repeated, 3);
    ExpectScores(RunMethod(method, weighted, 3), {choice.scores.begin(), choice.scores.end()},
                 1e-6);
  }
}

TEST(Fisher, IsScikitFeaturesScore) {
  const Golden golden("class_filters");
  ExpectScores(RunMethod("fisher", golden.MakeProblem(Task::kClassification), 3),
               golden.at("fisher"), 1e-5);
}

TEST(Fisher, RefusesANumericTargetAndNamesTheMethodForIt) {
  const Golden golden("value_filters");
  try {
    RunMethod("fisher", golden.MakeProblem(Task::kRegression), 3);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("anova"), std::string::npos) << error.what();
  }
}

TEST(Fisher, AddsUpTheColumnsOfAFeatureAndIsFiniteForAPerfectOne) {
  const Choice choice = RunMethod("fisher", NumberAndText(), 1);
  // Between: 2 + 1/2 + 1/2. Within: 0 + 1 + 1.
  EXPECT_NEAR(choice.scores[1], 1.5, 1e-6);
  Problem perfect = NumberAndText();
  for (size_t i = 0; i < 8; ++i) Cells(perfect.train)(i, 0) = i < 4 ? -1.0f : 1.0f;
  const Choice best = RunMethod("fisher", perfect, 1);
  EXPECT_EQ(best.features[0], 0);
  EXPECT_TRUE(std::isfinite(best.scores[0]));
}

TEST(Variance, IsThatOfTheColumnStretchedToItsRange) {
  const Choice choice = RunMethod("variance", NumberAndText(), 1);
  EXPECT_NEAR(choice.scores[0], 5.25 / 49, 1e-6);  // of 0, 1, ..., 7
  EXPECT_NEAR(choice.scores[1], 0.25, 1e-6);       // of the level that half of the rows have
  Problem scaled = NumberAndText();
  for (size_t i = 0; i < 8; ++i) Cells(scaled.train)(i, 0) = 100 * Cells(scaled.train)(i, 0) + 7;
  EXPECT_NEAR(RunMethod("variance", scaled, 1).scores[0], choice.scores[0], 1e-6);
}

TEST(Random, TakesEveryFeatureEquallyOftenAndTheSameForASeed) {
  const Golden golden("class_filters");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  std::vector<int> taken(10);
  for (uint64_t seed = 0; seed < 400; ++seed) {
    for (int j : RunMethod("random", problem, 3, {}, seed).features)
      ++taken[static_cast<size_t>(j)];
  }
  for (int count : taken) EXPECT_NEAR(count, 120, 50);  // five standard deviations
  EXPECT_EQ(RunMethod("random", problem, 3, {}, 7).features,
            RunMethod("random", problem, 3, {}, 7).features);
}

}  // namespace
}  // namespace slm
