#include "jobs/importance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "jobs/select.h"
#include "model/predict.h"
#include "selectors/catalog.h"
#include "slm/slm.h"
#include "tests/jobs/planted_table.h"
#include "tests/mask/stop_after.h"

namespace slm {
namespace {

// Takes features in this order, with weights that fall from one to the next.
class InOrder : public Selector {
 public:
  explicit InOrder(std::vector<int> features) : features_(std::move(features)) {}
  Choice Select(const Problem& problem, int, uint64_t, const Context&) override {
    Choice choice;
    choice.features = features_;
    choice.weights.assign(problem.layout.features(), 0.0f);
    float weight = 1;
    for (int j : features_) choice.weights[static_cast<size_t>(j)] = weight /= 2;
    choice.scores = choice.weights;
    return choice;
  }

 private:
  std::vector<int> features_;
};

SelectionSpec Request(int k) {
  SelectionSpec request;
  request.target = "y";
  request.k = k;
  return request;
}

SelectionResult RunOn(const Table& table, Selector& selector, const SelectionSpec& request,
                      int threads = 2, Observer* observer = nullptr) {
  const Tables tables{.data = table, .valid = {}, .test = {}};
  ThreadPool pool(threads);
  return SelectFromTable(tables, request, "some", selector, {.pool = &pool, .observer = observer});
}

// A passenger survives if female, but for one in ten; the rest of the columns is noise.
Table Passengers(size_t rows) {
  RandomStream random(3, 0);
  Table table;
  table.rows = rows;
  Column age{.name = "age"}, fare{.name = "fare"}, sex{.name = "sex", .type = ColumnType::kText};
  Column survived{.name = "y"};
  sex.levels = {"female", "male"};
  for (size_t i = 0; i < rows; ++i) {
    const bool male = random.Uniform() < 0.6;
    age.numbers.push_back(random.Uniform() < 0.2 ? std::nan("") : random.Uniform(1, 80));
    fare.numbers.push_back(std::exp(random.Normal()));
    sex.codes.push_back(male ? 1 : 0);
    survived.numbers.push_back((random.Uniform() < 0.9) != male ? 1 : 0);
  }
  table.columns = {age, fare, sex, survived};
  return table;
}

TEST(Importance, RanksWhatDecidesFirstWhateverItsWeight) {
  InOrder age_first({0, 1, 2});
  const SelectionResult result = RunOn(Passengers(900), age_first, Request(3));
  const SelectedFeature& first = result.selected[0];
  EXPECT_EQ(first.name, "sex");
  EXPECT_EQ(first.rank, 1);
  EXPECT_EQ(first.weight, 0.125f);
  // 0.9 of the rows are right; without sex, as many as go to the larger of two classes at best.
  EXPECT_NEAR(*first.importance, 0.35, 0.15);
  EXPECT_GT(*first.importance, 5 * *first.importance_sd);
  for (size_t i : {1u, 2u}) {
    EXPECT_LT(std::abs(*result.selected[i].importance), 0.08) << result.selected[i].name;
    EXPECT_LE(*result.selected[i].importance, *result.selected[i - 1].importance);
  }
  EXPECT_EQ(result.importance->parts, "validation and test");  // 90 rows of validation are few
  EXPECT_EQ(result.importance->rows, 270u);
}

// The same by hand: predictions on the validation rows of the file, cells exchanged in the table.
TEST(Importance, IsWhatPermutedCellsCostInPredictions) {
  const Table data = PlantedTable(600, 5, false, 4);
  Tables tables{.data = data, .valid = PlantedTable(400, 5, false, 5), .test = {}};
  InOrder selector({0, 1, 3});
  SelectionSpec request = Request(3);
  ThreadPool pool(2);
  const SelectionResult result =
      SelectFromTable(tables, request, "some", selector, {.pool = &pool});
  EXPECT_EQ(result.importance->parts, "validation");
  EXPECT_EQ(result.importance->rows, 400u);
  const std::vector<double>& truth = tables.valid->columns[5].numbers;
  auto error = [&](const Table& table) {
    const std::vector<double> values = Predict(result.model, table, 1).values;
    double sum = 0;
    for (size_t i = 0; i < truth.size(); ++i) sum += std::abs(values[i] - truth[i]);
    return sum / static_cast<double>(truth.size());
  };
  EXPECT_NEAR(error(*tables.valid), result.valid_metric, 1e-4 * result.valid_metric);
  for (const SelectedFeature& feature : result.selected) {
    constexpr int kRepeats = 20;
    std::vector<double> losses;
    for (int r = 0; r < kRepeats; ++r) {
      Table changed = *tables.valid;
      RandomStream random(77, static_cast<uint64_t>(r));
      random.Shuffle(std::span(changed.columns[static_cast<size_t>(feature.index)].numbers));
      losses.push_back(error(changed) - error(*tables.valid));
    }
    double mean = 0, square = 0;
    for (double loss : losses) mean += loss / kRepeats;
    for (double loss : losses) square += (loss - mean) * (loss - mean) / (kRepeats - 1);
    const double spread = std::sqrt(square * (1.0 / kRepeats + 1.0 / result.importance->repeats));
    EXPECT_NEAR(*feature.importance, mean, 4 * spread) << feature.name;
    EXPECT_GT(*feature.importance_sd, 0) << feature.name;
  }
}

TEST(Importance, IsTheSameForAnyNumberOfThreads) {
  const Table data = Passengers(600);
  InOrder selector({0, 1, 2});
  const SelectionResult one = RunOn(data, selector, Request(3), 1);
  for (int threads : {2, 5}) {
    const SelectionResult other = RunOn(data, selector, Request(3), threads);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(other.selected[i].name, one.selected[i].name);
      EXPECT_EQ(other.selected[i].importance, one.selected[i].importance);
      EXPECT_EQ(other.selected[i].importance_sd, one.selected[i].importance_sd);
    }
  }
}

TEST(Importance, OfAGroupIsThatOfItsColumnsTogether) {
  Table data = PlantedTable(800, 6, false, 6);
  SelectionSpec request = Request(3);
  request.groups = {"pair=x0,x1"};
  request.keep = {"pair"};
  const SelectionResult result = RunOn(data, *FindMethod("anova").make(), request);
  ASSERT_EQ(result.selected[0].name, "pair");
  EXPECT_EQ(result.selected[0].columns.size(), 2u);
  ASSERT_EQ(result.selected[1].name, "x2");
  // Each of the three moves the target as much, and two of them together by a factor of sqrt(2).
  EXPECT_NEAR(*result.selected[0].importance / *result.selected[1].importance, std::sqrt(2), 0.2);
}

TEST(Importance, IsMissingWhereTheWorkIsStopped) {
  StopAfter stop(0);
  InOrder selector({2, 1, 0});
  const SelectionResult result = RunOn(Passengers(300), selector, Request(3), 1, &stop);
  EXPECT_TRUE(result.stopped_early);
  EXPECT_FALSE(result.importance);
  float last = 1;
  for (const SelectedFeature& feature : result.selected) {
    EXPECT_FALSE(feature.importance);
    EXPECT_LT(*feature.weight, last);
    last = *feature.weight;
  }
}

TEST(Importance, ModelsAndFrequenciesFollowItsOrder) {
  SelectionSpec request = Request(3);
  request.ensemble = 2;
  InOrder selector({0, 1, 2});
  const SelectionResult result = RunOn(Passengers(600), selector, request);
  EXPECT_EQ(result.selected[0].name, "sex");
  EXPECT_EQ(result.selected[0].frequency, 1);
  for (const ChosenFeature& feature : result.model.content().features) {
    EXPECT_EQ(feature.encoding.name, result.selected[static_cast<size_t>(feature.rank) - 1].name);
  }
}

TEST(Keep, HasItsMeasuredImportanceAndNoWeightOfAnother) {
  SelectionSpec request = Request(3);
  request.keep = {"x7"};
  for (const char* method : {"anova", "slm"}) {
    const SelectionResult result =
        RunOn(PlantedTable(400, 8, true, 8), *FindMethod(method).make(), request);
    for (const SelectedFeature& feature : result.selected) {
      EXPECT_EQ(feature.weight.has_value(), !feature.kept) << method << ", " << feature.name;
      EXPECT_TRUE(feature.importance) << method << ", " << feature.name;
    }
    EXPECT_EQ(result.selected[2].name, "x7") << method;
    EXPECT_NEAR(*result.selected[2].importance, 0, 0.1) << method;
    const std::string json = result.ToJson().Dump();
    EXPECT_NE(json.find("\"weight\":null"), std::string::npos) << json;
    EXPECT_FALSE(SelectionResult::FromJson(result.ToJson()).selected[2].weight);
  }
}

}  // namespace
}  // namespace slm
