// Models that are kept predict what was measured when they were made.

#include "jobs/fitted_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "base/options.h"
#include "base/thread_pool.h"
#include "jobs/predict.h"
#include "jobs/select.h"
#include "model/content.h"
#include "selectors/catalog.h"
#include "slm/slm.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

const std::vector<OptionSetting> kQuick = {
    {"steps", "60"},           {"starts", "1"},      {"filter_starts", "0"}, {"cross_fit", "never"},
    {"final_predictors", "2"}, {"final_units", "8"}, {"final_steps", "30"},  {"hidden_units", "8"}};

struct Setting {
  std::string method;
  std::vector<OptionSetting> settings;
};

std::vector<Setting> Settings() {
  std::vector<Setting> runs = {{"anova", {}}, {"rf", {{"trees", "10"}}}};
  for (const char* layers : {"0", "1", "2", "4"}) {
    // Without refits the predictor that was trained with the mask stays, and knows all columns.
    for (const char* refits : {"1", "0"}) {
      Setting run{"slm", kQuick};
      run.settings.push_back({"hidden_layers", layers});
      run.settings.push_back({"refits", refits});
      runs.push_back(run);
    }
  }
  return runs;
}

TEST(MakeFittedModel, PredictsTheTestMetricOfTheSelectionFromItsFile) {
  ThreadPool pool(2);
  for (bool classes : {true, false}) {
    Tables tables{.data = PlantedTable(160, 12, classes, 1), .valid = {}, .test = {}};
    tables.test = PlantedTable(90, 12, classes, 2);
    // A text and cells that are missing, too.
    for (Table* table : {&tables.data, &*tables.test}) {
      for (size_t i = 0; i < table->rows; i += 7) table->columns[1].numbers[i] = std::nan("");
      Column color{.name = "color",
                   .type = ColumnType::kText,
                   .numbers = {},
                   .codes = {},
                   .levels = {"blue", "green", "red"}};
      for (size_t i = 0; i < table->rows; ++i) {
        color.codes.push_back(table->columns[2].numbers[i] > 0 ? 2
                                                               : static_cast<int32_t>(i % 3) - 1);
      }
      table->columns.push_back(color);
      for (double& weight : table->columns[11].numbers) weight = std::abs(weight);
    }
    for (const Setting& run : Settings()) {
      std::string label = run.method;
      for (const OptionSetting& setting : run.settings) {
        label += " " + setting.name + " " + setting.value;
      }
      std::unique_ptr<Selector> selector = FindMethod(run.method).make();
      OptionList options;
      selector->DescribeOptions(options);
      std::vector<OptionSetting> settings = run.settings;
      options.SetAll(settings);
      SelectionSpec request;
      request.target = "y";
      request.k = 5;
      // With weights of rows and classes, too.
      if (run.method == "anova") {
        request.weights = "x11";
        request.balanced = classes;
      }
      const SelectionResult result =
          SelectFromTable(tables, request, run.method, *selector, {.pool = &pool});
      ASSERT_FALSE(result.model.empty()) << label;
      const FittedModel model = ParseModel(SerializeModel(result.model));
      ASSERT_EQ(model.columns().size(), 5u) << label;
      const std::vector<float>& mask = model.content().mask;
      const bool masked = std::any_of(mask.begin(), mask.end(), [](float m) { return m != 1; });
      EXPECT_EQ(masked, label.ends_with("refits 0")) << label;
      const PredictionResult again = PredictTable(model, *tables.test, false, pool);
      ASSERT_TRUE(again.metric.has_value()) << again.remark;
      EXPECT_EQ(again.metric->value, *result.test_metric) << label;
      const std::string text = again.ToJson().Dump();
      EXPECT_EQ(PredictionResult::FromJson(ParseJson(text)).ToJson().Dump(), text) << label;
      for (const SelectedFeature& feature : result.selected) {
        const std::vector<std::string> names = model.columns();
        EXPECT_NE(std::find(names.begin(), names.end(), feature.name), names.end());
      }
    }
  }
}

TEST(PredictTable, SaysWhyItCannotJudge) {
  ThreadPool pool(1);
  Tables tables{.data = PlantedTable(120, 4, true, 1), .valid = {}, .test = {}};
  std::unique_ptr<Selector> selector = FindMethod("anova").make();
  SelectionSpec request;
  request.target = "y";
  request.k = 2;
  const SelectionResult result =
      SelectFromTable(tables, request, "anova", *selector, {.pool = &pool});
  Table other = PlantedTable(10, 4, true, 3);
  other.columns.back().numbers[3] = 17;
  const PredictionResult judged = PredictTable(result.model, other, true, pool);
  EXPECT_FALSE(judged.metric.has_value());
  const std::string text = judged.ToJson().Dump();
  EXPECT_NE(text.find("probabilities"), text.npos);
  EXPECT_EQ(PredictionResult::FromJson(ParseJson(text)).ToJson().Dump(), text);
  EXPECT_NE(judged.remark.find("never occurs"), std::string::npos) << judged.remark;
  EXPECT_EQ(judged.predictions.classes.size(), 10u);
  EXPECT_EQ(judged.predictions.probabilities.cols(), 2u);
  other.columns.back().numbers[3] = std::nan("");
  const PredictionResult rest = PredictTable(result.model, other, true, pool);
  EXPECT_TRUE(rest.metric.has_value()) << "rows without a target do not count";
  EXPECT_NE(rest.remark.find("on 9 rows; 1 without a target"), std::string::npos) << rest.remark;
  EXPECT_EQ(rest.predictions.classes.size(), 10u);
  other.columns.pop_back();
  EXPECT_EQ(PredictTable(result.model, other, true, pool).remark, "");
}

TEST(Select, GivesAModelThatPredicts) {
  const size_t rows = 200, columns = 6;
  RandomStream random(5, 0);
  std::vector<float> x;
  std::vector<int> classes;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) x.push_back(static_cast<float>(random.Normal()));
    classes.push_back(x[i * columns + 3] > 0 ? 1 : 0);
  }
  SelectOptions options;
  options.slm = SmallSearch();
  const Selection selection = Select({x.data(), rows, columns}, classes, 1, options);
  ASSERT_FALSE(selection.model.empty());
  EXPECT_EQ(selection.model.columns(), std::vector<std::string>{"f3"});
  const Predictions found = Predict(selection.model, {x.data(), rows, columns});
  size_t right = 0;
  for (size_t i = 0; i < rows; ++i) right += found.classes[i] == classes[i] ? 1 : 0;
  EXPECT_GT(right, rows * 9 / 10);
  // The chosen column alone, by name.
  std::vector<float> only;
  for (size_t i = 0; i < rows; ++i) only.push_back(x[i * columns + 3]);
  const std::vector<std::string> names = {"f3"};
  const Predictions same = Predict(selection.model, {only.data(), rows, 1}, names);
  EXPECT_EQ(same.classes, found.classes);
}

}  // namespace
}  // namespace slm
