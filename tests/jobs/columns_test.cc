// Columns that are kept or grouped, and the reasons of those not chosen.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/thread_pool.h"
#include "jobs/keep_columns.h"
#include "jobs/select.h"
#include "search/search.h"
#include "selectors/catalog.h"
#include "selectors/choose.h"
#include "slm/errors.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

class SmallSlm : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return SearchMask(problem, k, SmallSearch(), seed, context);
  }
};

SelectionSpec Request(int k) {
  SelectionSpec request;
  request.target = "y";
  request.k = k;
  return request;
}

SelectionResult Chosen(const Table& data, const SelectionSpec& request, Selector& selector) {
  Tables tables{.data = data, .valid = {}, .test = {}};
  ThreadPool pool(2);
  return SelectFromTable(tables, request, "some", selector, {.pool = &pool});
}

std::vector<std::string> Names(const SelectionResult& result) {
  std::vector<std::string> names;
  for (const SelectedFeature& feature : result.selected) names.push_back(feature.name);
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Keep, IsInTheChoiceOfEveryMethodAndCounts) {
  const Table data = PlantedTable(150, 8, true, 1);
  SelectionSpec request = Request(3);
  request.keep = {"x7", "x5"};
  for (const char* method : {"anova", "mrmr", "random", "omp", "rf"}) {
    const SelectionResult result = Chosen(data, request, *FindMethod(method).make());
    const std::vector<std::string> names = Names(result);
    ASSERT_EQ(names.size(), 3u) << method;
    EXPECT_TRUE(std::count(names.begin(), names.end(), "x5")) << method;
    EXPECT_TRUE(std::count(names.begin(), names.end(), "x7")) << method;
    for (const SelectedFeature& feature : result.selected) {
      EXPECT_EQ(feature.kept, feature.name == "x5" || feature.name == "x7");
      EXPECT_TRUE(feature.kept || feature.weight > 0.0f);
    }
    EXPECT_FALSE(result.model.empty()) << method;
  }
}

TEST(Keep, SlmChoosesTheOthersBesideIt) {
  SmallSlm slm;
  SelectionSpec request = Request(4);
  request.keep = {"x6"};
  const SelectionResult result = Chosen(PlantedTable(300, 10, true, 2), request, slm);
  EXPECT_EQ(Names(result), (std::vector<std::string>{"x0", "x1", "x2", "x6"}));
}

TEST(Keep, HoldsInAnEnsembleToo) {
  SelectionSpec request = Request(2);
  request.keep = {"x9"};
  request.ensemble = 3;
  const SelectionResult result =
      Chosen(PlantedTable(150, 10, true, 2), request, *FindMethod("random").make());
  ASSERT_EQ(result.selected.size(), 2u);
  EXPECT_TRUE(result.selected[0].name == "x9" || result.selected[1].name == "x9");
}

TEST(HoldKept, ReplacesTheLastThatNeedNotStay) {
  std::vector<int> features = {4, 2, 7, 1};
  const std::vector<int32_t> keep = {1, 3, 5};
  EXPECT_TRUE(HoldKept(keep, &features));
  EXPECT_EQ(features, (std::vector<int>{4, 3, 5, 1}));
  EXPECT_FALSE(HoldKept(keep, &features));
}

