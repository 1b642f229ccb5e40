#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "selectors/methods.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

Choice Pursue(const Problem& problem, int k) {
  ThreadPool pool(2);
  return MakeOmp()->Select(problem, k, 0, {.pool = &pool});
}

// Scores of the chosen features are the shares by which the residual fell.
void ExpectShares(const Choice& choice, const std::vector<double>& shares) {
  for (size_t i = 0; i < shares.size(); ++i) {
    EXPECT_NEAR(choice.scores[static_cast<size_t>(choice.features[i])], shares[i],
                1e-6 * shares[i] + 1e-9);
  }
}

TEST(Omp, TakesTheFeaturesOfScikitLearnInItsOrder) {
  const Golden golden("omp");
  const Choice choice = Pursue(golden.MakeProblem(Task::kRegression), 7);
  EXPECT_EQ(choice.features, golden.ints("order"));
  double explained = 0;
  for (int j : choice.features) explained += choice.scores[static_cast<size_t>(j)];
  EXPECT_NEAR(explained, golden.at("explained")[0], 1e-6);
}

TEST(Omp, ProjectsAllClassesTogether) {
  const Golden golden("omp");
  Problem problem = golden.MakeProblem(Task::kClassification, "classes_x", "classes_y");
  Choice choice = Pursue(problem, 7);
  EXPECT_EQ(choice.features, golden.ints("plain_order"));
  ExpectShares(choice, golden.at("plain_shares"));

  for (double w : golden.at("weight")) problem.train.weight.push_back(static_cast<float>(w));
  choice = Pursue(problem, 7);
  EXPECT_EQ(choice.features, golden.ints("weighted_order"));
  ExpectShares(choice, golden.at("weighted_shares"));
}

TEST(Omp, TakesTheColumnsOfAFeatureAsABlock) {
  const Golden golden("omp");
  Problem problem = golden.MakeProblem(Task::kClassification, "block_x", "classes_y");
  problem.layout.names.resize(6);
  problem.layout.offsets.clear();
  for (int offset : golden.ints("offsets")) problem.layout.offsets.push_back(offset);
  const Choice choice = Pursue(problem, 5);
  EXPECT_EQ(choice.features, golden.ints("block_order"));
  ExpectShares(choice, golden.at("block_shares"));
}

}  // namespace
}  // namespace slm
