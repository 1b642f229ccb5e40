#pragma once

// What the library itself asks of tables (slm/table.h).

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "slm/table.h"

namespace slm {

const char* ColumnTypeName(ColumnType type);

// The name of column j when nobody gave one: f0, f1, ...
std::string GeneratedName(size_t j);

// A missing cell among numbers, booleans and dates.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// True where the cell is missing.
bool IsMissing(const Column& column, size_t row);

bool HasColumn(const Table& table, std::string_view name);

// Leaves these rows alone, ascending, in the table; they are still found in their files.
void KeepRows(std::span<const size_t> rows, Table* table);

}  // namespace slm
