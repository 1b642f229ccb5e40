#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/thread_pool.h"
#include "numerics/linear_svm.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

struct Case {
  std::string labels, x;
  bool classes;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.labels; }

const Case kCases[] = {{"two", "x", true},           {"three", "x", true},
                       {"wide_two", "wide_x", true}, {"wide_three", "wide_x", true},
                       {"value", "value_x", false},  {"wide_value", "wide_value_x", false}};

class RfeGolden : public testing::TestWithParam<Case> {
 protected:
  Problem MakeProblem() const {
    return golden_.MakeProblem(GetParam().classes ? Task::kClassification : Task::kRegression,
                               GetParam().x, GetParam().labels);
  }

  // scikit-learn's places against ours: the more features one outlived, the earlier its place.
  void ExpectRanking(const std::string& method, const OptionTexts& options,
                     const std::string& key) const {
    const Problem problem = MakeProblem();
    OptionTexts one_by_one = options;
    one_by_one.emplace_back("step", "0");
    const Choice choice = RunMethod(method, problem, 1, one_by_one);
    const std::vector<int> places = golden_.ints(GetParam().labels + "_" + key);
    for (size_t j = 0; j < places.size(); ++j) {
      EXPECT_EQ(choice.scores[j], static_cast<float>(places.size()) - static_cast<float>(places[j]))
          << GetParam().labels << " " << key << ", feature " << j;
    }
    OptionTexts in_rounds = options;
    in_rounds.emplace_back("step", "0.2");
    const std::vector<int> chosen = RunMethod(method, problem, 3, in_rounds).features;
    const std::vector<int> left = golden_.ints(GetParam().labels + "_" + key + "_rounds");
    for (size_t j = 0; j < left.size(); ++j) {
      EXPECT_EQ(std::count(chosen.begin(), chosen.end(), static_cast<int>(j)), left[j])
          << GetParam().labels << " " << key << ", feature " << j;
    }
  }

  Golden golden_{"rfe"};
};

TEST_P(RfeGolden, LinearModelsRankAsScikitLearn) {
  ExpectRanking("rfe", {{"l2", "2"}, {"tolerance", "1e-10"}},
                GetParam().classes ? "logistic" : "ridge");
}

TEST_P(RfeGolden, SupportVectorMachinesRankAsScikitLearn) {
  const OptionTexts options = {
      {"cost", "0.5"}, {"epsilon", "0.2"}, {"tolerance", "1e-9"}, {"max_sweeps", "100000"}};
  for (const std::string loss : {"hinge", "squared"}) {
    OptionTexts own = options;
    own.emplace_back("loss", loss == "hinge" ? "hinge" : "squared-hinge");
    ExpectRanking("svm-rfe", own, loss);
  }
}

