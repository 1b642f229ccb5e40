#include "model/describe_model.h"

#include "base/fields.h"
#include "model/model_file.h"

namespace slm {

std::vector<const ChosenFeature*> ByRank(const ModelContent& content) {
  std::vector<const ChosenFeature*> order(content.features.size());
  for (const ChosenFeature& feature : content.features) {
    order[static_cast<size_t>(feature.rank) - 1] = &feature;
  }
  return order;
}

ModelDescription DescribeModel(const ModelContent& content) {
  const ModelOrigin& origin = content.origin;
  ModelDescription model;
  model.version = origin.version;
  model.format = ModelVersion(content);
  model.method = origin.method;
  model.task = TargetOf(content.target.task).name();
  model.target = content.target.name;
  model.k = Encoder(content.encodings()).layout().features();
  model.seed = origin.seed;
  model.classes = content.target.classes;
  for (const ChosenFeature* feature : ByRank(content)) {
    const FeatureEncoding& encoding = feature->encoding;
    DescribedFeature& one = model.selected.emplace_back();
    one.rank = feature->rank;
    one.name = encoding.name;
    one.index = encoding.source_column;
    one.weight = feature->weight;
    one.group = encoding.group;
    one.type = ColumnTypeName(encoding.type);
    one.parts = encoding.parts();
    if (encoding.type == ColumnType::kText) one.levels = encoding.levels;
  }
  DescribedPredictor& predictor = model.predictor.emplace();
  for (const LayerWeights& layer : content.layers) {
    predictor.layers.push_back({layer.w.rows(), layer.w.cols()});
  }
  predictor.parameters = content.parameters();
  model.train_rows = origin.train_rows;
  model.metric = origin.metric;
  model.valid_metric = origin.valid_metric;
  model.test_metric = origin.test_metric;
  return model;
}

Json ModelToJson(const ModelContent& content) { return WriteFields(DescribeModel(content)); }

}  // namespace slm
