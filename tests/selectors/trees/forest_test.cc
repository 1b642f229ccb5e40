#include "selectors/trees/forest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/thread_pool.h"
#include "tests/data/cells.h"
#include "tests/data/indices.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

ForestResult Grow(const Dataset& data, const ForestOptions& options, bool out_of_bag = false,
                  uint64_t seed = 0) {
  ThreadPool pool(2);
  const Context context{.pool = &pool};
  return Forest(data.x->InMemory(), data.y, data.weight, context, options.random_thresholds)
      .Grow(options, Indices(data.x->columns()), seed, out_of_bag, context);
}

class ForestAgainstScikitLearn : public testing::TestWithParam<Task> {
 protected:
  ForestAgainstScikitLearn()
      : golden_(GetParam() == Task::kClassification ? "rf_classes" : "rf_values"),
        problem_(golden_.MakeProblem(GetParam())) {}

  void UseWeights() {
    for (double w : golden_.at("weight")) problem_.train.weight.push_back(static_cast<float>(w));
  }

  void ExpectNear(const std::string& key, const ForestOptions& options, double tolerance) const {
    const ForestResult result = Grow(problem_.train, options);
    for (size_t c = 0; c < result.importance.size(); ++c) {
      EXPECT_NEAR(result.importance[c], golden_.at(key)[c], tolerance) << key << ", column " << c;
    }
  }

  Golden golden_;
  Problem problem_;
};

TEST_P(ForestAgainstScikitLearn, AForestHasTheSameImportances) {
  ExpectNear("forest", {.trees = 4000}, 0.005);
}

TEST_P(ForestAgainstScikitLearn, LimitsOfDepthLeavesAndColumnsMeanTheSame) {
  ExpectNear("shallow", {.trees = 4000, .max_depth = 3, .max_features = 0.5, .min_samples_leaf = 4},
             0.01);
}

TEST_P(ForestAgainstScikitLearn, WeightedRowsCountTheSame) {
  UseWeights();
  ExpectNear("weighted", {.trees = 4000}, 0.005);
}

