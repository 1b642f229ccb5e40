#include "jobs/select.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "search/search.h"
#include "slm/errors.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

// SLM with the small search.
class SmallSlm : public Selector {
 public:
  explicit SmallSlm(const SlmOptions& options = SmallSearch()) : options_(options) {}
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return SearchMask(problem, k, options_, seed, context);
  }

 private:
  SlmOptions options_;
};

// Chooses the first k features and brings no model.
class FirstK : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context&) override {
    Choice choice;
    choice.weights.assign(problem.layout.features(), 0.0f);
    for (int j = k; j-- > 0;) {  // the last one first: the order is the method's own
      choice.features.push_back(j);
      choice.weights[static_cast<size_t>(j)] = 1.0f / static_cast<float>(k);
    }
    return choice;
  }
};

SelectionResult RunOn(const Table& table, Selector& selector, const SelectionSpec& request,
                      int threads = 2) {
  ThreadPool pool(threads);
  Tables tables{table, std::nullopt, std::nullopt};
  return SelectFromTable(tables, request, "test", selector, {.pool = &pool});
}

SelectionSpec Request(int k, uint64_t seed = 0) {
  SelectionSpec request;
  request.target = "y";
  request.k = k;
  request.seed = seed;
  return request;
}

std::set<std::string> NamesOf(const SelectionResult& result) {
  std::set<std::string> names;
  for (const SelectedFeature& feature : result.selected) names.insert(feature.name);
  return names;
}

TEST(SelectFromTable, FindsPlantedColumnsOfClassesAndValues) {
  for (bool classes : {true, false}) {
    SmallSlm slm;
    const SelectionResult result = RunOn(PlantedTable(500, 12, classes, 1), slm, Request(3));
    EXPECT_EQ(NamesOf(result), (std::set<std::string>{"x0", "x1", "x2"}));
    EXPECT_EQ(result.data.task, classes ? Task::kClassification : Task::kRegression);
    ASSERT_TRUE(result.test_metric.has_value());
    if (classes) {
      EXPECT_GT(*result.test_metric, 0.85);
    } else {
      EXPECT_LT(*result.test_metric, 4);  // the target's standard deviation is 8.7
    }
    EXPECT_EQ(result.data.train + result.data.valid + result.data.test, 500u);
    EXPECT_EQ(result.data.features, 12u);
  }
}

TEST(SelectFromTable, RanksByImportanceAndNamesPositions) {
  Table table = PlantedTable(300, 8, true, 2);
  std::swap(table.columns[0], table.columns[8]);  // the target first
  SmallSlm slm;
  const SelectionResult result = RunOn(table, slm, Request(4));
  ASSERT_EQ(result.selected.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const SelectedFeature& feature = result.selected[i];
    EXPECT_EQ(feature.rank, static_cast<int>(i) + 1);
    EXPECT_EQ(table.columns[static_cast<size_t>(feature.index)].name, feature.name);
    EXPECT_GT(feature.weight, 0.0f);
    if (i > 0) {
      EXPECT_LE(*feature.importance, *result.selected[i - 1].importance);
    }
  }
}

TEST(SelectFromTable, ThreadsChangeNoBitAndTheSeedDoes) {
  const Table table = PlantedTable(200, 10, true, 3);
  SlmOptions options = SmallSearch();
  options.cross_fit = CrossFit::kAlways;
  SmallSlm slm(options);
  const SelectionResult one = RunOn(table, slm, Request(3), 1);
  auto same = [&](const SelectionResult& other) {
    EXPECT_EQ(other.selected.size(), one.selected.size());
    bool equal = other.valid_metric == one.valid_metric && other.test_metric == one.test_metric;
    for (size_t i = 0; i < one.selected.size(); ++i) {
      equal = equal && other.selected[i].index == one.selected[i].index &&
              other.selected[i].weight == one.selected[i].weight &&
              other.selected[i].importance == one.selected[i].importance;
    }
    return equal;
  };
  EXPECT_TRUE(same(RunOn(table, slm, Request(3), 1)));
  EXPECT_TRUE(same(RunOn(table, slm, Request(3), 2)));
  EXPECT_TRUE(same(RunOn(table, slm, Request(3), 8)));
  EXPECT_FALSE(same(RunOn(table, slm, Request(3, 1), 1)));
}

