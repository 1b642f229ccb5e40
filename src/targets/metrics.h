#pragma once

// How good predictions are. Each target lists the metrics that fit it.

#include <cstddef>
#include <string_view>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// What is compared where predictors or columns are chosen for a metric.
struct ChoiceMeasure {
  std::string_view name;
  double (*measure)(const Matrix& scores, const Dataset& data);  // larger is better
  double good;  // where this is reached, little is left to gain
};

struct Metric {
  enum class Kind {
    kShareOfRows,  // of rows that are right
    kShare,        // another value from 0 to 1
    kNumber,       // any other
  };
  // The constant prediction that comes nearest to a metric without looking at any column.
  enum class Constant { kMajority, kMedian, kMean };

  std::string_view name;
  bool larger_is_better;
  Kind kind;
  Constant baseline;
  // From scores (logits, or standardised values) and the rows they belong to. `unit` is the
  // standard deviation of the target, in which errors of values are given back. NaN where the rows
  // leave it undefined.
  double (*measure)(const Matrix& scores, const Dataset& data, double unit);
  std::string_view beside = {};  // a metric in another unit that is shown beside it
  // What choices for this metric go by; null for what the loss compares (Loss::quality).
  const ChoiceMeasure* choice = nullptr;
  bool rare_classes_count = false;  // for more than the share of their rows
};

inline double WeightOf(const Dataset& data, size_t row) {
  return data.weight.empty() ? 1 : data.weight[row];
}

// `name` may be "auto", for the first one that users of the task ask for. Throws a UsageError for
// an unknown name and a DataError for one of another task.
const Metric& FindMetric(std::string_view name, Task task);

// Of whatever task; null if there is none of the name.
const Metric* FindMetricOfAnyTask(std::string_view name);

}  // namespace slm
