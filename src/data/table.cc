#include "data/table.h"

#include <cmath>

#include "base/options.h"
#include "slm/errors.h"

namespace slm {

const char* ColumnTypeName(ColumnType type) {
  static constexpr const char* kNames[] = {"numeric", "boolean", "date", "text"};
  return kNames[static_cast<int>(type)];
}

size_t Table::IndexOf(std::string_view name) const {
  for (size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].name == name) return j;
  }
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  std::string near = NearestName(name, names);
  std::string hint = near.empty() && !columns.empty() ? "; its columns run from '" + names.front() +
                                                            "' to '" + names.back() + "'"
                                                      : "; did you mean '" + near + "'?";
  throw DataError((source.empty() ? "the table" : source) + " has no column '" + std::string(name) +
                  "'" + hint);
}

const Column& Table::Find(std::string_view name) const { return columns[IndexOf(name)]; }

std::string Table::Where(size_t row) const {
  for (const Table& part : parts) {
    if (row < part.rows) return part.Where(row);
    row -= part.rows;
  }
  if (source.empty()) return "row " + std::to_string(row);
  if (first_line == 0) return source + " row " + std::to_string(row);
  return source + " line " + std::to_string(lines.empty() ? first_line + row : lines[row]);
}

std::string GeneratedName(size_t j) { return std::string("f").append(std::to_string(j)); }

bool IsMissing(const Column& column, size_t row) {
  return column.type == ColumnType::kText ? column.codes[row] < 0 : std::isnan(column.numbers[row]);
}

Table TableFromMatrix(MatrixView<const float> matrix, std::span<const std::string> names) {
  if (!names.empty() && names.size() != matrix.cols) {
    throw DataError("the matrix has " + std::to_string(matrix.cols) + " columns, but " +
                    std::to_string(names.size()) + " names were given");
  }
  Table table;
  table.rows = matrix.rows;
  table.columns.resize(matrix.cols);
  for (size_t j = 0; j < matrix.cols; ++j) {
    Column& column = table.columns[j];
    column.name = names.empty() ? GeneratedName(j) : names[j];
    column.numbers.resize(matrix.rows);
  }
  for (size_t i = 0; i < matrix.rows; ++i) {
    for (size_t j = 0; j < matrix.cols; ++j) {
      float value = matrix(i, j);
      if (std::isinf(value)) {
        throw DataError("row " + std::to_string(i) + ", column '" + table.columns[j].name +
                        "' is infinite; use NaN for a missing value");
      }
      table.columns[j].numbers[i] = value;
    }
  }
  return table;
}

}  // namespace slm
