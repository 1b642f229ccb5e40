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

struct ComparedMethod {
  std::string name;
  std::function<std::unique_ptr<Selector>()> make;  // may throw
};

struct CompareRequest {
  SelectRequest select;  // its seed is the first one
  int seeds = 3;
  int refits = 4;         // perceptrons tried on each set of columns
  double time_limit = 0;  // seconds for each selection; 0 for none
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
  double valid_metric = 0;
  std::optional<double> test_metric;
  double select_seconds = 0, refit_seconds = 0;
  std::optional<size_t> peak_bytes;  // of the selection

  // Of the test rows, or of the validation rows where there are none.
  double metric() const { return test_metric.value_or(valid_metric); }
};

struct ComparisonRow {
  std::string method;
  bool reference = false;         // a line to compare with: all features
  std::vector<ComparedRun> runs;  // one for each seed that was begun

  Spread Metric() const;
  Spread Seconds() const;                   // of selection
  std::optional<size_t> PeakBytes() const;  // the largest
  bool Late() const;
  std::string Failure() const;  // of the first run that failed
};

struct ComparisonResult : Outcome {
  CompareRequest request;
  std::string metric;
  bool larger_is_better = true;
  std::vector<ComparisonRow> rows;  // best first; those without a result at the end
  // Share of the k columns that methods a and b have in common, mean over seeds; NaN if never both.
  std::vector<std::vector<double>> overlap;  // in the order of rows

  Json ToJson() const;  // schema slm.comparison/1
};

// The methods run side by side, each on one thread. What one of them throws is its row's failure.
ComparisonResult CompareMethods(const SelectTables& tables, const CompareRequest& request,
                                const Context& context);

}  // namespace slm
