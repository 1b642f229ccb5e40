#pragma once

// What the library itself asks of tables (slm/table.h).

#include <cstddef>
#include <string>

#include "slm/table.h"

namespace slm {

const char* ColumnTypeName(ColumnType type);

// The name of column j when nobody gave one: f0, f1, ...
std::string GeneratedName(size_t j);

// True where the cell is missing.
bool IsMissing(const Column& column, size_t row);

}  // namespace slm
