#include <gtest/gtest.h>

#include <algorithm>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/methods.h"
#include "selectors/networks/hier_prox.h"
#include "selectors/networks/sparse_net.h"
#include "tests/data/indices.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

void Load(const Golden& golden, const std::string& stage, SparseNet& net) {
  net.hidden_layer().weights().w = golden.matrix("hidden_" + stage);
  net.hidden_layer().bias().w = golden.matrix("hidden_bias_" + stage);
  net.upper_layers()[0].weights().w = golden.matrix("upper_" + stage);
  net.upper_layers()[0].bias().w = golden.matrix("upper_bias_" + stage);
  net.skip_layer().weights().w = golden.matrix("skip_" + stage);
}

void ExpectWeights(const Golden& golden, const std::string& stage, SparseNet& net) {
  auto expect_near = [&](const Matrix& actual, const std::string& name) {
    const Matrix expected = golden.matrix(name + "_" + stage);
    for (size_t i = 0; i < expected.rows(); ++i) {
      for (size_t j = 0; j < expected.cols(); ++j) {
        EXPECT_NEAR(actual(i, j), expected(i, j), 2e-5) << name << " " << i << " " << j;
      }
    }
  };
  expect_near(net.hidden_weights(), "hidden");
  expect_near(net.hidden_layer().bias().w, "hidden_bias");
  expect_near(net.upper_layers()[0].weights().w, "upper");
  expect_near(net.upper_layers()[0].bias().w, "upper_bias");
  expect_near(net.skip_weights(), "skip");
}

TEST(LassoNet, TrainsAsThePackageOfItsAuthors) {
  const Golden golden("lassonet_training");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  SparseNet net(problem.train, problem.valid, {.hidden_units = 5, .skip = true},
                RandomStream(0, 0));
  Load(golden, "start", net);
  const std::vector<int32_t> rows = Indices(problem.train.rows());
  auto shrink = [&](double lambda) {
    for (size_t j = 0; j < problem.layout.features(); ++j) {
      HierProx(RowsOf(net.skip_weights(), problem.layout, j),
               RowsOf(net.hidden_weights(), problem.layout, j), lambda, 2);
    }
  };
  for (int step = 0; step < 6; ++step) {
    net.Gradients(rows);
    net.AdamStep(0.05);
    shrink(0);
  }
  ExpectWeights(golden, "dense", net);
  net.ForgetMoments();
  for (int step = 0; step < 8; ++step) {
    net.Gradients(rows);
    net.MomentumStep(0.01, 0.9);
    shrink(50.0 * 0.01);
  }
  ExpectWeights(golden, "path", net);
  EXPECT_NEAR(net.ValidLoss(), golden.at("valid_loss")[0], 1e-5);
  const std::vector<int> selected = golden.ints("selected");
  for (size_t j = 0; j < selected.size(); ++j) {
    const std::span<const float> skip = RowsOf(net.skip_weights(), problem.layout, j);
    const bool in = std::any_of(skip.begin(), skip.end(), [](float w) { return w != 0; });
    EXPECT_EQ(in, selected[j] != 0) << "feature " << j;
  }
}

Choice RunLassoNet(const Problem& problem, int k,
                   std::initializer_list<std::pair<const char*, const char*>> settings) {
  std::unique_ptr<Selector> selector = MakeLassoNet();
  OptionList options;
  selector->DescribeOptions(options);
  for (auto [name, value] : settings) options.Set(name, value);
  ThreadPool pool(1);
  return selector->Select(problem, k, 0, {.pool = &pool});
}

TEST(LassoNet, KeepsTheFeaturesThatThePackageKeeps) {
  const Golden golden("lassonet_path");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  Choice choice = RunLassoNet(problem, 3, {{"hidden_units", "16"}});
  std::sort(choice.features.begin(), choice.features.end());
  EXPECT_EQ(choice.features, golden.ints("last"));
}

TEST(LassoNet, AStepThatJumpsOverKTakesThoseThatLeftLast) {
  const Golden golden("lassonet_path");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  // Penalties so far apart that nearly everything leaves at once.
  for (int k : {1, 3, 5}) {
    const Choice choice = RunLassoNet(
        problem, k, {{"hidden_units", "16"}, {"epochs", "200"}, {"path_multiplier", "100"}});
    EXPECT_EQ(choice.features.size(), static_cast<size_t>(k));
    for (float score : choice.scores) EXPECT_GT(score, 0);
  }
}

TEST(LassoNet, TheColumnsOfAFeatureLeaveTogether) {
  const Golden golden("lassonet_path");
  Problem problem = golden.MakeProblem(Task::kClassification);
  problem.layout.names = {"a", "b", "c", "d"};
  problem.layout.offsets = {0, 1, 4, 7, 10};  // a and the first two columns of b are informative
  const Choice choice = RunLassoNet(problem, 2, {{"hidden_units", "16"}});
  EXPECT_EQ(choice.scores.size(), 4u);
  EXPECT_EQ(std::min(choice.features[0], choice.features[1]), 0);
  EXPECT_EQ(std::max(choice.features[0], choice.features[1]), 1);
}

}  // namespace
}  // namespace slm
