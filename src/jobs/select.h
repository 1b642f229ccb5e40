#pragma once

// From a table to exactly k chosen columns with a trained predictor: prepare, select, refit,
// measure. Everything is fitted on training rows; test rows are looked at once, at the end.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "jobs/cross_validate.h"
#include "jobs/importance.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "jobs/reasons.h"
#include "jobs/significance.h"
#include "model/shared_fields.h"
#include "slm/context.h"
#include "slm/model.h"
#include "slm/selector.h"

namespace slm {

struct SelectionResult : Outcome {
  std::string method;
  SelectionSpec request;
  std::vector<SelectedFeature> selected;
  std::string metric;
  double valid_metric = 0;
  std::optional<double> test_metric;          // empty when there are no test rows
  std::optional<ImportanceBasis> importance;  // empty if it was not measured
  MetricEvidence evidence;                    // of both metrics
  std::optional<ByClass> by_class;            // if it was asked for
  double select_seconds = 0;                  // of the method alone
  double importance_seconds = 0;
  double fit_seconds = 0;      // of all but reading
  Json options;                // of the method, as used
  std::optional<Json> k_path;  // by which k was found, if nobody said it
  std::vector<Unchosen> rest;  // of the columns, with the reason
  std::optional<CrossValidation> cross_validation;
  std::optional<NullComparison> null;
  std::optional<Significance> significance;  // if it was asked for and there was time
  std::vector<TriedSet> tried;               // by the method, if it weighs sets against each other
  FittedModel model;  // empty if it cannot be kept in a file, or nothing was chosen

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitHead(v, "slm.selection/1", &method, request.target);
    v("k", request.k);
    v("seed", request.seed);
    v("data", data);
    v("selected", selected);
    v("not_chosen", rest);
    VisitMetrics(v, metric, valid_metric, test_metric, evidence);
    v.Optional("importance", importance);
    v.Optional("by_class", by_class);
    v.Optional("stopped_early", stopped_early);
    v.Object("seconds", [&](auto& in) {
      in("read", read_seconds);
      in("select", select_seconds);
      in.Optional("importance", importance_seconds);
      in("fit", fit_seconds);
      in("total", total_seconds);
    });
    v("options", options);
    v.Optional("ensemble", request.ensemble, 1);
    v.Optional("cross_validation", cross_validation);
    v.Optional("null", null);
    v.Optional("significance", significance);
    v.Optional("tried", tried);
    v.Optional("k_path", k_path);
  }
  Json ToJson() const;
  // A result that was written, without its model. Throws a DataError that names the field.
  static SelectionResult FromJson(const Json& json);
};

// Throws InputError for what the user can fix.
SelectionResult SelectFromParts(const Tables& tables, const SelectionSpec& request, RowParts parts,
                                std::string_view method, Selector& selector,
                                const Context& context);

// With the parts that the request asks for.
SelectionResult SelectFromTable(const Tables& tables, const SelectionSpec& request,
                                std::string_view method, Selector& selector,
                                const Context& context);

}  // namespace slm
