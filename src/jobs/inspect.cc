#include "jobs/inspect.h"

#include <algorithm>
#include <cmath>
#include <set>

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
  report.why = column.reading.why;
  const bool number = column.type == ColumnType::kNumeric;
  if (report.why.empty()) {
    report.why = number && table.first_line != 0 ? "every cell is a number" : "the file says so";
  }
  if (column.format.decimal != '.') report.decimal = "comma";
  report.unit = column.format.unit;
  report.date_format = column.format.date;
  DescribeCells(column, table.rows, &report);
  if (report.missing == table.rows) report.why = "no cell says otherwise";
  report.odd_cells = column.reading.odd_cells;
  for (const OddCell& odd : column.reading.odd) {
    report.odd.push_back({table.Where(odd.row), odd.text});
  }
  return report;
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
  std::vector<DroppedColumn> dropped;
  try {
    dropped = Encoder::Fit(table, AllIndices(table.rows), features, {}, pool).dropped();
  } catch (const InputError&) {
    // Not one column can be chosen; alone, each says why.
    for (size_t j : features) dropped.push_back({(*columns)[j].name, {DropKind::kConstant, ""}});
  }
  for (const DroppedColumn& one : dropped) {
    for (size_t j : features) {
      if ((*columns)[j].name == one.name) (*columns)[j].use = one.reason.Text();
    }
  }
}

}  // namespace

TableReport Execute(const InspectRequest& request) {
  ThreadPool pool(request.threads);
  ReadOptions read = request.read;
  read.target = request.target;
  const Table table = ReadTables(request.data, read, pool);
  TableReport report;
  report.source = table.source;
  report.rows = table.rows;
  report.columns.resize(table.columns.size());
  pool.ParallelFor(table.columns.size(),
                   [&](size_t j) { report.columns[j] = DescribeColumn(table, table.columns[j]); });
  DescribeUse(table, request.target, pool, &report.columns);
  for (const Column& column : table.columns) {
    for (std::string& remark : RemarksOn(table, column)) {
      report.remarks.push_back(std::move(remark));
    }
  }
  report.remarks.insert(report.remarks.end(), table.remarks.begin(), table.remarks.end());
  if (request.target.empty()) return report;
  const size_t target = table.IndexOf(request.target);
  const Task task = DecideTask(table, target, request.task);
  report.target = request.target;
  report.task = TargetOf(task).name();
  if (task == Task::kClassification) report.classes = report.columns[target].distinct;
  for (std::string& remark : RemarksOnTarget(table, target, request.task)) {
    report.remarks.push_back(std::move(remark));
  }
  return report;
}

Json TableReport::ToJson() const { return WriteFields(*this); }

}  // namespace slm
