#include "eval/keep.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/version.h"
#include "eval/select.h"
#include "model/content.h"
#include "slm/trainer.h"

namespace slm {

FittedModel KeepModel(const Preparation& prepared, const Choice& choice,
                      const SelectionResult& result) {
  std::vector<int32_t> chosen(choice.features.begin(), choice.features.end());
  std::sort(chosen.begin(), chosen.end());
  auto content = std::make_shared<ModelContent>();
  content->layers = LayersOf(choice.model);
  if (content->layers.empty() ||
      ColumnsOf(prepared.problem().layout, chosen) != choice.model.columns) {
    return {};
  }
  content->mask = choice.model.scale;
  content->target = prepared.target().encoding();
  for (int32_t j : chosen) {
    const size_t feature = static_cast<size_t>(j);
    const auto at = std::find(choice.features.begin(), choice.features.end(), j);
    content->features.push_back({prepared.features()[feature],
                                 static_cast<int>(at - choice.features.begin()) + 1,
                                 choice.weights[feature]});
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
