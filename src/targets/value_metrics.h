#pragma once

// Metrics of values. Adding one is one line of the table in value_metrics.cc.

#include <span>

#include "targets/metrics.h"

namespace slm {

std::span<const Metric> ValueMetrics();

}  // namespace slm
