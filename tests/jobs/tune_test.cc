#include "jobs/tune.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "base/thread_pool.h"
#include "selectors/catalog.h"
#include "slm/errors.h"
#include "tests/data/temp_file.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

// Has the options of the random forest's space. The deeper, the better its features: 0, the
// default, chooses noise alone. The first three features of a planted table matter.
class Dial : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    ++runs;
    if (failing) throw DataError("it cannot do this; do that");
    while (waiting && !context.ShouldStop()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const int first = depth_ == 0 ? 3 : depth_ == 5 ? 2 : depth_ == 10 ? 1 : 0;
    trees_seen.fetch_add(trees_);
    return ChooseFrom(first, k, problem);
  }
  void DescribeOptions(OptionList& list) override {
    list.Int("trees", &trees_, 1, 1000000, "budget");
    list.Int("max_depth", &depth_, 0, 100, "decides");
    list.Real("max_features", &ignored_, 0, 1, "nothing");
    list.Int("min_samples_leaf", &leaf_, 1, 100, "nothing");
  }
  void DescribeSearch(SearchSpace& space) const override {
    FindMethod("rf").make()->DescribeSearch(space);
  }

  static inline std::atomic<int> runs, trees_seen;
  static inline bool failing, waiting;

 private:
  int trees_ = 90, depth_ = 0, leaf_ = 1;
  double ignored_ = 0;
};

class TuneTest : public testing::Test {
 protected:
  void SetUp() override {
    Dial::runs = Dial::trees_seen = 0;
    Dial::failing = Dial::waiting = false;
    request_.select.target = "y";
    request_.select.k = 3;
    request_.method = "dial";
    request_.make = [] { return std::make_unique<Dial>(); };
    request_.trials = 12;
    request_.judges = 1;
  }

  TuningResult Run(int threads = 2) {
    ThreadPool pool(threads);
    return Tune({PlantedTable(300, 8, true, 1), {}, {}}, request_, {.pool = &pool});
  }

