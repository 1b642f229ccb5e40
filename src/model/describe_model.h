#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/content.h"
#include "model/shared_fields.h"

namespace slm {

// A chosen column. What only a model knows of it is left out for that of a selection.
struct DescribedFeature {
  int rank = 0;
  std::string name;
  size_t index = 0;
  std::optional<float> weight;  // none for a kept column that the method did not weigh
  std::optional<double> importance, importance_sd;  // of a selection
  std::string group, type;
  size_t parts = 0;
  std::optional<std::vector<std::string>> levels;  // of text

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitChosen(v, *this);
    v.Optional("group", group);
    v.Optional("type", type);
    v.Optional("parts", parts);
    v.Optional("levels", levels);
  }
};

struct DescribedPredictor {
  std::vector<std::array<size_t, 2>> layers;  // inputs and outputs of each
  size_t parameters = 0;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("layers", layers);
    v("parameters", parameters);
  }
};

// What a model is, without the numbers of its layers (schema slm.model/1). The result of a
// selection has fields of the same names and can be read as one, without format and predictor.
struct ModelDescription {
  std::string schema = "slm.model/1";
  std::string version;
  int format = 0;
  std::string method, task, target;
  size_t k = 0;
  uint64_t seed = 0;
  std::vector<std::string> classes;  // empty for values
  std::vector<DescribedFeature> selected;
  std::optional<DescribedPredictor> predictor;
  size_t train_rows = 0;
  std::string metric;
  double valid_metric = 0;
  std::optional<double> test_metric;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("schema", schema);
    v("version", version);
    v.Optional("format", format);
    v("method", method);
    v("task", task);
    v("target", target);
    v("k", k);
    v("seed", seed);
    v.Optional("classes", classes);
    v("selected", selected);
    v.Optional("predictor", predictor);
    v.Object("data", [&](auto& in) { in("train", train_rows); });
    VisitMetrics(v, metric, valid_metric, test_metric);
  }
};

ModelDescription DescribeModel(const ModelContent& content);
Json ModelToJson(const ModelContent& content);

// The chosen features, best first.
std::vector<const ChosenFeature*> ByRank(const ModelContent& content);

}  // namespace slm
