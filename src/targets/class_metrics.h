#pragma once

// Metrics of classes. Adding one is one line of the table in class_metrics.cc.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "targets/metrics.h"

namespace slm {

std::span<const Metric> ClassMetrics();

struct RareClass {
  int32_t index = 0;
  size_t rows = 0;
};

// The class of fewest rows, if it has less than a fifth of those that it would have if all classes
// were of one size: under a tenth of the rows where there are two. Accuracy then rewards always
// predicting the majority, and the metric should not depend on where scores are cut.
std::optional<RareClass> FindRareClass(std::span<const int32_t> classes);

}  // namespace slm
