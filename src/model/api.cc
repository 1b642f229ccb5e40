// The functions of slm/model.h.

#include "base/output.h"
#include "base/thread_pool.h"
#include "data/readers/bytes.h"
#include "model/content.h"
#include "model/model_file.h"
#include "model/predict.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace slm {

Task FittedModel::task() const { return content_->target.task; }

const std::string& FittedModel::target() const { return content_->target.name; }

const std::vector<std::string>& FittedModel::classes() const { return content_->target.classes; }

std::vector<std::string> FittedModel::columns() const {
  std::vector<std::string> names;
  for (const ChosenFeature& feature : content_->features) names.push_back(feature.encoding.name);
  return names;
}

Predictions Predict(const FittedModel& model, MatrixView<const float> x,
                    std::span<const std::string> names, int threads) {
  if (model.empty()) throw UsageError("the model is empty; load one, or take that of a selection");
  ThreadPool pool(threads);
  return PredictionsOf(model.content(),
                       ModelScores(model.content(), TableFromMatrix(x, names), pool));
}

std::string SerializeModel(const FittedModel& model) {
  if (model.empty()) {
    throw UsageError("there is no model to save; custom predictors and selectors cannot be saved");
  }
  return WriteModel(model.content());
}

void SaveModel(const FittedModel& model, const std::string& path) {
  WriteFile(path, SerializeModel(model));
}

FittedModel ParseModel(std::string_view bytes) {
  return FittedModel(std::make_shared<const ModelContent>(ReadModel(bytes)));
}

FittedModel LoadModel(const std::string& path) {
  try {
    const FileBytes bytes(path);
    try {
      return ParseModel(bytes.view());
    } catch (const InputError& error) {
      throw ModelError(path + " cannot be used as a model: " + error.what());
    }
  } catch (const InputError& error) {
    throw ModelError(error.what());
  }
}

}  // namespace slm