TEST_P(RfeGolden, SupportVectorMachinesHaveTheCoefficientsOfScikitLearn) {
  ThreadPool pool(2);
  for (const bool squared : {false, true}) {
    for (const bool weighted : {false, true}) {
      Dataset data = MakeProblem().train;
      for (size_t i = 0; i < data.rows() && weighted; ++i) {
        data.weight.push_back(static_cast<float>(golden_.at("weight")[i]));
      }
      const LinearSvmOptions options = {.cost = 0.5,
                                        .squared = squared,
                                        .epsilon = 0.2,
                                        .tolerance = 1e-10,
                                        .max_sweeps = 100000};
      LinearSvm machines(data, options, pool);
      const size_t columns = data.x->columns();
      std::vector<size_t> all(columns);
      for (size_t c = 0; c < columns; ++c) all[c] = c;
      machines.Fit(all, {.pool = &pool});
      const std::string key = GetParam().labels + (squared ? "_squared" : "_hinge") +
                              (weighted ? "_weighted" : "_machines");
      const std::vector<double>& expected = golden_.at(key);
      ASSERT_EQ(expected.size(), machines.machines() * (columns + 1));
      for (size_t m = 0; m < machines.machines(); ++m) {
        const double* own = expected.data() + m * (columns + 1);
        for (size_t c = 0; c < columns; ++c) {
          EXPECT_NEAR(machines.coefficients()[c * machines.machines() + m], own[c], 1e-6) << key;
        }
        EXPECT_NEAR(machines.intercepts()[m], own[columns], 1e-6) << key;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, RfeGolden, testing::ValuesIn(kCases),
                         [](const auto& set) { return set.param.labels; });

TEST(LinearSvm, AFitOnFewerColumnsIsThatOfANewMachine) {
  const PlantedProblem planted(Task::kClassification, 40, 120, 3, 5);
  ThreadPool pool(2);
  const LinearSvmOptions options = {.tolerance = 1e-11, .max_sweeps = 100000};
  LinearSvm kept(planted.problem.train, options, pool);
  // With more columns than rows, by what went away and by what is left, and with fewer.
  for (size_t count : {120u, 100u, 45u, 20u}) {
    std::vector<size_t> columns;
    for (size_t c = 0; c < count; ++c) columns.push_back(c);
    kept.Fit(columns, {.pool = &pool});
    LinearSvm fresh(planted.problem.train, options, pool);
    fresh.Fit(columns, {.pool = &pool});
    for (size_t c = 0; c < count; ++c) {
      EXPECT_NEAR(kept.coefficients()[c], fresh.coefficients()[c], 1e-8) << count;
    }
  }
}

TEST(SvmRfe, ThousandsOfColumnsAreNoTrouble) {
  const PlantedProblem planted(Task::kClassification, 120, 3000, 2, 6);
  const std::vector<int> chosen = RunMethod("svm-rfe", planted.problem, 5).features;
  EXPECT_TRUE(std::count(chosen.begin(), chosen.end(), 0) == 1);
  EXPECT_TRUE(std::count(chosen.begin(), chosen.end(), 1) == 1);
}

TEST(Rfe, EveryKOfAPathIsAStageOfOneElimination) {
  const PlantedProblem planted(Task::kClassification, 100, 20, 4, 7);
  ThreadPool pool(2);
  for (const char* method : {"rfe", "svm-rfe"}) {
    const std::vector<PathSet> sets = FindMethod(method).make()->SelectEach(
        planted.problem, std::vector<int>{2, 5, 9}, 0, {.pool = &pool});
    ASSERT_EQ(sets.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(sets[i].k, (std::vector<int>{2, 5, 9})[i]);
      EXPECT_EQ(sets[i].features.size(), static_cast<size_t>(sets[i].k));
      if (i == 0) continue;
      for (int j : sets[i - 1].features) {
        EXPECT_EQ(std::count(sets[i].features.begin(), sets[i].features.end(), j), 1);
      }
    }
    EXPECT_EQ(sets[2].features, RunMethod(method, planted.problem, 9).features);
  }
}

TEST(LinearSvm, StoppedInItsFirstProductsHasThoseOfColumnsAndLabels) {
  const PlantedProblem planted(Task::kRegression, 60, 200, 2, 5);
  ThreadPool pool(1);
  const LinearSvmOptions options;
  LinearSvm machine(planted.problem.train, options, pool);
  std::vector<size_t> columns(200);
  std::iota(columns.begin(), columns.end(), size_t{0});
  StopAfter at_once(0), again(0);
  EXPECT_TRUE(machine.Fit(columns, {.pool = &pool, .observer = &at_once}));
  const std::vector<double> stopped(machine.coefficients().begin(), machine.coefficients().end());
  for (size_t c = 0; c < 200; ++c) {
    double sum = 0;
    for (size_t i = 0; i < 60; ++i) {
      sum += double{planted.problem.train.x->InMemory()(i, c)} * planted.problem.train.y.value[i];
    }
    EXPECT_NEAR(stopped[c], sum, 1e-9);
  }
  EXPECT_FALSE(machine.Fit(columns, {.pool = &pool, .observer = &again}));
  // And goes on from there.
  EXPECT_TRUE(machine.Fit(columns, {.pool = &pool}));
  LinearSvm fresh(planted.problem.train, options, pool);
  fresh.Fit(columns, {.pool = &pool});
  for (size_t c = 0; c < 200; ++c) {
    EXPECT_NEAR(machine.coefficients()[c], fresh.coefficients()[c], 1e-2);
  }
}

TEST(LinearSvm, AFewNewtonStepsAreBetterThanNone) {
  const PlantedProblem planted(Task::kRegression, 200, 6, 3, 5);
  const Dataset& data = planted.problem.train;
  ThreadPool pool(2);
  for (const int steps : {1, 2}) {
    const LinearSvmOptions options = {.tolerance = 1e-12, .max_sweeps = steps};
    LinearSvm machine(data, options, pool);
    machine.Fit(std::vector<size_t>{0, 1, 2, 3, 4, 5}, {.pool = &pool});
    double loss = 0, none = 0;
    for (size_t i = 0; i < data.rows(); ++i) {
      double score = machine.intercepts()[0];
      for (size_t c = 0; c < 6; ++c) {
        score += machine.coefficients()[c] * double{data.x->InMemory()(i, c)};
      }
      loss += std::pow(std::max(0.0, std::abs(data.y.value[i] - score) - options.epsilon), 2);
      none += std::pow(std::max(0.0, std::abs(data.y.value[i]) - options.epsilon), 2);
    }
    EXPECT_LT(loss, 0.1 * none) << steps;
  }
}

}  // namespace
}  // namespace slm
