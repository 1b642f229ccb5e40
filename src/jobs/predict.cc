#include "jobs/predict.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/version.h"
#include "data/encoding/encoder.h"
#include "model/predict.h"
#include "slm/errors.h"
#include "targets/metrics.h"

namespace slm {
namespace {

std::string Digits(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.4f", value);
  return text;
}

}  // namespace

PredictionResult PredictTable(const FittedModel& model, const Table& table, bool with_probabilities,
                              ThreadPool& pool) {
  const ModelContent& content = model.content();
  const Matrix scores = ModelScores(content, table, pool);
  PredictionResult result;
  result.model = model;
  result.rows = table.rows;
  result.with_probabilities = with_probabilities;
  result.predictions = PredictionsOf(content, scores);
  const bool known =
      std::any_of(table.columns.begin(), table.columns.end(),
                  [&](const Column& column) { return column.name == content.target.name; });
  if (!known || table.rows == 0) return result;
  try {
    const TargetEncoder target(content.target);
    const Metric& metric = FindMetric(content.origin.metric, content.target.task);
    Dataset data;
    data.x = MakeRows(Matrix(table.rows, 0));
    const std::vector<size_t> rows = AllIndices(table.rows);
    data.y = target.Encode(table, rows);
    data.weight = WeightRule(content.origin.weighting).Weights(table, rows, data.y);
    result.metric = metric.measure(scores, data, target.sd());
    result.remark = content.origin.metric + " " + Digits(*result.metric) + " on " +
                    std::to_string(table.rows) + (table.rows == 1 ? " row" : " rows");
  } catch (const InputError& error) {
    result.remark = std::string("the predictions cannot be judged: ") + error.what();
  }
  return result;
}

Json PredictionResult::ToJson() const {
  const ModelContent& content = model.content();
  const bool classes = !model.classes().empty();
  Json json = Json::MakeObject();
  json.Add("schema", "slm.predictions/1");
  json.Add("version", Version());
  json.Add("method", content.origin.method);
  json.Add("task", TargetOf(model.task()).name());
  json.Add("target", model.target());
  json.Add("rows", rows);
  if (classes) {
    json.Add("classes", Json::ArrayOf(model.classes()));
    Json list = Json::MakeArray();
    for (int32_t c : predictions.classes) list.Push(model.classes()[static_cast<size_t>(c)]);
    json.Add("predictions", std::move(list));
  } else {
    json.Add("predictions", Json::ArrayOf(predictions.values));
  }
  if (with_probabilities) {
    Json list = Json::MakeArray();
    for (size_t i = 0; i < rows; ++i) {
      const float* row = predictions.probabilities.row(i);
      list.Push(Json::ArrayOf(std::span(row, model.classes().size())));
    }
    json.Add("probabilities", std::move(list));
  }
  if (metric) {
    Json metrics = Json::MakeObject();
    metrics.Add("name", content.origin.metric);
    metrics.Add("value", *metric);
    json.Add("metrics", std::move(metrics));
  }
  return json;
}

}  // namespace slm
