#pragma once

// What the cells of a numeric column say about its use: that it numbers the rows, or that one of
// its numbers is none.

#include <cstddef>
#include <span>
#include <string>

#include "data/table.h"

namespace slm {

// Fewer rows than this are no evidence that a column counts or names them.
inline constexpr size_t kLeastCountedRows = 20;

// Integers that grow by one from row to row of the table say where a row stands and nothing else.
bool CountsRows(const Column& column, std::span<const size_t> rows);

// An integer column named like an identifier whose cells (those that are not missing) all differ.
bool IsNamedIdentifier(const Column& column, std::span<const double> cells);

// A sentence on a number such as -999 that seems to stand for missing cells: at one end, and
// further from the others than they are from each other. Empty if there is none.
std::string FindSentinel(const std::string& name, std::span<const double> cells);

}  // namespace slm
