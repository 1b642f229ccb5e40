#pragma once

// Rows that are no observations: a last one that sums up the others, a first one of units.

#include "data/table.h"

namespace slm {

// Adds a remark to the table if its last row says so by a word such as "Total", or if its numbers
// are the sums of those above.
void RemarkOnTotals(Table* table);

// Adds a remark if the first row has no number or date in most columns of numbers and dates: units,
// types or a second header.
void RemarkOnUnits(Table* table);

}  // namespace slm
