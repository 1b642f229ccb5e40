#include "selectors/choose.h"

#include <gtest/gtest.h>

namespace slm {
namespace {

TEST(ChooseTop, TakesTheLargestScoresBestFirstAndTiesInOrder) {
  const std::vector<double> scores = {1, 3, 2, 3, 0};
  const Choice choice = ChooseTop(scores, 3);
  EXPECT_EQ(choice.features, (std::vector<int>{1, 3, 2}));
  EXPECT_EQ(choice.weights, (std::vector<float>{0, 0.375f, 0.25f, 0.375f, 0}));
  EXPECT_EQ(choice.scores, (std::vector<float>{1, 3, 2, 3, 0}));
}

TEST(ChooseTop, GivesEveryChosenFeatureAWeightEvenWhereScoresAreNotPositive) {
  const std::vector<double> some = {-1, 2, 0}, none = {-1, -3, -2};
  EXPECT_GT(ChooseTop(some, 3).weights[0], 0);
  EXPECT_EQ(ChooseTop(none, 2).weights, (std::vector<float>{0.5f, 0, 0.5f}));
}

TEST(ChooseInOrder, KeepsTheOrderWhateverTheScores) {
  const std::vector<int> order = {2, 0};
  const std::vector<double> scores = {5, 1, 3};
  const Choice choice = ChooseInOrder(order, scores);
  EXPECT_EQ(choice.features, order);
  EXPECT_GT(choice.weights[2], choice.weights[0]);
  EXPECT_EQ(choice.weights[1], 0);
}

TEST(ByFeature, JoinsTheColumnsOfAFeature) {
  FeatureLayout layout;
  layout.names = {"a", "b"};
  layout.offsets = {0, 2, 3};
  const std::vector<double> columns = {3, -4, -1};
  EXPECT_EQ(LargestByFeature(layout, columns), (std::vector<double>{3, -1}));
  EXPECT_EQ(NormByFeature(layout, columns), (std::vector<double>{5, 1}));
}

}  // namespace
}  // namespace slm
