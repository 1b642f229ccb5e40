#pragma once

// A selection as a person reads it.

#include <string>

#include "cli/terminal.h"
#include "eval/select.h"

namespace slm {

// The ranked table: rank, name, weight and a bar as long as the weight, then the metrics.
std::string RenderSelection(const SelectionResult& result, const Terminal& terminal);

// One line on the columns that could not be chosen, at most `limit` of them by name; empty if there
// are none.
std::string RenderDropped(const SelectionResult& result, size_t limit);

}  // namespace slm