TEST_P(ForestAgainstScikitLearn, ATreeWithoutChanceIsTheSame) {
  ForestOptions options{
      .trees = 1, .max_depth = 2, .max_features = 1, .min_samples_leaf = 5, .bootstrap = false};
  ExpectNear("tree", options, 1e-6);
  UseWeights();
  options.max_depth = 3;
  options.min_samples_leaf = 6;
  ExpectNear("weighted_tree", options, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Tasks, ForestAgainstScikitLearn,
                         testing::Values(Task::kClassification, Task::kRegression),
                         [](const auto& task) {
                           return task.param == Task::kClassification ? "Classes" : "Values";
                         });

class ExtraTreesAgainstScikitLearn : public testing::TestWithParam<Task> {
 protected:
  void ExpectNear(const std::string& key, ForestOptions options, double tolerance,
                  bool weighted = false) const {
    const Golden golden(GetParam() == Task::kClassification ? "extra_trees_classes"
                                                            : "extra_trees_values");
    Dataset data = golden.MakeProblem(GetParam()).train;
    for (size_t i = 0; i < data.rows() && weighted; ++i) {
      data.weight.push_back(static_cast<float>(golden.at("weight")[i]));
    }
    options.bootstrap = false;
    options.random_thresholds = true;
    const ForestResult result = Grow(data, options);
    for (size_t c = 0; c < result.importance.size(); ++c) {
      EXPECT_NEAR(result.importance[c], golden.at(key)[c], tolerance) << key << ", column " << c;
    }
  }
};

TEST_P(ExtraTreesAgainstScikitLearn, AForestHasTheSameImportances) {
  ExpectNear("forest", {.trees = 4000}, 0.005);
}

TEST_P(ExtraTreesAgainstScikitLearn, LimitsOfDepthLeavesAndColumnsMeanTheSame) {
  ExpectNear("shallow",
             {.trees = 30000, .max_depth = 3, .max_features = 0.5, .min_samples_leaf = 4}, 0.01);
}

TEST_P(ExtraTreesAgainstScikitLearn, WeightedRowsCountTheSame) {
  ExpectNear("weighted", {.trees = 4000}, 0.005, true);
}

INSTANTIATE_TEST_SUITE_P(Tasks, ExtraTreesAgainstScikitLearn,
                         testing::Values(Task::kClassification, Task::kRegression),
                         [](const auto& task) {
                           return task.param == Task::kClassification ? "Classes" : "Values";
                         });

TEST(Forest, PredictsRowsThatATreeHasNotSeen) {
  const PlantedProblem planted(Task::kClassification, 600, 4, 2, 1);
  const ForestResult result = Grow(planted.problem.train, {.trees = 60}, true);
  int right = 0;
  for (size_t i = 0; i < 600; ++i) {
    const double* share = result.out_of_bag.data() + 2 * i;
    EXPECT_NEAR(share[0] + share[1], 1, 1e-6);
    right += (share[1] > share[0] ? 1 : 0) == planted.problem.train.y.index[i];
  }
  EXPECT_GT(right, 540);
}

TEST(Forest, NoiseIsNotPredictedOutOfBag) {
  PlantedProblem planted(Task::kRegression, 400, 5, 2, 2);
  RandomStream(1, 1).Shuffle(std::span(planted.problem.train.y.value));
  const ForestResult result = Grow(planted.problem.train, {.trees = 60}, true);
  double product = 0, square = 0;
  for (size_t i = 0; i < 400; ++i) {
    product += result.out_of_bag[i] * double{planted.problem.train.y.value[i]};
    square += result.out_of_bag[i] * result.out_of_bag[i];
  }
  EXPECT_LT(product / std::sqrt(square * 400), 0.2);
}

TEST(Forest, UsesTheGivenColumnsAlone) {
  const PlantedProblem planted(Task::kClassification, 200, 6, 2, 3);
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  const Dataset& data = planted.problem.train;
  const std::vector<int32_t> columns = {1, 4};
  const ForestResult result = Forest(data.x->InMemory(), data.y, data.weight, context)
                                  .Grow({.trees = 20}, columns, 0, false, context);
  EXPECT_EQ(result.importance[0] + result.importance[2] + result.importance[3], 0);
  EXPECT_NEAR(result.importance[1] + result.importance[4], 1, 1e-12);
}

TEST(Forest, ConstantColumnsAndLabelsSplitNothing) {
  Dataset data;
  data.x = MakeRows(Matrix(30, 2));
  data.y.classes = 2;
  for (size_t i = 0; i < 30; ++i) {
    Cells(data)(i, 1) = static_cast<float>(i);
    data.y.index.push_back(0);
  }
  EXPECT_EQ(Grow(data, {.trees = 3}).importance, (std::vector<double>{0, 0}));
  data.y.index[3] = 1;
  EXPECT_EQ(Grow(data, {.trees = 30}).importance, (std::vector<double>{0, 1}));
}

TEST(Forest, NodesOfMoreThan65536RowsSplitLikeSmallOnes) {
  Dataset data;
  data.x = MakeRows(Matrix(70000, 2));
  data.y.classes = 2;
  RandomStream random(4, 0);
  for (size_t i = 0; i < data.x->rows(); ++i) {
    Cells(data)(i, 0) = static_cast<float>(random.Normal());
    Cells(data)(i, 1) = static_cast<float>(random.Normal());
    data.y.index.push_back(Cells(data)(i, 1) > 0.3f ? 1 : 0);
  }
  const ForestResult result =
      Grow(data, {.trees = 1, .max_depth = 1, .max_features = 1, .bootstrap = false});
  EXPECT_EQ(result.importance[0], 0);
  EXPECT_EQ(result.importance[1], 1);
}

}  // namespace
}  // namespace slm
