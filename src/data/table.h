#pragma once

// A table as it was read: typed columns, nothing fitted, nothing scaled.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slm {

enum class ColumnType { kNumeric, kBoolean, kDate, kText };

const char* ColumnTypeName(ColumnType type);

struct Column {
  std::string name;
  ColumnType type = ColumnType::kNumeric;
  // Numeric values, booleans as 0 and 1, dates as days since 1970-01-01; NaN is a missing cell.
  // Empty for text.
  std::vector<double> numbers;
  // Text only: an index into levels, -1 where the cell is missing.
  std::vector<int32_t> codes;
  std::vector<std::string> levels;  // sorted, so that they do not depend on the order of rows
};

struct Table {
  std::vector<Column> columns;
  size_t rows = 0;

  // Throws a DataError that names the nearest column if there is none of that name.
  const Column& Find(std::string_view name) const;
  size_t IndexOf(std::string_view name) const;
};

}  // namespace slm
