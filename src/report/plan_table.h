#pragma once

// --dry-run: what a command would do, and what that would take.

#include <string>

#include "jobs/plan.h"
#include "report/layout.h"

namespace slm {

// Rows, columns, methods, memory and time, a line or a few for each.
std::string RenderPlan(const Plan& plan, const Terminal& terminal);

}  // namespace slm
