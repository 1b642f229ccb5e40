#include "targets/target.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostClassesOfNumbers = 50;
constexpr size_t kRowsOfClassOfNumbers = 10;

void RequirePresent(const Table& table, const Column& column, std::span<const size_t> rows) {
  constexpr size_t kShown = 3;
  size_t missing = 0;
  std::string places;
  for (size_t row : rows) {
    if (!IsMissing(column, row) || ++missing > kShown) continue;
    places += (missing == 1 ? "" : ", ") + table.Where(row);
  }
  if (missing == 0) return;
  throw DataError("the target " + Quoted(column.name) + " is missing in " +
                  std::to_string(missing) + (missing == 1 ? " row: " : " rows: ") + places +
                  (missing > kShown ? ", ..." : "") + "; fill these cells or remove the rows");
}

std::vector<size_t> EveryRow(const Table& table) {
  std::vector<size_t> rows(table.rows);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  return rows;
}

std::vector<double> DistinctNumbers(const Column& column, std::span<const size_t> rows) {
  std::vector<double> values;
  for (size_t row : rows) values.push_back(column.numbers[row]);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

size_t RankOf(const std::vector<double>& sorted, double value) {
  return static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                             sorted.begin());
}

std::string NameOf(ColumnType type, double value) {
  if (type == ColumnType::kBoolean) return value != 0 ? "true" : "false";
  return FormatNumber(value == 0 ? 0.0 : value);
}

}  // namespace

Task DecideTask(const Table& table, size_t target, TaskChoice choice) {
  const Column& column = table.columns[target];
  if (choice == TaskChoice::kClassification) return Task::kClassification;
  if (choice == TaskChoice::kRegression) {
    if (column.type != ColumnType::kText) return Task::kRegression;
    throw DataError("the target " + Quoted(column.name) + " is text, such as " +
                    (column.levels.empty() ? "''" : Quoted(column.levels[0])) +
                    ", and cannot be regressed on; choose another target or classification");
  }
  if (column.type == ColumnType::kText || column.type == ColumnType::kBoolean) {
    return Task::kClassification;
  }
  if (column.type == ColumnType::kDate) return Task::kRegression;
  std::vector<double> values;  // distinct ones
  for (double x : column.numbers) {
    if (std::isnan(x)) continue;
    if (x != std::floor(x)) return Task::kRegression;
    size_t rank = RankOf(values, x);
    if (rank < values.size() && values[rank] == x) continue;
    values.insert(values.begin() + static_cast<ptrdiff_t>(rank), x);
    if (values.size() > kMostClassesOfNumbers) return Task::kRegression;
  }
  bool few = values.size() <= 2 || values.size() * kRowsOfClassOfNumbers <= table.rows;
  return few ? Task::kClassification : Task::kRegression;
}

void RequireTarget(const Table& table, size_t target) {
  RequirePresent(table, table.columns[target], EveryRow(table));
}

std::vector<int32_t> ClassOfRows(const Table& table, size_t target) {
  RequireTarget(table, target);
  const Column& column = table.columns[target];
  if (column.type == ColumnType::kText) return column.codes;
  std::vector<double> values = DistinctNumbers(column, EveryRow(table));
  std::vector<int32_t> classes;
  for (double x : column.numbers) classes.push_back(static_cast<int32_t>(RankOf(values, x)));
  return classes;
}

TargetEncoder TargetEncoder::Fit(const Table& table, size_t target, Task task,
                                 std::span<const size_t> rows) {
  const Column& column = table.columns[target];
  RequirePresent(table, column, rows);
  TargetEncoding encoding;
  encoding.name = column.name;
  encoding.task = task;
  encoding.type = column.type;
  if (task == Task::kClassification) {
    if (column.type == ColumnType::kText) {
      std::vector<uint8_t> seen(column.levels.size());
      for (size_t row : rows) seen[static_cast<size_t>(column.codes[row])] = 1;
      for (size_t l = 0; l < seen.size(); ++l) {
        if (seen[l] != 0) encoding.classes.push_back(column.levels[l]);
      }
    } else {
      encoding.class_values = DistinctNumbers(column, rows);
      for (double x : encoding.class_values) encoding.classes.push_back(NameOf(column.type, x));
    }
    if (encoding.classes.size() < 2) {
      throw DataError("the target " + Quoted(column.name) + " has one class only" +
                      (encoding.classes.empty() ? "" : ", " + Quoted(encoding.classes[0])) +
                      "; there is nothing to tell apart, so choose another target or more rows");
    }
    return TargetEncoder(std::move(encoding));
  }
  if (column.type == ColumnType::kText) DecideTask(table, target, TaskChoice::kRegression);
  double sum = 0, squares = 0;
  for (size_t row : rows) sum += column.numbers[row];
  encoding.mean = sum / static_cast<double>(rows.size());
  for (size_t row : rows) {
    double centred = column.numbers[row] - encoding.mean;
    squares += centred * centred;
  }
  encoding.sd = std::sqrt(squares / static_cast<double>(rows.size()));
  if (DistinctNumbers(column, rows).size() < 2 || !(encoding.sd > 0) ||
      !std::isfinite(encoding.sd)) {
    throw DataError(
        "the target " + Quoted(column.name) + " has the same value, " +
        FormatNumber(encoding.mean) +
        ", in all training rows, or values beyond the range of numbers; choose another");
  }
  return TargetEncoder(std::move(encoding));
}

Labels TargetEncoder::Encode(const Table& table, std::span<const size_t> rows) const {
  const Column& column = table.Find(encoding_.name);
  RequirePresent(table, column, rows);
  if ((column.type == ColumnType::kText) != (encoding_.type == ColumnType::kText)) {
    throw DataError("the target " + Quoted(encoding_.name) + " is " + ColumnTypeName(column.type) +
                    (table.source.empty() ? "" : " in " + table.source) + ", but was " +
                    ColumnTypeName(encoding_.type) + " in training; make its cells alike");
  }
  Labels labels;
  labels.task = encoding_.task;
  if (encoding_.task == Task::kRegression) {
    for (size_t row : rows) {
      labels.value.push_back(
          static_cast<float>((column.numbers[row] - encoding_.mean) / encoding_.sd));
    }
    return labels;
  }
  labels.classes = static_cast<int>(encoding_.classes.size());
  auto unseen = [&](size_t row, const std::string& name) {
    return DataError(table.Where(row) + ": the class " + Quoted(name) + " of the target " +
                     Quoted(encoding_.name) +
                     " never occurs in the training rows; add rows of it to " +
                     "training or remove this one");
  };
  for (size_t row : rows) {
    size_t index;
    if (encoding_.type == ColumnType::kText) {
      const std::string& level = column.levels[static_cast<size_t>(column.codes[row])];
      auto found = std::lower_bound(encoding_.classes.begin(), encoding_.classes.end(), level);
      if (found == encoding_.classes.end() || *found != level) throw unseen(row, level);
      index = static_cast<size_t>(found - encoding_.classes.begin());
    } else {
      double value = column.numbers[row];
      index = RankOf(encoding_.class_values, value);
      if (index == encoding_.class_values.size() || encoding_.class_values[index] != value) {
        throw unseen(row, NameOf(column.type, value));
      }
    }
    labels.index.push_back(static_cast<int32_t>(index));
  }
  return labels;
}

}  // namespace slm
