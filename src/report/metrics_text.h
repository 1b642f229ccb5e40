#pragma once

// What was measured, in words: values with as many digits as mean something, what they compare
// with, and how the classes fare.

#include <cstddef>
#include <optional>
#include <string>

#include "jobs/evidence.h"
#include "report/layout.h"

namespace slm {

// Four digits, "undefined" where there is no value.
std::string MetricText(double value);

// The metric on validation and test rows, and on a second line what it compares with on the rows
// that judge: the test rows, or the validation rows where there are none.
std::string MetricsText(const std::string& metric, double valid, std::optional<double> test,
                        const MetricEvidence& evidence, const DataSummary& data);

// A table with a row for each class, then the confusion matrix; of many classes only what is
// confused most.
std::string RenderByClass(const ByClass& result, const Terminal& terminal);

}  // namespace slm
