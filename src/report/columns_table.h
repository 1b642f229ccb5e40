#pragma once

// The columns of a table as a person reads them.

#include <string>

#include "jobs/inspect.h"
#include "report/layout.h"

namespace slm {

// A line for each column: type, missing cells, distinct values, range or examples, and what would
// be done with it; then why each is of its type where that is not plain, and the remarks.
std::string RenderColumns(const TableReport& report, const Terminal& terminal);

}  // namespace slm