InputError::Kind KindOf(const SelectionSpec& request, std::string* message) {
  Table data = PlantedTable(60, 4, true, 1);
  data.columns[3].numbers.assign(60, 1.0);
  try {
    Chosen(data, request, *FindMethod("anova").make());
  } catch (const InputError& error) {
    *message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << "nothing was wrong";
  return InputError::Kind::kModel;
}

TEST(Keep, SaysWhatCannotBeKept) {
  std::string message;
  SelectionSpec request = Request(1);
  request.keep = {"x0", "x1"};
  EXPECT_EQ(KindOf(request, &message), InputError::Kind::kUsage);
  EXPECT_NE(message.find("k is 1, but keep names 2"), std::string::npos) << message;
  request.keep = {"x3"};
  EXPECT_EQ(KindOf(request, &message), InputError::Kind::kData);
  EXPECT_NE(message.find("cannot be chosen (constant)"), std::string::npos) << message;
  request.keep = {"x9"};
  EXPECT_EQ(KindOf(request, &message), InputError::Kind::kData);
  request.keep = {"y"};
  EXPECT_EQ(KindOf(request, &message), InputError::Kind::kUsage);
  request.keep = request.drop = {"x1"};
  EXPECT_EQ(KindOf(request, &message), InputError::Kind::kUsage);
  EXPECT_NE(message.find("drop and keep"), std::string::npos) << message;
}

TEST(Groups, AreChosenAsAWholeAndCountOnce) {
  SmallSlm slm;
  SelectionSpec request = Request(2);
  request.groups = {"pair=x0,x1"};
  const SelectionResult result = Chosen(PlantedTable(300, 8, true, 2), request, slm);
  EXPECT_EQ(Names(result), (std::vector<std::string>{"pair", "x2"}));
  for (const SelectedFeature& feature : result.selected) {
    if (feature.name != "pair") continue;
    EXPECT_EQ(feature.columns, (std::vector<std::string>{"x0", "x1"}));
    EXPECT_EQ(feature.index, 0);
  }
  ASSERT_FALSE(result.model.empty());
  EXPECT_EQ(result.model.columns(), (std::vector<std::string>{"x0", "x1", "x2"}));
  EXPECT_GT(*result.test_metric, 0.85);
}

TEST(Groups, WorkForEveryMethod) {
  SelectionSpec request = Request(2);
  request.groups = {"pair=x0,x5"};
  request.keep = {"pair"};
  const Table data = PlantedTable(120, 6, true, 4);
  for (const char* method :
       {"anova", "cmim", "fisher", "lasso", "mi", "omp", "linear", "rf", "best-subset", "pfa"}) {
    const std::vector<std::string> names = Names(Chosen(data, request, *FindMethod(method).make()));
    EXPECT_EQ(names.size(), 2u) << method;
    EXPECT_TRUE(std::count(names.begin(), names.end(), "pair")) << method;
  }
}

TEST(Reasons, NameWhatHappenedToEachColumnAndTheNearestChosen) {
  Table data = PlantedTable(400, 6, true, 5);
  auto add = [&](const std::string& name, auto value) {
    Column column;
    column.name = name;
    for (size_t i = 0; i < data.rows; ++i) column.numbers.push_back(value(i));
    data.columns.push_back(std::move(column));
  };
  const std::vector<double> x0 = data.columns[0].numbers, x4 = data.columns[4].numbers;
  add("same", [&](size_t) { return 3.0; });
  add("twin", [&](size_t i) { return x0[i]; });
  add("near", [&](size_t i) { return -x0[i] + 0.3 * x4[i]; });
  add("thrown", [&](size_t i) { return x4[i] * x0[i]; });
  SelectionSpec request = Request(2);
  request.drop = {"thrown", "near"};
  SelectionResult result = Chosen(data, request, *FindMethod("anova").make());
  request.drop = {"thrown"};
  request.keep = Names(result);  // two of x0, x1, x2
  result = Chosen(data, request, *FindMethod("anova").make());
  std::map<std::string, Unchosen> by_name;
  for (const Unchosen& one : result.rest) by_name[one.name] = one;
  EXPECT_EQ(by_name.size(), data.columns.size() - 1 - 2);
  EXPECT_EQ(by_name["same"].reason, "constant");
  EXPECT_EQ(by_name["twin"].reason, "duplicate of x0");
  EXPECT_EQ(by_name["thrown"].reason, "dropped by the user");
  EXPECT_EQ(by_name["x5"].reason, "weak");
  const std::vector<std::string>& chosen = request.keep;
  for (const char* planted : {"x0", "x1", "x2"}) {
    if (std::count(chosen.begin(), chosen.end(), planted)) continue;
    EXPECT_EQ(by_name[planted].reason, "outcompeted");
  }
  if (std::count(chosen.begin(), chosen.end(), "x0")) {
    EXPECT_EQ(by_name["near"].reason, "redundant");
    EXPECT_EQ(by_name["near"].nearest, "x0");
    EXPECT_NEAR(*by_name["near"].correlation, -1 / std::sqrt(1.09), 0.03);
    EXPECT_EQ(by_name["near"].measure, "rank correlation");
    EXPECT_EQ(by_name["twin"].nearest, "x0");
    EXPECT_EQ(*by_name["twin"].correlation, 1);
  }
}

// Two columns without any relation that lack their cells in the same rows, as in joined tables.
TEST(Reasons, MissingCellsMakeNoColumnRedundant) {
  Table data = PlantedTable(400, 4, true, 5);
  Column text{.name = "league", .type = ColumnType::kText};
  text.levels = {"east", "west"};
  for (size_t i = 0; i < data.rows; ++i) {
    const bool there = i % 2 == 0;
    if (!there) data.columns[3].numbers[i] = std::nan("");
    text.codes.push_back(there ? static_cast<int32_t>(i / 2 % 2) : -1);
  }
  data.columns.insert(data.columns.begin(), text);
  SelectionSpec request = Request(1);
  request.keep = {"league"};
  const SelectionResult result = Chosen(data, request, *FindMethod("anova").make());
  for (const Unchosen& one : result.rest) {
    EXPECT_NE(one.reason, "redundant") << one.name;
    if (one.name != "x3") continue;
    EXPECT_EQ(one.measure, "correlation ratio");
    EXPECT_LT(*one.correlation, 0.3);
  }
}

}  // namespace
}  // namespace slm
