#include "model/describe_model.h"

#include <utility>

#include "model/model_file.h"

namespace slm {

std::vector<const ChosenFeature*> ByRank(const ModelContent& content) {
  std::vector<const ChosenFeature*> order(content.features.size());
  for (const ChosenFeature& feature : content.features) {
    order[static_cast<size_t>(feature.rank) - 1] = &feature;
  }
  return order;
}

Json ModelToJson(const ModelContent& content) {
  const ModelOrigin& origin = content.origin;
  const bool classes = !content.target.classes.empty();
  Json json = Json::MakeObject();
  json.Add("schema", "slm.model/1");
  json.Add("version", origin.version);
  json.Add("format", ModelVersion(content));
  json.Add("method", origin.method);
  json.Add("task", TargetOf(content.target.task).name());
  json.Add("target", content.target.name);
  json.Add("k", Encoder(content.encodings()).layout().features());
  json.Add("seed", origin.seed);
  if (classes) json.Add("classes", Json::ArrayOf(content.target.classes));

  Json selected = Json::MakeArray();
  for (const ChosenFeature* feature : ByRank(content)) {
    const FeatureEncoding& encoding = feature->encoding;
    Json item = Json::MakeObject();
    item.Add("rank", feature->rank);
    item.Add("name", encoding.name);
    item.Add("index", encoding.source_column);
    item.Add("weight", feature->weight);
    if (!encoding.group.empty()) item.Add("group", encoding.group);
    item.Add("type", ColumnTypeName(encoding.type));
    item.Add("parts", encoding.parts());
    if (encoding.type == ColumnType::kText) item.Add("levels", Json::ArrayOf(encoding.levels));
    selected.Push(std::move(item));
  }
  json.Add("selected", std::move(selected));

  Json layers = Json::MakeArray();
  for (const LayerWeights& layer : content.layers) {
    layers.Push(Json::ArrayOf(std::vector<size_t>{layer.w.rows(), layer.w.cols()}));
  }
  Json predictor = Json::MakeObject();
  predictor.Add("layers", std::move(layers));
  predictor.Add("parameters", content.parameters());
  json.Add("predictor", std::move(predictor));

  Json data = Json::MakeObject();
  data.Add("train", origin.train_rows);
  json.Add("data", std::move(data));
  Json metrics = Json::MakeObject();
  metrics.Add("name", origin.metric);
  metrics.Add("valid", origin.valid_metric);
  metrics.Add("test", origin.test_metric);
  json.Add("metrics", std::move(metrics));
  return json;
}

}  // namespace slm