  // All but the times, in the order of trials.
  std::string Trials(TuningResult result) {
    std::vector<std::string> lines;
    for (Trial& trial : result.trials) {
      trial.seconds = 0;
      lines.push_back(WriteFields(trial).Dump() + "\n");
    }
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  TuneSpec request_;
};

TEST_F(TuneTest, TheBestByValidationWinsAndIsMeasuredOnTestRows) {
  const TuningResult result = Run();
  EXPECT_EQ(result.trials.size(), 12u);
  EXPECT_EQ(result.options["max_depth"].integer(), 20);
  EXPECT_EQ(result.best().selected[0].name, "x0");
  EXPECT_GT(result.valid_metric, 0.8);
  ASSERT_TRUE(result.test_metric.has_value());
  EXPECT_GT(*result.test_metric, 0.8);
  EXPECT_FALSE(result.stopped_early);
  for (const Trial& trial : result.trials) {
    EXPECT_LE(trial.valid_metric, result.best().valid_metric);
  }
}

TEST_F(TuneTest, TrialZeroHasTheSettingsAsGiven) {
  const TuningResult result = Run();
  for (const Trial& trial : result.trials) {
    if (trial.index != 0) continue;
    EXPECT_EQ(trial.settings, (std::vector<OptionSetting>{{"trees", "90"},
                                                          {"max_depth", "0"},
                                                          {"max_features", "0"},
                                                          {"min_samples_leaf", "1"}}));
  }
}

TEST_F(TuneTest, FixedOptionsStay) {
  request_.fixed = {{"max_depth", "5"}};
  const TuningResult result = Run();
  EXPECT_EQ(result.options["max_depth"].integer(), 5);
  for (const Trial& trial : result.trials) EXPECT_EQ(trial.selected[0].name, "x2");
}

TEST_F(TuneTest, SettingsThatWereDrawnTwiceAreTriedOnce) {
  request_.fixed = {{"trees", "9"}, {"max_features", "0"}, {"min_samples_leaf", "1"}};
  request_.trials = 60;
  const TuningResult result = Run();
  EXPECT_EQ(result.trials.size(), 4u);  // depths
  EXPECT_EQ(Dial::runs, 4);
  EXPECT_FALSE(result.stopped_early);
}

TEST_F(TuneTest, MethodsWithoutASpaceHaveOneTrial) {
  request_.make = FindMethod("anova").make;
  EXPECT_EQ(Run().trials.size(), 1u);
}

TEST_F(TuneTest, TheNumberOfThreadsChangesNothing) {
  for (Strategy strategy : {Strategy::kRandom, Strategy::kHalving}) {
    request_.strategy = strategy;
    EXPECT_EQ(Trials(Run(1)), Trials(Run(5)));
  }
}

TEST_F(TuneTest, HalvingGivesTheFullBudgetToFewTrials) {
  request_.strategy = Strategy::kHalving;
  request_.fixed = {{"trees", "90"}};
  const TuningResult result = Run();
  std::map<double, std::set<int>> rungs;
  for (const Trial& trial : result.trials) rungs[trial.budget].insert(trial.index);
  ASSERT_EQ(rungs.size(), 3u);
  EXPECT_EQ(rungs[1.0 / 9].size(), 12u);
  EXPECT_EQ(rungs[1.0 / 3].size(), 4u);
  EXPECT_EQ(rungs[1].size(), 2u);
  EXPECT_EQ(Dial::trees_seen, 12 * 10 + 4 * 30 + 2 * 90);
  for (const auto& [budget, trials] : rungs) EXPECT_TRUE(trials.contains(0));
  EXPECT_EQ(result.best().budget, 1);
  EXPECT_EQ(result.options["trees"].integer(), 90);
  EXPECT_EQ(result.planned, 18u);
}

TEST_F(TuneTest, AFinishedSearchIsResumedWithoutRunningAnything) {
  TempFile journal("", ".jsonl");
  request_.journal = journal.path();
  const TuningResult first = Run();
  Dial::runs = 0;
  request_.resume = true;
  const TuningResult second = Run();
  EXPECT_EQ(Dial::runs, 0);
  EXPECT_EQ(Trials(first), Trials(second));
  EXPECT_EQ(first.test_metric, second.test_metric);
}

TEST_F(TuneTest, AnyPartOfAJournalResumesToTheSameEnd) {
  for (Strategy strategy : {Strategy::kRandom, Strategy::kHalving}) {
    request_.strategy = strategy;
    TempFile journal("", ".jsonl");
    request_.journal = journal.path();
    request_.resume = true;
    const TuningResult first = Run();
    const std::string whole = ContentOf(journal.path());
    for (size_t length : {size_t{0}, size_t{10}, whole.size() / 3, whole.size() - 1}) {
      std::ofstream(journal.path(), std::ios::trunc) << whole.substr(0, length);
      const TuningResult second = Run();
      EXPECT_EQ(Trials(first), Trials(second));
      EXPECT_EQ(first.test_metric, second.test_metric);
    }
  }
}

TEST_F(TuneTest, ARandomSearchCanBeMadeLonger) {
  TempFile journal("", ".jsonl");
  request_.journal = journal.path();
  request_.resume = true;
  request_.trials = 5;
  Run();
  request_.trials = 12;
  Dial::runs = 0;
  const TuningResult longer = Run();
  EXPECT_EQ(Dial::runs, 7);
  request_.journal.clear();
  EXPECT_EQ(Trials(longer), Trials(Run()));
}

TEST_F(TuneTest, OtherDataAreNotResumed) {
  TempFile journal("", ".jsonl");
  request_.journal = journal.path();
  Run();
  request_.resume = true;
  ThreadPool pool(1);
  const std::string error = DataErrorOf([&] {
    Tune({PlantedTable(300, 8, true, 2), {}, {}}, request_, {.pool = &pool});
  });
  EXPECT_NE(error.find("fingerprint"), std::string::npos) << error;
}

TEST_F(TuneTest, ADeadlineThatHasPassedStillGivesAResultAndNoJournalLine) {
  TempFile journal("", ".jsonl");
  request_.journal = journal.path();
  Dial::waiting = true;
  ThreadPool pool(2);
  const TuningResult result =
      Tune({PlantedTable(300, 8, true, 1), {}, {}}, request_,
           {.pool = &pool, .deadline = Context::Clock::now() + std::chrono::milliseconds(20)});
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(result.best().index, 0);
  EXPECT_EQ(result.best().selected.size(), 3u);
  EXPECT_TRUE(result.test_metric.has_value());
  std::ifstream file(journal.path());
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) ++lines;
  EXPECT_EQ(lines, 1);
}

TEST_F(TuneTest, ASearchInWhichEveryTrialFailsSaysWhy) {
  Dial::failing = true;
  EXPECT_NE(DataErrorOf([&] { Run(); }).find("it cannot do this"), std::string::npos);
}

TEST_F(TuneTest, SettingsReachTheMethod) {
  request_.method = "slm";
  request_.make = FindMethod("slm").make;
  request_.fixed = {{"starts", "1"}, {"filter_starts", "0"}, {"cross_fit", "never"},
                    {"refits", "0"}, {"hidden_units", "8"},  {"steps", "60"}};
  request_.trials = 4;
  const TuningResult result = Run();
  EXPECT_EQ(result.options["hidden_units"].integer(), 8);
  std::set<float> weights;
  for (const Trial& trial : result.trials) weights.insert(*trial.selected[0].weight);
  EXPECT_EQ(weights.size(), 4u);
}

TEST_F(TuneTest, TheResultAsJsonHasTheSchema) {
  const Json json = Run().ToJson();
  EXPECT_EQ(json["schema"].text(), "slm.tuning/1");
  EXPECT_EQ(json["trials"].array().size(), 12u);
  EXPECT_EQ(json["selected"].array().size(), 3u);
  EXPECT_EQ(json["best"].integer(), json["trials"].array()[0]["trial"].integer());
}

}  // namespace
}  // namespace slm
