// What every method promises, whatever it does inside.

#include "selectors/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/xgboost_library.h"
#include "slm/errors.h"
#include "tests/slm/planted_problem.h"

namespace slm {
namespace {

class EveryMethod : public testing::TestWithParam<MethodEntry> {
 protected:
  void SetUp() override {
    if (GetParam().name == "xgboost" && !XgboostLibrary::Available()) {
      GTEST_SKIP() << "libxgboost is not installed";
    }
  }

  // The method with less work, where it has such options.
  std::unique_ptr<Selector> Make() const {
    std::unique_ptr<Selector> selector = GetParam().make();
    OptionList list;
    selector->DescribeOptions(list);
    for (auto [name, value] : {std::pair{"steps", "150"},
                               {"hidden_units", "16"},
                               {"learning_rate", "0.01"},
                               {"starts", "2"},
                               {"filter_starts", "1"},
                               {"ensemble", "2"},
                               {"ensemble_units", "16"},
                               {"ensemble_steps", "50"},
                               {"trees", "40"},
                               {"rounds", "20"}}) {
      if (list.Find(name) != nullptr) list.Set(name, value);
    }
    return selector;
  }

  Choice Run(const Problem& problem, int k, uint64_t seed = 0, int threads = 2) const {
    ThreadPool pool(threads);
    return Make()->Select(problem, k, seed, {.pool = &pool});
  }
};

TEST_P(EveryMethod, ChoosesExactlyKDistinctFeaturesWithAWeightForEveryFeature) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem planted(task, 150, 14, 3, 1);
    for (int k : {1, 4, 13, 14}) {
      const Choice choice = Run(planted.problem, k);
      ASSERT_EQ(choice.features.size(), static_cast<size_t>(k));
      const std::set<int> chosen(choice.features.begin(), choice.features.end());
      EXPECT_EQ(chosen.size(), static_cast<size_t>(k));
      EXPECT_GE(*chosen.begin(), 0);
      EXPECT_LT(*chosen.rbegin(), 14);
      ASSERT_EQ(choice.weights.size(), 14u);
      ASSERT_EQ(choice.scores.size(), 14u);
      for (float score : choice.scores) EXPECT_TRUE(std::isfinite(score));
      for (int j = 0; j < 14; ++j) {
        const float weight = choice.weights[static_cast<size_t>(j)];
        EXPECT_TRUE(chosen.contains(j) ? weight > 0 : weight == 0) << "feature " << j;
      }
      for (size_t i = 1; i < choice.features.size(); ++i) {
        EXPECT_GE(choice.weights[static_cast<size_t>(choice.features[i - 1])],
                  choice.weights[static_cast<size_t>(choice.features[i])]);
      }
    }
  }
}

TEST_P(EveryMethod, FindsPlantedFeaturesWhereverTheyStand) {
  if (GetParam().kind != MethodKind::kSupervised) GTEST_SKIP() << "does not see the labels";
  std::vector<size_t> order(20);
  std::iota(order.begin(), order.end(), size_t{0});
  for (uint64_t trial = 0; trial < 3; ++trial) {
    const PlantedProblem planted(Task::kClassification, 400, 20, 4, 2, order);
    const Choice choice = Run(planted.problem, 4);
    std::set<size_t> found;
    for (int j : choice.features) found.insert(order[static_cast<size_t>(j)]);
    EXPECT_EQ(found, (std::set<size_t>{0, 1, 2, 3})) << "order " << testing::PrintToString(order);
    RandomStream(3, trial).Shuffle(std::span(order));
  }
}

TEST_P(EveryMethod, ThreadsChangeNoBit) {
  const PlantedProblem planted(Task::kClassification, 150, 12, 3, 3);
  const Choice one = Run(planted.problem, 4, 5, 1);
  for (int threads : {1, 2, 8}) {
    const Choice other = Run(planted.problem, 4, 5, threads);
    EXPECT_EQ(other.features, one.features) << threads;
    EXPECT_EQ(other.weights, one.weights) << threads;
  }
}

TEST_P(EveryMethod, ItsModelReadsOnlyTheChosenFeatures) {
  const PlantedProblem planted(Task::kClassification, 150, 12, 3, 4);
  const Choice choice = Run(planted.problem, 4);
  if (!choice.model.predictor) return;  // it only ranks
  std::vector<int32_t> ascending(choice.features.begin(), choice.features.end());
  std::sort(ascending.begin(), ascending.end());
  EXPECT_EQ(choice.model.columns, ascending);  // here every feature is one column
}

TEST_P(EveryMethod, DescribesOptionsThatAreValidUntouched) {
  std::unique_ptr<Selector> selector = GetParam().make();
  OptionList list;
  selector->DescribeOptions(list);
  EXPECT_NO_THROW(list.Validate());
  for (const OptionField& field : list.fields()) EXPECT_FALSE(field.help.empty()) << field.name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryMethod,
                         testing::ValuesIn(Methods().begin(), Methods().end()),
                         [](const testing::TestParamInfo<MethodEntry>& method) {
                           std::string name(method.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Catalog, IsSortedAndEveryEntryIsDescribed) {
  for (size_t i = 0; i < Methods().size(); ++i) {
    EXPECT_FALSE(Methods()[i].summary.empty());
    EXPECT_EQ(FindMethod(Methods()[i].name).make, Methods()[i].make);
    if (i > 0) {
      EXPECT_LT(Methods()[i - 1].name, Methods()[i].name);
    }
  }
}

TEST(Catalog, AMisspeltMethodIsAUsageErrorThatSuggestsTheRightOne) {
  try {
    FindMethod("slmm");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
    EXPECT_NE(std::string(error.what()).find("'slm'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace slm
