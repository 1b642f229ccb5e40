#include "jobs/reading_remarks.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "data/readers/typing.h"
#include "targets/target.h"

namespace slm {
namespace {

void Append(std::vector<std::string> more, std::vector<std::string>* remarks) {
  for (std::string& one : more) {
    if (std::find(remarks->begin(), remarks->end(), one) == remarks->end()) {
      remarks->push_back(std::move(one));
    }
  }
}

// Of another table, those columns that have the names of the first.
void AppendByName(const Table& other, const Table& table, std::span<const size_t> columns,
                  std::vector<std::string>* remarks) {
  std::unordered_set<std::string_view> used;
  for (size_t j : columns) used.insert(table.columns[j].name);
  for (const Column& column : other.columns) {
    if (used.count(column.name) == 0) continue;
    for (std::string& remark : RemarksOn(other, column)) {
      Append({other.source + ": " + std::move(remark)}, remarks);
    }
  }
}

}  // namespace

std::vector<std::string> ReadingRemarks(const Tables& tables, const SelectionSpec& request,
                                        size_t target, std::span<const size_t> features) {
  const Table& table = tables.data;
  std::vector<size_t> columns = {target};
  columns.insert(columns.end(), features.begin(), features.end());
  std::vector<std::string> remarks;
  // What may change everything comes first: where the table begins, and what is predicted.
  Append(table.remarks, &remarks);
  Append(RemarksOnTarget(table, target, request.task), &remarks);
  for (size_t j : columns) Append(RemarksOn(table, table.columns[j]), &remarks);
  for (const std::optional<Table>* other : {&tables.valid, &tables.test}) {
    if (*other) AppendByName(**other, table, columns, &remarks);
  }
  return remarks;
}

}  // namespace slm
