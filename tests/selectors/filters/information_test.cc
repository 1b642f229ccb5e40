// Greedy methods that choose by mutual information of binned columns, against scikit-feature and
// plain NumPy forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "selectors/filters/binned_problem.h"
#include "selectors/filters/information_greedy.h"
#include "tests/data/cells.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

struct Case {
  const char* golden;  // key of the order that is expected
  const char* method;
  OptionTexts options;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.golden; }

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"mrmr", "mrmr", {}},   {"mrmr_quotient", "mrmr", {{"form", "quotient"}}},
      {"cmim", "cmim", {}},   {"jmim", "jmim", {}},
      {"dismi", "dismi", {}}, {"dismi_diverse", "dismi", {{"diversity", "0.8"}}},
  };
  return cases;
}

class AgainstReference : public testing::TestWithParam<Case> {};

TEST_P(AgainstReference, TakesTheSameFeaturesInTheSameOrderForTheSameWorth) {
  OptionTexts options = GetParam().options;
  options.push_back({"bins", "4"});
  const std::string key = GetParam().golden;
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const Golden golden(task == Task::kClassification ? "class_information" : "value_information");
    const std::vector<int> expected = golden.ints(key);
    const Choice choice = RunMethod(GetParam().method, golden.MakeProblem(task),
                                    static_cast<int>(expected.size()), options);
    EXPECT_EQ(choice.features, expected);
    for (size_t i = 0; i < expected.size(); ++i) {
      const double worth = golden.at(key + "_worth")[i];
      EXPECT_NEAR(choice.scores[static_cast<size_t>(expected[i])], worth, 1e-6 * (1 + worth)) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Information, AgainstReference, testing::ValuesIn(Cases()),
                         [](const testing::TestParamInfo<Case>& one) {
                           return std::string(one.param.golden);
                         });

TEST(Information, CountsARowOfWeightTwoAsTwoRowsAndOneOfWeightNoneNotAtAll) {
  const Golden golden("class_information");
  Problem weighted = golden.MakeProblem(Task::kClassification), repeated = weighted;
  const size_t rows = weighted.train.rows(), columns = weighted.train.x->columns();
  std::vector<size_t> sources;
  for (size_t i = 0; i < rows; ++i) {
    // Columns are rounded first, so that no bin depends on how often a row counts.
    for (size_t c = 0; c < columns; ++c) {
      Cells(weighted.train)(i, c) =
          std::clamp(std::round(Cells(weighted.train)(i, c)), -1.0f, 1.0f);
    }
    weighted.train.weight.push_back(i % 7 == 0 ? 0.0f : i % 3 == 0 ? 2.0f : 1.0f);
    for (int copy = 0; copy < static_cast<int>(weighted.train.weight[i]); ++copy) {
      sources.push_back(i);
    }
  }
  repeated.train.x = MakeRows(Matrix(sources.size(), columns));
  repeated.train.y.index.clear();
  for (size_t i = 0; i < sources.size(); ++i) {
    std::copy_n(Cells(weighted.train).row(sources[i]), columns, Cells(repeated.train).row(i));
    repeated.train.y.index.push_back(weighted.train.y.index[sources[i]]);
  }
  for (const char* method : {"mrmr", "cmim", "jmim", "dismi"}) {
    const Choice a = RunMethod(method, weighted, 10), b = RunMethod(method, repeated, 10);
    for (size_t j = 0; j < columns; ++j) EXPECT_NEAR(a.scores[j], b.scores[j], 1e-6) << method;
  }
}

TEST(BinnedProblem, KeepsTheMostFrequentOfTooManyLevelsAndJoinsTheParts) {
  Problem problem;
  problem.layout.names = {"grouped"};
  problem.layout.offsets = {0, 2};
  problem.train.x = MakeRows(Matrix(1200, 2));
  problem.train.y.classes = 2;
  for (size_t i = 0; i < 1200; ++i) {
    Cells(problem.train)(i, 0) = static_cast<float>(i % 30);
    const size_t block = i / 30;
    Cells(problem.train)(i, 1) = static_cast<float>(block);
    problem.train.y.index.push_back(static_cast<int32_t>(i % 2));
  }
  ThreadPool pool(1);
  const BinnedProblem binned(problem, {.bins = 200}, {.pool = &pool});
  // 1200 levels of one row: 255 of them stay, 945 become one.
  const double n = 1200;
  EXPECT_NEAR(binned.Entropy(0), std::log(n) - 945 / n * std::log(945.0), 1e-9);
}

TEST(GreedyByMinimum, IsExactThoughItLooksAtFewPairs) {
  const PlantedProblem planted(Task::kClassification, 300, 60, 5, 9);
  ThreadPool pool(2);
  const BinnedProblem binned(planted.problem, {}, {.pool = &pool});
  const GreedyOrder lazy = GreedyByMinimum(binned, 20, [](size_t) { return 0.0; }, {.pool = &pool});
  std::vector<int> taken = {lazy.features[0]};
  while (taken.size() < 20) {
    int best = -1;
    double most = -1;
    for (int f = 0; f < 60; ++f) {
      if (std::count(taken.begin(), taken.end(), f) != 0) continue;
      const std::vector<uint32_t> keys = binned.KeysWithLabel(static_cast<size_t>(f));
      double least = 1e9;
      for (int s : taken) {
        least = std::min(least, binned.ConditionalRelevance(keys, static_cast<size_t>(f),
                                                            static_cast<size_t>(s)));
      }
      if (least > most) {
        most = least;
        best = f;
      }
    }
    taken.push_back(best);
  }
  EXPECT_EQ(lazy.features, taken);
}

TEST(DisMi, InPartitionsChoosesExactlyKDistinctFeaturesNearlyAsDiverse) {
  const Golden golden("class_information");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  auto worth = [](const Choice& choice) {
    double sum = 0;
    for (size_t i = 1; i < choice.features.size(); ++i) {
      sum += static_cast<double>(i) * choice.scores[static_cast<size_t>(choice.features[i])];
    }
    return sum;
  };
  const double whole = worth(RunMethod("dismi", problem, 3));
  for (const char* partitions : {"2", "3", "50"}) {
    const Choice choice = RunMethod("dismi", problem, 3, {{"partitions", partitions}}, 5);
    EXPECT_EQ(std::set<int>(choice.features.begin(), choice.features.end()).size(), 3u);
    EXPECT_GE(worth(choice), 0.25 * whole);  // proven for the two rounds, with high probability
    for (float score : choice.scores) EXPECT_GT(score, 0);
  }
}

}  // namespace
}  // namespace slm
