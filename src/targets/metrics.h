#pragma once

// How good predictions are. One table: adding a metric is one line of metrics.cc.

#include <cstdint>
#include <optional>
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

struct RareClass {
  int32_t index = 0;
  size_t rows = 0;
};

// The class of fewest rows, if it has less than a fifth of those that it would have if all classes
// were of one size: under a tenth of the rows where there are two. Always naming the frequent ones
// then looks accurate, and the metric should not depend on where scores are cut.
std::optional<RareClass> FindRareClass(std::span<const int32_t> classes);

// `name` may be "auto": accuracy for classes, mean absolute error for values. Throws a UsageError
// for an unknown name and a DataError for one of the other task.
const Metric& FindMetric(std::string_view name, Task task);

}  // namespace slm
