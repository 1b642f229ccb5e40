#include "jobs/fitted_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "base/version.h"
#include "jobs/select.h"
#include "mask/trainer.h"
#include "model/content.h"

namespace slm {

FittedModel MakeFittedModel(const Preparation& prepared, const Choice& choice,
                            const SelectionResult& result) {
  std::vector<int32_t> chosen(choice.features.begin(), choice.features.end());
  std::sort(chosen.begin(), chosen.end());
  auto content = std::make_shared<ModelContent>();
  content->layers = LayersOf(choice.model);
  if (content->layers.empty() ||
      prepared.problem().layout.ColumnsOf(chosen) != choice.model.columns) {
    return {};
  }
  content->mask = choice.model.scale;
  content->target = prepared.target().encoding();
  // Columns of a group follow each other in rank, each with the weight of the group.
  std::map<int32_t, int> rank;
  int next = 1;
  for (int j : choice.features) {
    rank[j] = next;
    next += static_cast<int>(prepared.encoder().ColumnsOf(static_cast<size_t>(j)).size());
  }
  for (int32_t j : chosen) {
    const size_t feature = static_cast<size_t>(j);
    const float weight = std::isnan(choice.weights[feature]) ? 0 : choice.weights[feature];
    for (const FeatureEncoding& column : prepared.encoder().ColumnsOf(feature)) {
      content->features.push_back({column, rank[j]++, weight});
    }
  }
  content->origin = {.version = std::string(Version()),
                     .method = result.method,
                     .seed = result.request.seed,
                     .train_rows = result.data.train,
                     .metric = result.metric,
                     .valid_metric = result.valid_metric,
                     .test_metric = result.test_metric,
                     .weighting = prepared.weights().weighting()};
  return FittedModel(std::move(content));
}

}  // namespace slm