TEST(SelectFromTable, FitsAPredictorForAMethodThatOnlyRanks) {
  FirstK first;
  const SelectionResult result = RunOn(PlantedTable(300, 6, true, 4), first, Request(3));
  EXPECT_EQ(NamesOf(result), (std::set<std::string>{"x0", "x1", "x2"}));
  EXPECT_GT(result.valid_metric, 0.8);
  EXPECT_GT(*result.test_metric, 0.8);
}

TEST(SelectFromTable, ATextColumnIsOneFeature) {
  Table table = PlantedTable(300, 5, true, 5);
  Column text;
  text.name = "colour";
  text.type = ColumnType::kText;
  text.levels = {"blue", "green", "red", "white"};
  for (size_t i = 0; i < 300; ++i) {
    // The class decides between two levels each.
    const int32_t base = table.columns.back().numbers[i] > 0 ? 2 : 0;
    text.codes.push_back(base + static_cast<int32_t>(i % 2));
  }
  table.columns.insert(table.columns.begin(), text);
  SmallSlm slm;
  const SelectionResult result = RunOn(table, slm, Request(1));
  ASSERT_EQ(result.selected.size(), 1u);
  EXPECT_EQ(result.selected[0].name, "colour");
  EXPECT_EQ(result.selected[0].index, 0);
}

TEST(SelectFromTable, WeightsAndDropsAreNoFeatures) {
  Table table = PlantedTable(200, 6, true, 6);
  table.columns[5].name = "w";
  for (double& w : table.columns[5].numbers) w = 1 + w * w;
  SelectionSpec request = Request(4);
  request.weights = "w";
  request.drop = {"x0"};
  request.balanced = true;
  SmallSlm slm;
  const SelectionResult result = RunOn(table, slm, request);
  EXPECT_EQ(NamesOf(result), (std::set<std::string>{"x1", "x2", "x3", "x4"}));
  ASSERT_EQ(result.data.dropped.size(), 1u);
  EXPECT_EQ(result.data.dropped[0].name, "x0");
}

InputError::Kind KindOfError(const Table& table, const SelectionSpec& request) {
  FirstK first;
  try {
    RunOn(table, first, request);
  } catch (const InputError& error) {
    return error.kind();
  }
  throw std::logic_error("the request was accepted");
}

TEST(SelectFromTable, SaysWhoseFaultItIs) {
  const Table table = PlantedTable(100, 4, true, 7);
  EXPECT_EQ(KindOfError(table, Request(0)), InputError::Kind::kUsage);
  EXPECT_EQ(KindOfError(table, Request(5)), InputError::Kind::kData);
  SelectionSpec request = Request(2);
  request.target = "z";
  EXPECT_EQ(KindOfError(table, request), InputError::Kind::kData);
  request = Request(2);
  request.drop = {"y"};
  EXPECT_EQ(KindOfError(table, request), InputError::Kind::kUsage);
}

TEST(SearchMask, WithoutARunIsAUsageError) {
  SlmOptions options = SmallSearch();
  options.starts = options.filter_starts = 0;
  options.cross_fit = CrossFit::kNever;
  SmallSlm slm(options);
  EXPECT_THROW(RunOn(PlantedTable(100, 4, true, 8), slm, Request(2)), InputError);
}

TEST(SearchMask, WithoutRefitsKeepsThePredictorOfTheRun) {
  SlmOptions options = SmallSearch();
  options.refits = 0;
  SmallSlm slm(options);
  const SelectionResult result = RunOn(PlantedTable(300, 8, true, 9), slm, Request(3));
  EXPECT_EQ(NamesOf(result), (std::set<std::string>{"x0", "x1", "x2"}));
  EXPECT_GT(result.valid_metric, 0.75);
}

