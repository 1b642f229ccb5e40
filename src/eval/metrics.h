#pragma once

// How good predictions are. One table: adding a metric is one line of metrics.cc.

#include <span>
#include <string>
#include <string_view>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

struct Metric {
  std::string_view name;
  Task task;
  bool larger_is_better;
  // From scores (logits, or standardised values) and the rows they belong to. `unit` is the
  // standard deviation of the target, in which errors of values are given back.
  double (*measure)(const Matrix& scores, const Dataset& data, double unit);
};

std::span<const Metric> Metrics();

// `name` may be "auto": accuracy for classes, mean absolute error for values. Throws a UsageError
// for an unknown name and a DataError for one of the other task.
const Metric& FindMetric(std::string_view name, Task task);

}  // namespace slm
