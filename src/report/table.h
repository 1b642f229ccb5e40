#pragma once

// Results as a person reads them.

#include <string>

#include "jobs/compare.h"
#include "jobs/path.h"
#include "jobs/select.h"
#include "jobs/stability.h"
#include "jobs/tune.h"
#include "report/layout.h"

namespace slm {

// The ranked table: rank, name, weight and a bar as long as the weight, then the metrics.
std::string RenderSelection(const SelectionResult& result, const Terminal& terminal);

// The columns that were not chosen, each with the reason and the chosen one that comes nearest.
std::string RenderReasons(const SelectionResult& result, const Terminal& terminal);

// The methods ranked by the metric: mean and spread over seeds, time and memory of the selection,
// and how many columns each has in common with the best. Then those that failed, with the reason.
std::string RenderComparison(const ComparisonResult& result, const Terminal& terminal);

// A row for each k: the method on held-out folds, random columns beside it, and a bar as long
// as the metric; then how many are enough, and why.
std::string RenderPath(const PathResult& result, const Terminal& terminal);

// The methods by the stability index; then how often each of at most `limit` columns was chosen.
std::string RenderStability(const StabilityResult& result, size_t limit, const Terminal& terminal);

// The best trials, at most `limit`, each with the settings in which it differs from trial 0; then
// the winner's settings and what it reached.
std::string RenderTuning(const TuningResult& result, size_t limit, const Terminal& terminal);

// One line on the columns that could not be chosen, at most `limit` of them by name; empty if there
// are none.
std::string RenderDropped(const DataSummary& data, size_t limit);

}  // namespace slm