class PhaseRecorder : public Observer {
 public:
  void OnProgress(const Progress& progress) override {
    if (progress.phase == "cross-fit") cross_fitted = true;
  }
  std::atomic<bool> cross_fitted = false;
};

TEST(SearchMask, CrossFitsByItselfOnlyWherePlainRunsDidPoorly) {
  for (int refits : {0, 1}) {
    for (bool easy : {true, false}) {
      SlmOptions options = SmallSearch();
      options.refits = refits;
      SmallSlm slm(options);
      Table table = PlantedTable(400, 6, true, 12);
      RandomStream random(1, 0);
      for (size_t i = 0; i < 400 && !easy; ++i) {
        table.columns.back().numbers[i] = static_cast<double>(random.Below(2));
      }
      PhaseRecorder recorder;
      ThreadPool pool(2);
      Tables tables{table, std::nullopt, std::nullopt};
      SelectFromTable(tables, Request(3), "test", slm, {.pool = &pool, .observer = &recorder});
      EXPECT_EQ(recorder.cross_fitted, !easy) << refits << " refits";
    }
  }
}

// Keys of the contract in product order, with the shape of their values.
TEST(SelectionResult, JsonHasEveryFieldOfTheContract) {
  Table table = PlantedTable(120, 5, true, 10);
  table.columns[4].numbers.assign(120, 7.0);  // constant
  FirstK first;
  const SelectionResult result = RunOn(table, first, Request(2, 9));
  const std::string json = result.ToJson().Dump();
  size_t at = 0;
  for (const char* part : {"{\"schema\":\"slm.selection/1\"",
                           "\"version\":\"",
                           "\"method\":\"test\"",
                           "\"task\":\"classification\"",
                           "\"target\":\"y\"",
                           "\"k\":2",
                           "\"seed\":9",
                           "\"data\":{\"rows\":120",
                           "\"features\":5",
                           "\"train\":",
                           "\"valid\":",
                           "\"test\":",
                           "\"dropped\":[{\"name\":\"x4\",\"reason\":\"constant\"}]",
                           "\"selected\":[{\"rank\":1,\"name\":\"x",
                           "\"index\":",
                           "\"weight\":0.5,\"importance\":",
                           "\"importance_sd\":",
                           "{\"rank\":2,\"name\":\"x",
                           "\"weight\":0.5,\"importance\":",
                           "\"metrics\":{\"name\":\"accuracy\",\"valid\":",
                           "\"test\":",
                           "\"importance\":{\"parts\":\"validation and test\",\"rows\":",
                           "\"seconds\":{\"read\":",
                           "\"importance\":",
                           "\"fit\":",
                           "\"total\":",
                           "\"options\":{"}) {
    const size_t found = json.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " is not in its place in " << json;
    at = found + 1;
  }
}

TEST(SelectionResult, JsonOfNoTestRowsSaysNull) {
  SelectionSpec request = Request(2);
  request.split = {0.8, 0.2, 0};
  FirstK first;
  const SelectionResult result = RunOn(PlantedTable(120, 5, true, 11), first, request);
  EXPECT_FALSE(result.test_metric.has_value());
  EXPECT_NE(result.ToJson().Dump().find("\"test\":null"), std::string::npos);
}

TEST(SelectFromTable, ATableThatIsNotEncodedInTimeHasNoResult) {
  ThreadPool pool(2);
  const Tables tables{PlantedTable(100, 12, true, 1), std::nullopt, std::nullopt};
  FirstK first;
  Context context{.pool = &pool, .deadline = Context::Clock::now()};
  EXPECT_EQ(SelectFromTable(tables, Request(3), "test", first, context).selected.size(), 3u);
  context.latest = context.deadline;
  EXPECT_THROW(SelectFromTable(tables, Request(3), "test", first, context), NoResultYet);
}

}  // namespace
}  // namespace slm
