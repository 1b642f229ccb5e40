#pragma once

// A table as it was read: typed columns, nothing fitted, nothing scaled.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/matrix.h"

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
  // Of a sparse file without a list of columns: those that no row of it names are zero, and another
  // such file may have more of them.
  bool open_ended = false;

  // For messages: the file, and where in it a row stands.
  std::string source;         // empty for a table that was never a file
  size_t first_line = 1;      // of row 0; 0 for files without lines, whose rows are counted
  std::vector<size_t> lines;  // of each row; empty when row i stands on line first_line + i
  std::vector<Table> parts;   // the files of a table made of several, without their columns

  // Throws a DataError that names the nearest column if there is none of that name.
  const Column& Find(std::string_view name) const;
  size_t IndexOf(std::string_view name) const;

  // "data.csv line 17"; "data.npy row 16" (from 0) in a file without lines; "row 16" without a
  // file.
  std::string Where(size_t row) const;
};

// The name of column j when nobody gave one: f0, f1, ...
std::string GeneratedName(size_t j);

// True where the cell is missing.
bool IsMissing(const Column& column, size_t row);

// Numeric columns from a matrix; without names they are f0, f1, ... Throws a DataError for infinity
// and for a wrong number of names.
Table TableFromMatrix(MatrixView<const float> matrix, std::span<const std::string> names = {});

}  // namespace slm
