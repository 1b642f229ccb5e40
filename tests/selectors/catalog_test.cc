// What every method promises, whatever it does inside.

#include "selectors/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <numeric>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/trees/xgboost_library.h"
#include "slm/errors.h"
#include "tests/data/cells.h"
#include "tests/data/chunked_rows.h"
#include "tests/search/planted_problem.h"

namespace slm {

// GoogleTest would print the bytes, which are addresses: other names of tests for every build.
void PrintTo(const MethodEntry& entry, std::ostream* out) { *out << entry.name; }

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
                               {"path_epochs", "20"},
                               {"learning_rate", "0.01"},
                               {"starts", "2"},
                               {"filter_starts", "1"},
                               {"final_predictors", "2"},
                               {"final_units", "16"},
                               {"final_steps", "50"},
                               {"trees", "40"},
                               {"rounds", "20"}}) {
      if (list.Find(name) != nullptr) list.Set(name, value);
    }
    // What it reads is decided late, when the temperature is low. Its other aim, columns that stand
    // for many, has nothing to find among columns that are independent.
    if (GetParam().name == "fsnet") {
      list.Set("steps", "1500");
      list.Set("learning_rate", "0.002");
      list.Set("reconstruction", "0");
    }
    // Beside steps, epochs would replace them.
    if (list.Find("epochs") != nullptr && list.Find("steps") == nullptr) list.Set("epochs", "150");
    return selector;
  }

  Choice Run(const Problem& problem, int k, uint64_t seed = 0, int threads = 2) const {
    ThreadPool pool(threads);
    return Make()->Select(problem, k, seed, {.pool = &pool});
  }

  // Methods for classes alone refuse a numeric target, and name a method that takes it.
  bool Takes(const Problem& problem) const {
    if (problem.train.y.task == Task::kClassification) return true;
    try {
      Run(problem, 1);
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), InputError::Kind::kData);
      EXPECT_NE(std::string(error.what()).find("use method "), std::string::npos) << error.what();
      return false;
    }
    return true;
  }

  bool IgnoresTheSeed(const Problem& problem, int k) const {
    return Run(problem, k, 0).scores == Run(problem, k, 1).scores;
  }
};

std::set<int> AsSet(const Choice& choice) {
  return {choice.features.begin(), choice.features.end()};
}

// Exactly k distinct features, best first, with a weight each, and a score for every feature.
void ExpectChoice(const Choice& choice, int k, int features) {
  ASSERT_EQ(choice.features.size(), static_cast<size_t>(k));
  const std::set<int> chosen = AsSet(choice);
  EXPECT_EQ(chosen.size(), static_cast<size_t>(k));
  EXPECT_GE(*chosen.begin(), 0);
  EXPECT_LT(*chosen.rbegin(), features);
  ASSERT_EQ(choice.weights.size(), static_cast<size_t>(features));
  ASSERT_EQ(choice.scores.size(), static_cast<size_t>(features));
  for (float score : choice.scores) EXPECT_TRUE(std::isfinite(score));
  for (int j = 0; j < features; ++j) {
    const float weight = choice.weights[static_cast<size_t>(j)];
    EXPECT_TRUE(chosen.contains(j) ? weight > 0 : weight == 0) << "feature " << j;
  }
  for (size_t i = 1; i < choice.features.size(); ++i) {
    EXPECT_GE(choice.weights[static_cast<size_t>(choice.features[i - 1])],
              choice.weights[static_cast<size_t>(choice.features[i])]);
  }
}

// The chosen columns as they are numbered in the plain problem.
std::set<size_t> InPlainOrder(const Choice& choice, const std::vector<size_t>& order) {
  std::set<size_t> plain;
  for (int j : choice.features) plain.insert(order[static_cast<size_t>(j)]);
  return plain;
}

TEST_P(EveryMethod, ChoosesExactlyKDistinctFeaturesWithAWeightForEveryFeature) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem planted(task, 150, 14, 3, 1);
    if (!Takes(planted.problem)) continue;
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
    for (int k : {1, 4, 13, 14}) ExpectChoice(Run(planted.problem, k), k, 14);
  }
}

TEST_P(EveryMethod, FindsPlantedFeaturesWhereverTheyAre) {
  if (GetParam().kind != MethodKind::kSupervised) GTEST_SKIP() << "does not see the labels";
  std::vector<size_t> order(20);
  std::iota(order.begin(), order.end(), size_t{0});
  for (uint64_t trial = 0; trial < 3; ++trial) {
    for (Task task : {Task::kClassification, Task::kRegression}) {
      // With fewer rows the error of estimates from nearest neighbours hides a column of four.
      const PlantedProblem planted(task, 1000, 20, 4, 2, order);
      if (!Takes(planted.problem)) continue;
      EXPECT_EQ(InPlainOrder(Run(planted.problem, 4), order), (std::set<size_t>{0, 1, 2, 3}))
          << "order " << testing::PrintToString(order);
    }
    RandomStream(3, trial).Shuffle(std::span(order));
  }
}

