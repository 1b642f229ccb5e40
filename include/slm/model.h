#pragma once

// A selection that can be used again: the chosen columns, how their cells become numbers, and the
// predictor that was trained on them.
//
//   slm::Selection s = slm::Select({x.data(), rows, columns}, classes, 10);
//   slm::SaveModel(s.model, "m.slm");
//   ...
//   slm::FittedModel model = slm::LoadModel("m.slm");
//   slm::Predictions p = slm::Predict(model, {new_x.data(), new_rows, columns});
//
// A saved model predicts the same bits as the one it was made from. docs/reference/model-format.md
// describes the file; every version of it that was ever written can be read.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

struct ModelContent;

// Cheap to copy: copies share what they hold, which never changes.
class FittedModel {
 public:
  FittedModel() = default;
  explicit FittedModel(std::shared_ptr<const ModelContent> content)
      : content_(std::move(content)) {}

  // Empty where there was nothing to keep: selections by predictors or selectors of your own.
  bool empty() const { return content_ == nullptr; }

  // Of a model that is not empty.
  Task task() const;
  const std::string& target() const;
  std::vector<std::string> columns() const;         // that are read, in the order of the table
  const std::vector<std::string>& classes() const;  // none for regression
  const ModelContent& content() const { return *content_; }

 private:
  std::shared_ptr<const ModelContent> content_;
};

struct Predictions {
  // Classification: the most probable class of each row, by its place in FittedModel::classes(),
  // and the probability of each class.
  std::vector<int32_t> classes;
  Matrix probabilities;
  // Regression, in the unit of the target.
  std::vector<double> values;
};

// Columns are found by name. Without names they are f0, f1, ..., as those of the matrix that Select
// was given; columns that were not chosen are not looked at. NaN is a missing cell. Threads: 0 for
// one for each core. Throws InputError for a column that is not there.
Predictions Predict(const FittedModel& model, MatrixView<const float> x,
                    std::span<const std::string> names = {}, int threads = 0);

// The file appears whole or not at all. Throws InputError for an empty model and RuntimeFailure if
// it cannot be written.
void SaveModel(const FittedModel& model, const std::string& path);

// Throws InputError (kModel) that says what is wrong with the file. Uses at most 100 times as much
// memory as the file has bytes, whatever is in it.
FittedModel LoadModel(const std::string& path);

// The same from and to bytes in memory.
std::string SerializeModel(const FittedModel& model);
FittedModel ParseModel(std::string_view bytes);

}  // namespace slm
