#include "jobs/inspect.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/fields.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "data/encoding/encoder.h"
#include "data/readers/csv_writer.h"
#include "data/readers/reader.h"
#include "data/readers/typing.h"
#include "slm/errors.h"
#include "targets/target.h"

namespace slm {
namespace {

constexpr size_t kExamples = 3;

void DescribeCells(const Column& column, size_t rows, ColumnReport* report) {
  size_t least = rows, most = rows;
  std::set<double> numbers;
  std::vector<bool> seen(column.levels.size());
  for (size_t row = 0; row < rows; ++row) {
    if (IsMissing(column, row)) {
      ++report->missing;
      continue;
    }
    const bool text = column.type == ColumnType::kText;
    const size_t level = text ? static_cast<size_t>(column.codes[row]) : 0;
    const bool is_new = text ? !seen[level] : numbers.insert(column.numbers[row]).second;
    if (!is_new) continue;
    if (text) seen[level] = true;
    ++report->distinct;
    if (report->examples.size() < kExamples) report->examples.push_back(CellText(column, row));
    if (text) continue;
    if (least == rows || column.numbers[row] < column.numbers[least]) least = row;
    if (most == rows || column.numbers[row] > column.numbers[most]) most = row;
  }
  if (least == rows) return;
  report->least = CellText(column, least);
  report->most = CellText(column, most);
}

ColumnReport DescribeColumn(const Table& table, const Column& column) {
  ColumnReport report;
  report.name = column.name;
  report.type = ColumnTypeName(column.type);
  report.why = column.reading->why;
  const bool number = column.type == ColumnType::kNumeric;
  if (report.why.empty()) {
    report.why = number && table.first_line != 0 ? "every cell is a number" : "the file says so";
  }
  if (column.format.decimal != '.') report.decimal = "comma";
  report.unit = column.format.unit;
  report.date_format = column.format.date;
  DescribeCells(column, table.rows, &report);
  if (report.missing == table.rows) report.why = "no cell says otherwise";
  report.odd_cells = column.reading->odd_cells;
  for (const OddCell& odd : column.reading->odd) {
    report.odd.push_back({table.Where(odd.row), odd.text});
  }
  return report;
}

// Why columns cannot be chosen. Where none can, which an encoder refuses, each is asked by itself.
std::vector<DroppedColumn> FindDropped(const Table& table, const std::vector<size_t>& features,
                                       ThreadPool& pool) {
  const std::vector<size_t> rows = AllIndices(table.rows);
  try {
    return Encoder::Fit(table, rows, features, {}, pool).dropped();
  } catch (const InputError&) {
    std::vector<DroppedColumn> dropped;
    for (size_t j : features) {
      try {
        Encoder::Fit(table, rows, std::span(&j, 1), {.identifiers = true}, pool);
        dropped.push_back({table.columns[j].name, {DropKind::kOther, "identifier"}});
      } catch (const InputError&) {
        dropped.push_back({table.columns[j].name, {DropKind::kConstant, ""}});
      }
    }
    return dropped;
  }
}

// What a selection from all rows would make of the columns.
void DescribeUse(const Table& table, const std::string& target, ThreadPool& pool,
                 std::vector<ColumnReport>* columns) {
  std::vector<size_t> features;
  for (size_t j = 0; j < columns->size(); ++j) {
    ColumnReport& column = (*columns)[j];
    column.use = column.name == target ? "target" : "feature";
    if (column.name != target) features.push_back(j);
  }
  std::unordered_map<std::string_view, size_t> place;
  for (size_t j : features) place.emplace((*columns)[j].name, j);
  for (const DroppedColumn& one : FindDropped(table, features, pool)) {
    const auto found = place.find(one.name);
    if (found != place.end()) (*columns)[found->second].use = one.reason.Text();
  }
}

}  // namespace

TableReport InspectTable(const Table& table, const std::string& target, TaskChoice task,
                         ThreadPool& pool, const FieldStyle& style) {
  TableReport report;
  report.source = table.source;
  report.rows = table.rows;
  report.columns.resize(table.columns.size());
  pool.ParallelFor(table.columns.size(),
                   [&](size_t j) { report.columns[j] = DescribeColumn(table, table.columns[j]); });
  DescribeUse(table, target, pool, &report.columns);
  auto add = [&](const std::vector<std::string>& remarks) {
    for (const std::string& remark : remarks) {
      report.remarks.push_back(RenderFields(remark, style));
    }
  };
  auto add_columns = [&] {
    for (const Column& column : table.columns) add(RemarksOn(table, column));
  };
  add(table.remarks);  // in the order of a selection
  if (target.empty()) {
    add_columns();
    return report;
  }
  const size_t at = table.IndexOf(target);
  const Task decided = DecideTask(table, at, task);
  report.target = target;
  report.task = TargetOf(decided).name();
  if (decided == Task::kClassification) report.classes = report.columns[at].distinct;
  add(RemarksOnTarget(table, at, task));
  add_columns();
  return report;
}

TableReport Execute(const InspectRequest& request) {
  ThreadPool pool(request.threads);
  ReadOptions read = request.read;
  read.target = request.target;
  return InspectTable(ReadTables(request.data, read, pool), request.target, request.task, pool,
                      request.field_style);
}

Json TableReport::ToJson() const { return WriteFields(*this); }

}  // namespace slm
