#pragma once

// A last row that sums up the others is no observation.

#include "data/table.h"

namespace slm {

// Adds a remark to the table if its last row says so by a word such as "Total", or if its numbers
// are the sums of those above.
void RemarkOnTotals(Table* table);

}  // namespace slm
