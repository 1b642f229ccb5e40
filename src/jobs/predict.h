#pragma once

// A table through a model, judged where the target is known.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/thread_pool.h"
#include "base/version.h"
#include "data/table.h"
#include "model/content.h"
#include "slm/model.h"
#include "slm/requests.h"

namespace slm {

struct PredictionMetric {
  std::string name;
  double value = 0;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("value", value);
  }
};

struct PredictionResult {
  FittedModel model;                // empty for a result that was read
  std::string version = Version();  // of the program that predicted
  std::string method, task, target;
  size_t rows = 0;
  std::vector<std::string> classes;  // empty for values
  bool with_probabilities = false;
  Predictions predictions;
  // By the metric of the model, rows weighing as in its selection; empty if the target of a row is
  // not known.
  std::optional<PredictionMetric> metric;
  std::string remark;  // on that metric, or on why there is none; empty without a target
  std::vector<std::string> remarks;  // on how the columns of the model were read

  // What the JSON has for classes: the name of each row's, and a list of probabilities for it.
  using ByRow = std::vector<std::vector<float>>;
  std::vector<std::string> ClassNames() const;
  void SetClassNames(const std::vector<std::string>& names);
  std::optional<ByRow> Probabilities() const;
  void SetProbabilities(const std::optional<ByRow>& by_row);

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v.Schema("slm.predictions/1");
    v("version", version);
    v("method", method);
    v("task", task);
    v("target", target);
    v("rows", rows);
    v.Optional("classes", classes);
    std::vector<std::string> names = ClassNames();
    std::optional<ByRow> probabilities = Probabilities();
    classes.empty() ? v("predictions", predictions.values) : v("predictions", names);
    v.Optional("probabilities", probabilities);
    v.Optional("metrics", metric);
    v.Optional("remarks", remarks);
    if (!v.reading()) return;
    SetClassNames(names);
    SetProbabilities(probabilities);
  }
  Json ToJson() const;
  // A result that was written. Throws a DataError that names the field.
  static PredictionResult FromJson(const Json& json);
};

PredictionResult PredictTable(const FittedModel& model, const Table& table, bool with_probabilities,
                              ThreadPool& pool, const FieldStyle& style = {});

// The file of data through the file of the model, its columns read as those that the model was
// trained on.
PredictionResult Execute(const PredictRequest& request);

struct AppliedTable {
  Table chosen;        // the columns of the model, in its order
  size_t columns = 0;  // that the data have
};
AppliedTable Execute(const ApplyRequest& request);
AppliedTable ApplyModel(const FittedModel& model, const Table& table);

}  // namespace slm
