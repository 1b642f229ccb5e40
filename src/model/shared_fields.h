#pragma once

// Fields that the description of a model and the results of jobs have under the same names, so that
// the result of a selection can be read as a description.

#include <optional>
#include <string>

namespace slm {

// Of a chosen feature.
template <class Visitor, class Feature>
void VisitChosen(Visitor& v, Feature& feature) {
  v("rank", feature.rank);
  v("name", feature.name);
  v("index", feature.index);
  v("weight", feature.weight);
  v.Optional("importance", feature.importance);
  v.Optional("importance_sd", feature.importance_sd);
}

// Name of the metric, its value on validation and test rows, and the fields of what is said of it.
template <class Visitor, class... More>
void VisitMetrics(Visitor& v, std::string& name, double& valid, std::optional<double>& test,
                  More&... more) {
  v.Object("metrics", [&](auto& in) {
    in("name", name);
    in("valid", valid);
    in("test", test);
    (more.VisitFields(in), ...);
  });
}

}  // namespace slm
