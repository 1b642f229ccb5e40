#pragma once

// What is to be predicted: classes, or a value standardised by its training rows.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/table.h"
#include "slm/problem.h"

namespace slm {

enum class TaskChoice { kAuto, kClassification, kRegression };

// Auto: text, booleans and integers of at most 50 distinct values, each ten times on average (or
// two values in all), are classes; the rest is regression. Throws a DataError for regression on
// text.
Task DecideTask(const Table& table, size_t target, TaskChoice choice);

// The class of each row of the whole table, dense from 0, for splitting before anything is fitted.
// Throws a DataError that names the first lines where the target is missing.
std::vector<int32_t> ClassOfRows(const Table& table, size_t target);

// Throws a DataError that names the first lines where the target is missing.
void RequireTarget(const Table& table, size_t target);

// How the target becomes labels; all that is needed to encode it again.
struct TargetEncoding {
  std::string name;
  Task task = Task::kClassification;
  ColumnType type = ColumnType::kNumeric;
  std::vector<std::string> classes;  // in order of value or text
  std::vector<double> class_values;  // of numeric and boolean targets, ascending
  double mean = 0;                   // of values
  double sd = 1;
};

class TargetEncoder {
 public:
  TargetEncoder() = default;
  explicit TargetEncoder(TargetEncoding encoding) : encoding_(std::move(encoding)) {}

  // Learns the classes, or mean and standard deviation, of the training rows. Throws a DataError
  // for missing cells, for one class only and for a value that never changes.
  static TargetEncoder Fit(const Table& table, size_t target, Task task,
                           std::span<const size_t> rows);

  // Throws a DataError for missing cells and for a class that training has not seen.
  Labels Encode(const Table& table, std::span<const size_t> rows) const;

  const TargetEncoding& encoding() const { return encoding_; }
  const std::string& name() const { return encoding_.name; }
  Task task() const { return encoding_.task; }
  const std::vector<std::string>& classes() const { return encoding_.classes; }

  // Standardised values and back, regression only.
  double mean() const { return encoding_.mean; }
  double sd() const { return encoding_.sd; }
  double Unscale(double standardised) const { return standardised * sd() + mean(); }

 private:
  TargetEncoding encoding_;
};

}  // namespace slm