TEST_P(EveryMethod, RefusesANumericTargetOnlyByNamingAMethodThatTakesIt) {
  const PlantedProblem planted(Task::kRegression, 150, 14, 3, 6);
  if (Takes(planted.problem)) return;
  try {
    Run(planted.problem, 1);
  } catch (const InputError& error) {
    const std::string message = error.what(), flag = "use method ";
    const size_t begin = message.find(flag) + flag.size();
    const size_t end = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin);
    const MethodEntry& other = FindMethod(message.substr(begin, end - begin));
    ThreadPool pool(2);
    EXPECT_NO_THROW(other.make()->Select(planted.problem, 1, 0, {.pool = &pool})) << message;
  }
}

TEST_P(EveryMethod, ChoosesTheSameColumnsInAnyOrderUnlessTheSeedMatters) {
  const PlantedProblem plain(Task::kClassification, 150, 16, 3, 7);
  if (!IgnoresTheSeed(plain.problem, 6)) GTEST_SKIP() << "random";
  std::vector<size_t> order(16);
  std::iota(order.begin(), order.end(), size_t{0});
  const std::set<size_t> expected = InPlainOrder(Run(plain.problem, 6), order);
  for (uint64_t trial = 0; trial < 3; ++trial) {
    RandomStream(4, trial).Shuffle(std::span(order));
    const PlantedProblem permuted(Task::kClassification, 150, 16, 3, 7, order);
    EXPECT_EQ(InPlainOrder(Run(permuted.problem, 6), order), expected);
  }
}

TEST_P(EveryMethod, CountsAFeatureOfSeveralColumnsOnce) {
  const GroupedProblem grouped(400, 8);
  for (int k : {1, 2, 5, GroupedProblem::kFeatures}) {
    const Choice choice = Run(grouped.problem, k);
    ExpectChoice(choice, k, GroupedProblem::kFeatures);
    // fsnet tells columns apart by their distributions, which are the same for the text columns
    // here.
    if (k == 2 && GetParam().kind == MethodKind::kSupervised && GetParam().name != "fsnet") {
      EXPECT_EQ(AsSet(choice), (std::set<int>{GroupedProblem::kText, GroupedProblem::kNumber}));
    }
    if (choice.model.predictor) {
      std::vector<int32_t> columns;
      for (int j : AsSet(choice)) {
        const size_t f = static_cast<size_t>(j);
        for (int32_t c = grouped.problem.layout.offsets[f];
             c < grouped.problem.layout.offsets[f + 1]; ++c) {
          columns.push_back(c);
        }
      }
      EXPECT_EQ(choice.model.columns, columns);
    }
  }
}

TEST_P(EveryMethod, AcceptsDuplicatesAndColumnsThatAreConstantInTraining) {
  constexpr size_t kTwin = 5, kZero = 6, kConstant = 7;
  PlantedProblem planted(Task::kClassification, 300, 12, 3, 9);
  Problem& problem = planted.problem;
  for (Dataset* data : {&problem.train, &problem.valid, &problem.test}) {
    for (size_t i = 0; i < data->rows(); ++i) {
      float* row = Cells(*data).row(i);
      row[kTwin] = row[0];
      row[kZero] = 0;
      if (data == &problem.train) row[kConstant] = 0.5f;
    }
  }
  for (int k : {1, 3, 9, 12}) {
    const Choice choice = Run(problem, k);
    ExpectChoice(choice, k, 12);
    if (k > 3 || GetParam().kind != MethodKind::kSupervised) continue;
    EXPECT_FALSE(AsSet(choice).contains(kZero)) << k;
    EXPECT_FALSE(AsSet(choice).contains(kConstant)) << k;
  }
}

TEST_P(EveryMethod, WeightsOfOneAreNoWeights) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    PlantedProblem planted(task, 200, 12, 4, 10);
    if (!Takes(planted.problem)) continue;
    const Choice without = Run(planted.problem, 4);
    planted.problem.train.weight.assign(planted.problem.train.rows(), 1.0f);
    planted.problem.valid.weight.assign(planted.problem.valid.rows(), 1.0f);
    EXPECT_EQ(AsSet(Run(planted.problem, 4)), AsSet(without));
  }
}

