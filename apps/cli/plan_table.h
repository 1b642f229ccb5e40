#pragma once

// --dry-run: what a command would do, and what that would take.

#include <string>

#include "cli/job.h"
#include "cli/terminal.h"
#include "eval/plan.h"

namespace slm {

// Rows, columns, methods, memory and time, a line or a few for each.
std::string RenderPlan(const Plan& plan, const Terminal& terminal);

// The end of a command that was asked for no more; nothing is written to files.
int FinishPlan(JobFlags flags, const Plan& plan);

}  // namespace slm
