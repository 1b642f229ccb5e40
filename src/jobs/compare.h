#pragma once

// Every method on the same splits, each set of columns judged by the same predictors: selection on
// the training rows, a small search over perceptrons fitted on the chosen columns, validation
// chooses, test rows are looked at once.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "jobs/methods.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "jobs/spread.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// The largest amount of memory that the calling thread held since Start. One for all threads.
class MemoryMeter {
 public:
  virtual ~MemoryMeter() = default;
  virtual void Start() = 0;
  virtual size_t Peak() = 0;  // bytes
};

struct CompareSpec {
  SelectionSpec select;  // its seed is the first one
  int seeds = 3;
  int refits = 4;              // perceptrons tried on each set of columns
  double selection_limit = 0;  // seconds for each selection; 0 for none
  std::vector<ComparedMethod> methods;
  MemoryMeter* memory = nullptr;  // may be null
};

// One method on one split.
struct ComparedRun {
  uint64_t seed = 0;
  bool done = false;
  bool late = false;    // ended by the time limit: the best so far
  std::string failure;  // why there is no result, if it is the method's fault
  std::vector<SelectedFeature> selected;
  std::optional<double> valid_metric, test_metric;  // empty unless it is done
  double select_seconds = 0, refit_seconds = 0;
  std::optional<size_t> peak_bytes;  // of the selection

  // Of the test rows, or of the validation rows where there are none.
  double metric() const { return test_metric ? *test_metric : valid_metric.value_or(0); }

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("seed", seed);
    v("done", done);
    v("late", late);
    v.Optional("reason", failure);
    v("selected", selected);
    v("valid", valid_metric);
    v("test", test_metric);
    v("select_seconds", select_seconds);
    v("refit_seconds", refit_seconds);
    v("peak_bytes", peak_bytes);
  }
};

struct ComparisonRow {
  std::string method;
  bool reference = false;         // a line to compare with: all features
  std::vector<ComparedRun> runs;  // one for each seed that was begun

  // Over the runs that are done.
  Spread Metric() const;
  Spread Valid() const;
  Spread Seconds() const;  // of selection
  Spread RefitSeconds() const;
  const std::vector<SelectedFeature>& Selected() const;  // of the first run that is done
  std::string_view Status() const;                       // failed, late, done or stopped
  std::optional<size_t> PeakBytes() const;               // the largest
  bool Late() const;
  std::string Failure() const;  // of the first run that failed

  // `metric` is the name, `tested` says whether there are test rows.
  template <class Visitor>
  void VisitFields(Visitor& v, const std::string& metric, bool tested) {
    v("method", method);
    v.Derived("status", [&] { return Status(); });
    v.DerivedOptional("reason", [&] { return Failure(); });
    v("reference", reference);
    v.Derived("selected", [&] { return Selected(); });
    v.Object("metrics", [&](auto& in) {
      using Number = std::optional<double>;
      in.Derived("name", [&] { return metric; });
      in.Derived("valid", [&] { return Valid().Mean(); });
      in.Derived("test", [&] { return tested ? Metric().Mean() : Number(); });
      in.Derived("valid_sd", [&] { return Valid().sd; });
      in.Derived("test_sd", [&] { return tested ? Number(Metric().sd) : Number(); });
    });
    v.Object("seconds", [&](auto& in) {
      in.Derived("select", [&] { return Seconds().mean; });
      in.Derived("select_sd", [&] { return Seconds().sd; });
      in.Derived("refit", [&] { return RefitSeconds().mean; });
    });
    v.Derived("peak_bytes", [&] { return PeakBytes(); });
    v("runs", runs);
  }

 private:
  Spread Over(double (*value)(const ComparedRun&)) const;
};

struct ComparisonResult : Outcome {
  CompareSpec request;
  std::string metric;
  bool larger_is_better = true;
  std::vector<ComparisonRow> rows;  // best first; those without a result at the end
  // Share of the k columns that methods a and b have in common, mean over seeds; NaN if never both.
  std::vector<std::vector<double>> overlap;  // in the order of rows

  std::vector<std::string> Methods() const;  // in the order of rows

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitHead(v, "slm.comparison/1", nullptr, request.select.target);
    v("k", request.select.k);
    v("seed", request.select.seed);
    v("seeds", request.seeds);
    v("refits", request.refits);
    v("data", data);
    v("metric", metric);
    v.List("results", rows,
           [&](auto& in, ComparisonRow& row) { row.VisitFields(in, metric, data.test > 0); });
    v.Object("agreement", [&](auto& in) {
      in.Derived("methods", [&] { return Methods(); });
      in("overlap", overlap);
    });
    VisitEnd(v);
  }
  Json ToJson() const;
  // A result that was written. Throws a DataError that names the field.
  static ComparisonResult FromJson(const Json& json);
};

// The methods run side by side, each on one thread. What one of them throws is its row's failure.
ComparisonResult CompareMethods(const Tables& tables, const CompareSpec& request,
                                const Context& context);

}  // namespace slm
