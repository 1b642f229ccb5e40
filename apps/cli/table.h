#pragma once

// Results as a person reads them.

#include <string>

#include "cli/terminal.h"
#include "eval/compare.h"
#include "eval/select.h"

namespace slm {

// The ranked table: rank, name, weight and a bar as long as the weight, then the metrics.
std::string RenderSelection(const SelectionResult& result, const Terminal& terminal);

// The methods ranked by the metric: mean and spread over seeds, time and memory of the selection,
// and how many columns each has in common with the best. Then those that failed, with the reason.
std::string RenderComparison(const ComparisonResult& result, const Terminal& terminal);

// One line on the columns that could not be chosen, at most `limit` of them by name; empty if there
// are none.
std::string RenderDropped(const DataSummary& data, size_t limit);

}  // namespace slm
