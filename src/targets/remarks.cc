// What looks odd about a target.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "slm/errors.h"
#include "targets/target.h"

namespace slm {
namespace {

// Whole numbers of so many values can be classes as well as a measure.
constexpr size_t kLeastUnclear = 6, kMostUnclear = 50;
constexpr size_t kRowsOfClass = 10;  // on average; with fewer nobody would think of classes

size_t DistinctWholes(const Column& column) {
  std::set<double> values;
  for (double x : column.numbers) {
    if (std::isnan(x)) continue;
    if (x != std::floor(x)) return 0;
    values.insert(x);
    if (values.size() > kMostUnclear) return 0;
  }
  return values.size();
}

// Without blanks, in lower case.
std::string Bare(std::string_view text) {
  std::string bare;
  for (char c : text) {
    if (c != ' ' && c != '\t' && c != '_') bare.push_back(ToLower(c));
  }
  return bare;
}

std::string RemarkOnTask(const Table& table, size_t target) {
  const Column& column = table.columns[target];
  if (column.type != ColumnType::kNumeric) return "";
  const size_t values = DistinctWholes(column);
  if (values < kLeastUnclear || values * kRowsOfClass > table.rows) return "";
  const bool classes = DecideTask(table, target, TaskChoice::kAuto) == Task::kClassification;
  return "the target " + Quoted(column.name) + " has " + std::to_string(values) +
         " whole values, which are taken for " + (classes ? "classes" : "amounts") + "; " +
         FieldRef("task", classes ? "regression" : "classification") + " takes them for " +
         (classes ? "amounts" : "classes");
}

std::string RemarkOnDates(const Column& column) {
  if (column.type != ColumnType::kDate) return "";
  return "the target " + Quoted(column.name) +
         " holds dates, and is predicted as a number: days since 1970-01-01, so that errors are "
         "in days; if something else was meant, name another target";
}

std::string RemarkOnClasses(const Column& column) {
  std::map<std::string, std::vector<const std::string*>> alike;
  for (const std::string& level : column.levels) alike[Bare(level)].push_back(&level);
  size_t classes = 0;
  std::string example;
  for (const auto& [bare, levels] : alike) {
    if (levels.size() < 2) continue;
    classes += levels.size();
    if (example.empty()) example = Quoted(*levels[0]) + " and " + Quoted(*levels[1]);
  }
  if (classes == 0) return "";
  return std::to_string(classes) + " classes of the target " + Quoted(column.name) +
         " differ only by upper case or blanks, such as " + example +
         "; write them alike if they mean the same";
}

}  // namespace

std::vector<std::string> RemarksOnTarget(const Table& table, size_t target, TaskChoice choice) {
  std::vector<std::string> remarks;
  auto add = [&](std::string remark) {
    if (!remark.empty()) remarks.push_back(std::move(remark));
  };
  if (choice == TaskChoice::kAuto) add(RemarkOnTask(table, target));
  add(RemarkOnDates(table.columns[target]));
  add(RemarkOnClasses(table.columns[target]));
  return remarks;
}

}  // namespace slm
