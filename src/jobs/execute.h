#pragma once

// Requests carried out: request in, result out, the same for the command line, Python and C++.

#include <string>

#include "jobs/compare.h"
#include "jobs/job.h"
#include "jobs/path.h"
#include "jobs/plan.h"
#include "jobs/select.h"
#include "jobs/stability.h"
#include "jobs/tune.h"
#include "slm/requests.h"

namespace slm {

// The job must be of the same request. All throw InputError for what the user can fix, and
// NoResultYet if they were stopped before there was anything to give back.

// Finds k if it is auto, selects, and then repeats that on folds and with shuffled labels, as far
// as the request asks for it.
SelectionResult Execute(const SelectRequest& request, Job& job);
// `memory` measures the selections; it may be null.
ComparisonResult Execute(const CompareRequest& request, Job& job, MemoryMeter* memory = nullptr);
TuningResult Execute(const TuneRequest& request, Job& job);
PathResult Execute(const PathRequest& request, Job& job);
StabilityResult Execute(const StabilityRequest& request, Job& job);

// What Execute would do.
Plan PlanOf(const SelectRequest& request, Job& job);
Plan PlanOf(const CompareRequest& request, Job& job);
Plan PlanOf(const TuneRequest& request, Job& job);
Plan PlanOf(const PathRequest& request, Job& job);
Plan PlanOf(const StabilityRequest& request, Job& job);

// What a selection would begin with.
struct Beginning {
  Task task = Task::kClassification;
  int k = 0;                           // -1 where the request leaves it open
  std::vector<DroppedColumn> dropped;  // columns that cannot be chosen
  std::vector<size_t> training_rows;   // of the data table's rows that have a target; they ascend
};
Beginning BeginningOf(const SelectRequest& request, Job& job);

// The recipe that the method of the request would follow on these tables, as lines for people or as
// JSON. Nothing is trained. Throws a UsageError for a method that has none.
std::string ExplainRecipe(const SelectRequest& request, Job& job, bool json);

}  // namespace slm
