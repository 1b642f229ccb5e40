#include "data/table.h"

#include <algorithm>
#include <cmath>

#include "base/options.h"
#include "slm/errors.h"

namespace slm {
namespace {

template <class T>
void KeepItems(std::span<const size_t> places, std::vector<T>* items) {
  if (items->empty()) return;
  for (size_t i = 0; i < places.size(); ++i) (*items)[i] = (*items)[places[i]];
  items->resize(places.size());
}

bool CountsRows(const Table& table) { return table.source.empty() || table.first_line == 0; }

}  // namespace

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
  if (first_line == 1) {
    hint += "; its first line was not taken for a header, see " + FieldRef("header", "yes");
  }
  throw DataError((source.empty() ? "the table" : source) + " has no column '" + std::string(name) +
                  "'" + hint);
}

const Column& Table::Find(std::string_view name) const { return columns[IndexOf(name)]; }

std::string Table::Where(size_t row) const {
  for (const Table& part : parts) {
    if (row < part.rows) return part.Where(row);
    row -= part.rows;
  }
  const bool counted = CountsRows(*this);
  const size_t place = lines.empty() ? (counted ? 0 : first_line) + row : lines[row];
  return (source.empty() ? "" : source + " ") + (counted ? "row " : "line ") +
         std::to_string(place);
}

std::string GeneratedName(size_t j) { return std::string("f").append(std::to_string(j)); }

bool IsMissing(const Column& column, size_t row) {
  return column.type == ColumnType::kText ? column.codes[row] < 0 : std::isnan(column.numbers[row]);
}

bool HasColumn(const Table& table, std::string_view name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

void KeepRows(std::span<const size_t> rows, Table* table) {
  for (Column& column : table->columns) {
    KeepItems(rows, &column.numbers);
    KeepItems(rows, &column.codes);
    if (column.reading->odd.empty()) continue;
    std::vector<OddCell> odd;
    for (OddCell& cell : column.reading.Edit().odd) {
      const auto at = std::lower_bound(rows.begin(), rows.end(), cell.row);
      if (at == rows.end() || *at != cell.row) continue;
      odd.push_back({static_cast<size_t>(at - rows.begin()), std::move(cell.text)});
    }
    column.reading.Edit().odd = std::move(odd);
  }
  auto next = rows.begin();
  size_t begin = 0;
  for (Table& part : table->parts) {
    const size_t end = begin + part.rows;
    std::vector<size_t> own;
    for (; next != rows.end() && *next < end; ++next) own.push_back(*next - begin);
    KeepRows(own, &part);
    begin = end;
  }
  if (table->lines.empty()) {
    const size_t first = CountsRows(*table) ? 0 : table->first_line;
    for (size_t row : rows) table->lines.push_back(first + row);
  } else {
    KeepItems(rows, &table->lines);
  }
  table->rows = rows.size();
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
