#include "targets/target.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

void RequirePresent(const Table& table, const Column& column, std::span<const size_t> rows) {
  constexpr size_t kShown = 3;
  size_t missing = 0;
  std::string places;
  for (size_t row : rows) {
    if (!IsMissing(column, row) || ++missing > kShown) continue;
    places += (missing == 1 ? "" : ", ") + table.Where(row);
  }
  if (missing == 0) return;
  throw DataError(
      "the target " + Quoted(column.name) + " is missing in " + std::to_string(missing) +
      (missing == 1 ? " row: " : " rows: ") + places + (missing > kShown ? ", ..." : "") +
      "; fill these cells, or leave the rows out with " + FieldRef("missing_target") + " drop");
}

std::vector<const Target*> All() {
#define SLM_LIST_TARGET(name) &name(),
  return {SLM_FOR_EACH_TARGET(SLM_LIST_TARGET)};
#undef SLM_LIST_TARGET
}

}  // namespace

std::span<const Target* const> Targets() {
  static const std::vector<const Target*> targets = All();
  return targets;
}

const Target& TargetOf(Task task) {
  const auto targets = Targets();
  return **std::find_if(targets.begin(), targets.end(),
                        [&](const Target* target) { return target->task() == task; });
}

const Target* FindTarget(std::string_view name) {
  for (const Target* target : Targets()) {
    if (target->name() == name) return target;
  }
  return nullptr;
}

Task DecideTask(const Table& table, size_t target, TaskChoice choice) {
  const Column& column = table.columns[target];
  if (choice == TaskChoice::kAuto) {
    const auto targets = Targets();
    return (*std::find_if(targets.begin(), targets.end(),
                          [&](const Target* one) { return one->Claims(table, column); }))
        ->task();
  }
  const Task task =
      choice == TaskChoice::kClassification ? Task::kClassification : Task::kRegression;
  TargetOf(task).Require(column);
  return task;
}

void RequireTarget(const Table& table, size_t target) {
  std::vector<size_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), size_t{0});
  RequirePresent(table, table.columns[target], rows);
}

std::vector<size_t> RowsWithTarget(const Table& table, size_t target) {
  const Column& column = table.columns[target];
  std::vector<size_t> rows;
  for (size_t i = 0; i < table.rows; ++i) {
    if (!IsMissing(column, i)) rows.push_back(i);
  }
  if (rows.empty() && table.rows > 0) {
    throw DataError("the target " + Quoted(column.name) + " is missing in all " +
                    std::to_string(table.rows) + " rows" +
                    (table.source.empty() ? "" : " of " + table.source) +
                    "; name another column, or fill it in");
  }
  return rows;
}

std::vector<int32_t> StrataOfRows(const Table& table, size_t target, Task task) {
  RequireTarget(table, target);
  return TargetOf(task).Strata(table.columns[target]);
}

TargetEncoder TargetEncoder::Fit(const Table& table, size_t target, Task task,
                                 std::span<const size_t> rows) {
  const Column& column = table.columns[target];
  RequirePresent(table, column, rows);
  TargetOf(task).Require(column);
  TargetEncoding encoding;
  encoding.name = column.name;
  encoding.task = task;
  encoding.type = column.type;
  encoding.format = column.format;
  TargetOf(task).Fit(column, rows, &encoding);
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
  Labels labels = target().Encode(encoding_, table, column, rows);
  labels.task = encoding_.task;
  return labels;
}

}  // namespace slm