TEST_P(EveryMethod, ThreadsChangeNoBit) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem planted(task, 150, 12, 3, 3);
    if (!Takes(planted.problem)) continue;
    const Choice one = Run(planted.problem, 4, 5, 1);
    for (int threads : {1, 2, 8}) {
      const Choice other = Run(planted.problem, 4, 5, threads);
      EXPECT_EQ(other.features, one.features) << threads;
      EXPECT_EQ(other.weights, one.weights) << threads;
      EXPECT_EQ(other.scores, one.scores) << threads;
    }
  }
}

// Methods that need all rows in memory at once, with the kind of target where it matters; as in
// docs/decisions.md. The others read batches, passes, or copies of the columns they work on.
const std::set<std::string> kNeedAllRows = {"adversarial", "auto",       "best-subset of classes",
                                            "boruta",      "cmim",       "dismi",
                                            "extra-trees", "hsic-lasso", "jmim",
                                            "mi",          "mrmr",       "rf",
                                            "xgboost"};

TEST_P(EveryMethod, GivesTheSameBitsWhereverTheRowsAreUnlessItNeedsThemAllInMemory) {
  const std::string name(GetParam().name);
  auto check = [&](const Problem& problem) {
    if (!Takes(problem)) return;
    const Problem chunked = InChunks(problem);
    const bool classes = problem.train.y.has_classes();
    if (kNeedAllRows.contains(name) ||
        kNeedAllRows.contains(name + (classes ? " of classes" : " of values"))) {
      EXPECT_THROW(Run(chunked, 4), InputError);
      return;
    }
    const Choice expected = Run(problem, 4), found = Run(chunked, 4);
    EXPECT_EQ(found.features, expected.features);
    EXPECT_EQ(found.weights, expected.weights);
    EXPECT_EQ(found.scores, expected.scores);
  };
  for (Task task : {Task::kClassification, Task::kRegression}) {
    PlantedProblem planted(task, 200, 14, 4, 11);
    for (Dataset* data : {&planted.problem.train, &planted.problem.valid}) {
      for (size_t i = 0; i < data->rows(); ++i) data->weight.push_back(i % 2 == 0 ? 0.5f : 1.5f);
    }
    check(planted.problem);
  }
  const GroupedProblem grouped(200, 12);  // features of several columns
  check(grouped.problem);
}

// Asks to stop from the start, or from the first report on.
class Stop : public Observer {
 public:
  explicit Stop(bool from_start) : stopped_(from_start) {}

  void OnProgress(const Progress&) override {
    if (!stopped_.exchange(true)) asked_ = std::clock();
  }
  bool Cancelled() override { return stopped_; }

  // Of the processor since it was asked, so that a busy machine changes nothing.
  double Seconds() const {
    return stopped_ ? static_cast<double>(std::clock() - asked_) / CLOCKS_PER_SEC : 0;
  }

 private:
  std::atomic<bool> stopped_;
  std::clock_t asked_ = std::clock();
};

TEST_P(EveryMethod, AskedToStopItEndsWithinASecondWithExactlyK) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr double kLimit = 10;
#else
  constexpr double kLimit = 1;
#endif
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem small(task, 50, 5, 3, 11);
    if (!Takes(small.problem)) continue;
    const PlantedProblem planted(task, 3000, 200, 10, 11);
    for (bool from_start : {true, false}) {
      ThreadPool pool(1);
      Stop stop(from_start);
      // With the options of a user: there is work to cut short.
      const Choice choice =
          GetParam().make()->Select(planted.problem, 20, 0, {.pool = &pool, .observer = &stop});
      EXPECT_LT(stop.Seconds(), kLimit)
          << (from_start ? "from the start" : "from the first report");
      ExpectChoice(choice, 20, 200);
    }
  }
}

TEST_P(EveryMethod, PastItsDeadlineItStillChoosesExactlyK) {
  const PlantedProblem planted(Task::kClassification, 150, 14, 3, 12);
  ThreadPool pool(2);
  ExpectChoice(
      Make()->Select(planted.problem, 5, 0, {.pool = &pool, .deadline = Context::Clock::now()}), 5,
      14);
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

TEST(CatalogTest, NetworksOfAllColumnsSayWhatTheirWeightsTake) {
  Problem problem;
  problem.layout.names = {"x"};
  problem.layout.offsets = {0, 100000};
  problem.train.y.classes = 2;
  for (std::string_view method : {"lassonet", "group-lasso-nn"}) {
    const MemoryNeed need = FindMethod(method).make()->Memory(problem, 1);
    // Four matrices of 100 units at least, and no more than a few.
    EXPECT_GT(need.bytes, 4 * 4 * 100.0 * 100000) << method;
    EXPECT_LT(need.bytes, 10 * 4 * 112.0 * 100000) << method;
    EXPECT_NE(need.advice, "") << method;
  }
}

}  // namespace
}  // namespace slm
