#include <gtest/gtest.h>

#include <algorithm>

#include "selectors/networks/sparse_net.h"
#include "selectors/networks/stochastic_gates.h"
#include "tests/data/indices.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

class Stg : public testing::TestWithParam<const char*> {
 protected:
  std::string Key(const char* name, const char* stage = nullptr) const {
    return std::string(name) + "_" + GetParam() + (stage ? std::string("_") + stage : "");
  }

  void ExpectNear(const Golden& golden, const Matrix& actual, const char* name) const {
    const Matrix expected = golden.matrix(Key(name, "end"));
    for (size_t i = 0; i < expected.rows(); ++i) {
      for (size_t j = 0; j < expected.cols(); ++j) {
        EXPECT_NEAR(actual(i, j), expected(i, j), 2e-5) << name << " " << i << " " << j;
      }
    }
  }
};

TEST_P(Stg, TrainsAsThePackageOfItsAuthors) {
  const Golden golden("stg_training");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  const size_t d = problem.layout.features();
  const double lambda = golden.at("lambda")[0];
  const double rate = golden.at(Key("rate"))[0], decay = golden.at(Key("decay"))[0];
  const bool adam = std::string(GetParam()) == "Adam";
  SparseNet net(problem.train, problem.valid, {.hidden_units = 5}, RandomStream(0, 0));
  net.hidden_layer().weights().w = golden.matrix(Key("hidden", "start"));
  net.hidden_layer().bias().w = golden.matrix(Key("hidden_bias", "start"));
  net.upper_layers()[0].weights().w = golden.matrix(Key("upper", "start"));
  net.upper_layers()[0].bias().w = golden.matrix(Key("upper_bias", "start"));
  StochasticGates gates(d, 0.5, RandomStream(0, 1));
  const std::vector<double>& start = golden.at(Key("mu", "start"));
  std::transform(start.begin(), start.end(), gates.means().begin(),
                 [](double mu) { return static_cast<float>(mu); });

  const std::vector<int32_t> rows = Indices(problem.train.rows());
  const Matrix noise = golden.matrix(Key("noise"));
  size_t closed = 0;
  for (size_t step = 0; step < noise.rows(); ++step) {
    const std::span<const float> drawn = gates.Apply({noise.row(step), d});
    std::vector<int32_t> open;
    for (size_t j = 0; j < d; ++j) {
      if (drawn[j] > 0) open.push_back(static_cast<int32_t>(j));
    }
    closed += d - open.size();
    net.SetActive(open);
    for (size_t a = 0; a < open.size(); ++a) net.scale()[a] = drawn[static_cast<size_t>(open[a])];
    const double loss = net.Gradients(rows);
    std::vector<float> d_gates(d);
    for (size_t a = 0; a < open.size(); ++a) {
      d_gates[static_cast<size_t>(open[a])] = net.d_scale()[a];
    }
    if (step == 0) {
      gates.SetGradient(d_gates, lambda, 0);
      EXPECT_NEAR(loss, golden.at(Key("loss"))[0], 1e-6);
      EXPECT_NEAR(gates.Penalty(), golden.at(Key("penalty"))[0], 1e-6);
      const std::vector<double>& d_mu = golden.at(Key("d_mu"));
      for (size_t j = 0; j < d; ++j) EXPECT_NEAR(gates.gradient()[j], d_mu[j], 1e-6) << j;
    }
    gates.SetGradient(d_gates, lambda, decay);
    if (adam) {
      net.AdamStep(rate, decay);
      gates.AdamStep(rate);
    } else {
      net.MomentumStep(rate, 0, decay);
      gates.PlainStep(rate);
    }
  }
  EXPECT_EQ(closed > 0, !adam);  // with SGD, columns behind closed gates were left out
  const std::vector<double>& end = golden.at(Key("mu", "end"));
  for (size_t j = 0; j < d; ++j) EXPECT_NEAR(gates.means()[j], end[j], 2e-5) << "mu " << j;
  ExpectNear(golden, net.hidden_weights(), "hidden");
  ExpectNear(golden, net.hidden_layer().bias().w, "hidden_bias");
  ExpectNear(golden, net.upper_layers()[0].weights().w, "upper");
  ExpectNear(golden, net.upper_layers()[0].bias().w, "upper_bias");
}

INSTANTIATE_TEST_SUITE_P(Optimisers, Stg, testing::Values("SGD", "Adam"));

TEST(StochasticGates, OpenAsOftenAsTheNormalDistributionSays) {
  const std::vector<float> means = {-1, -0.3f, 0, 0.4f, -0.3f};
  const std::vector<double> chance = {0.02275, 0.27425, 0.5, 0.78814, 0.27425};  // Phi(mu / sigma)
  StochasticGates gates(means.size(), 0.5, RandomStream(1, 0));
  std::copy(means.begin(), means.end(), gates.means().begin());
  constexpr int kDraws = 20000;
  std::vector<int> open(means.size());
  for (uint64_t i = 0; i < kDraws; ++i) {
    const std::span<const float> drawn = gates.Draw(RandomStream(2, i));
    for (size_t j = 0; j < open.size(); ++j) open[j] += drawn[j] > 0 ? 1 : 0;
  }
  for (size_t j = 0; j < open.size(); ++j) {
    EXPECT_NEAR(static_cast<double>(open[j]) / kDraws, chance[j], 0.015) << "gate " << j;
  }
}

OptionTexts SmallNetwork(const char* lambda) {
  return {{"hidden_units", "16"},
          {"lambda", lambda},
          {"epochs", "200"},
          {"learning_rate", "0.005"},
          {"batch_size", "40"}};
}

TEST(StgChoice, IsThatOfThePackage) {
  const Golden golden("stg_choice");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  for (const char* lambda : {"2", "0"}) {  // the package's, and searched
    Choice choice = RunMethod("stg", problem, 3, SmallNetwork(lambda));
    std::sort(choice.features.begin(), choice.features.end());
    EXPECT_EQ(choice.features, golden.ints("largest")) << "lambda " << lambda;
  }
}

TEST(StgChoice, AStrongPenaltyShutsGatesAndAWeakOneLeavesThemOpen) {
  const Golden golden("stg_choice");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  auto open = [&](const char* lambda) {
    const Choice choice = RunMethod("stg", problem, 3, SmallNetwork(lambda));
    return std::count_if(choice.scores.begin(), choice.scores.end(),
                         [](float mu) { return mu > 0; });
  };
  EXPECT_EQ(open("0.01"), 10);
  EXPECT_LT(open("100"), 3);
}

TEST(StgChoice, TheColumnsOfAFeatureShareAGate) {
  const Golden golden("stg_choice");
  Problem problem = golden.MakeProblem(Task::kClassification);
  problem.layout.names = {"a", "b", "c", "d"};
  problem.layout.offsets = {0, 1, 4, 7, 10};
  const Choice choice = RunMethod(
      "stg", problem, 2, {{"hidden_units", "16"}, {"steps", "600"}, {"learning_rate", "0.005"}});
  EXPECT_EQ(choice.scores.size(), 4u);
  EXPECT_EQ(std::min(choice.features[0], choice.features[1]), 0);
  EXPECT_EQ(std::max(choice.features[0], choice.features[1]), 1);
}

}  // namespace
}  // namespace slm
