#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

class ReliefFGolden : public testing::Test {
 protected:
  Problem MakeProblem(const std::string& labels, bool weighted = false) const {
    const bool values = labels == "value";
    Problem problem = golden_.MakeProblem(values ? Task::kRegression : Task::kClassification,
                                          values ? "value_x" : "x", labels);
    if (!weighted) return problem;
    for (size_t i = 0; i < problem.train.rows(); ++i) {
      problem.train.weight.push_back(static_cast<float>(golden_.at("weight")[i]));
    }
    problem.layout.names.resize(5);
    problem.layout.offsets = {0, 1, 3, 4, 7, 8};
    return problem;
  }

  void ExpectScores(const Problem& problem, const std::string& key, const std::string& sigma) {
    const Choice choice =
        RunMethod("relieff", problem, 3,
                  {{"neighbors", std::to_string(golden_.ints("neighbors")[0])}, {"sigma", sigma}});
    ASSERT_EQ(choice.scores.size(), golden_.at(key).size());
    for (size_t j = 0; j < choice.scores.size(); ++j) {
      EXPECT_NEAR(choice.scores[j], golden_.at(key)[j], 2e-6) << key << ", feature " << j;
    }
  }

  Golden golden_{"relieff"};
};

TEST_F(ReliefFGolden, HasTheScoresOfSkrebateForTwoClassesAndForClassesOfOneSize) {
  ExpectScores(MakeProblem("two"), "two_scores", "0");
  ExpectScores(MakeProblem("three"), "three_scores", "0");
}

TEST_F(ReliefFGolden, HasThoseOfThePaperForClassesOfOtherSizes) {
  ExpectScores(MakeProblem("uneven"), "uneven_scores", "0");
}

TEST_F(ReliefFGolden, HasThoseOfThePaperForValues) {
  ExpectScores(MakeProblem("value"), "value_scores", "0");
}

TEST_F(ReliefFGolden, TakesTheLargestDifferenceOfSeveralColumnsAndWeightsOfRowsAndRanks) {
  ExpectScores(MakeProblem("uneven", true), "weighted_scores", "4");
  ExpectScores(MakeProblem("value", true), "weighted_value_scores", "4");
}

TEST_F(ReliefFGolden, ARowWithoutWeightIsNotThere) {
  Problem problem = MakeProblem("three");
  problem.train.weight.assign(81, 1.0f);
  for (size_t i = 60; i < 81; ++i) problem.train.weight[i] = 0;
  const Choice found = RunMethod("relieff", problem, 3);
  problem.train.weight.resize(60);
  Matrix x(60, 8);
  for (size_t i = 0; i < 60; ++i) {
    for (size_t c = 0; c < 8; ++c) x(i, c) = problem.train.x->InMemory()(i, c);
  }
  problem.train.x = MakeRows(std::move(x));
  problem.train.y.index.resize(60);
  EXPECT_EQ(found.scores, RunMethod("relieff", problem, 3).scores);
}

TEST(ReliefF, SeesFeaturesThatMatterOnlyTogether) {
  PlantedProblem planted(Task::kClassification, 400, 10, 1, 3);
  for (size_t i = 0; i < 400; ++i) {
    const float* row = Cells(planted.problem.train).row(i);
    planted.problem.train.y.index[i] = (row[2] > 0) != (row[7] > 0) ? 1 : 0;
  }
  const std::vector<int> chosen = RunMethod("relieff", planted.problem, 2).features;
  EXPECT_EQ(std::set<int>(chosen.begin(), chosen.end()), (std::set<int>{2, 7}));
}

TEST(ReliefF, ASampleOfTheRowsIsEnoughAndDependsOnTheSeed) {
  const PlantedProblem planted(Task::kRegression, 1000, 12, 3, 4);
  const Choice all = RunMethod("relieff", planted.problem, 3);
  const Choice some = RunMethod("relieff", planted.problem, 3, {{"sample", "300"}}, 1);
  EXPECT_EQ(std::set<int>(some.features.begin(), some.features.end()), (std::set<int>{0, 1, 2}));
  EXPECT_NE(some.scores, all.scores);
  EXPECT_NE(some.scores, RunMethod("relieff", planted.problem, 3, {{"sample", "300"}}, 2).scores);
  EXPECT_EQ(all.scores, RunMethod("relieff", planted.problem, 3, {}, 2).scores);
}

TEST(ReliefF, HasScoresWhereTheOtherClassesWeighAlmostNothing) {
  PlantedProblem planted(Task::kClassification, 200, 5, 1, 4);
  Dataset& train = planted.problem.train;
  for (size_t i = 0; i < train.rows(); ++i) {
    train.weight.push_back(train.y.index[i] == 0 ? 1 : 1e-20f);
  }
  const Choice choice = RunMethod("relieff", planted.problem, 1);
  for (float score : choice.scores) EXPECT_TRUE(std::isfinite(score)) << score;
  EXPECT_EQ(choice.features, std::vector<int>{0});
}

}  // namespace
}  // namespace slm
