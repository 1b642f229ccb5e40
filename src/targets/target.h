#pragma once

// What is to be predicted. A target turns cells into labels and scores back into predictions, cuts
// rows into strata and lists the metrics that fit; losses.h has the losses for its labels. Adding
// one is an enumerator of Task, a file that defines the target and a line of SLM_FOR_EACH_TARGET.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/table.h"
#include "slm/matrix.h"
#include "slm/model.h"
#include "slm/problem.h"
#include "slm/requests.h"
#include "targets/metrics.h"

namespace slm {

// What a target has learned from the training rows; all that is needed to encode it again.
struct TargetEncoding {
  std::string name;
  Task task = {};
  ColumnType type = ColumnType::kNumeric;
  CellFormat format;                 // in which files of it are read
  std::vector<std::string> classes;  // in order of value or text; empty for values
  std::vector<double> class_values;  // of numeric and boolean targets, ascending
  double mean = 0;                   // of values
  double sd = 1;                     // in which errors of values are given back
};

// A class of a whole table.
struct ClassOfTable {
  int32_t stratum = 0;
  std::string name;
  size_t rows = 0;
};

// The metric of a table left to us, with what there is to say about it.
struct DefaultMetric {
  std::string_view name;
  std::string remark;  // empty if it goes without saying
};

class Target {
 public:
  virtual ~Target() = default;

  virtual Task task() const = 0;
  virtual std::string_view name() const = 0;    // of the task: in --task, JSON and model files
  virtual std::string_view labels() const = 0;  // what its labels are called in messages

  // Whether a column whose task was left to us is such a target. The first target of the table that
  // says so has it.
  virtual bool Claims(const Table& table, const Column& column) const = 0;
  // Throws a DataError for a column that cannot be such a target.
  virtual void Require(const Column&) const {}

  // Learns from the training rows, none of whose cells is missing; fills in all but name, task and
  // type. Throws a DataError where there is nothing to learn, such as one class only.
  virtual void Fit(const Column& column, std::span<const size_t> rows,
                   TargetEncoding* encoding) const = 0;
  // The labels of rows, none of whose cells is missing. Throws a DataError for a cell that training
  // gives no meaning to.
  virtual Labels Encode(const TargetEncoding& encoding, const Table& table, const Column& column,
                        std::span<const size_t> rows) const = 0;
  // A group for each row of the whole table, whose shares every part of a split should keep; empty
  // if any cut will do. No cell is missing.
  virtual std::vector<int32_t> Strata(const Column& column) const = 0;

  // The classes of the whole table, by stratum; none for values. No cell is missing.
  virtual std::vector<ClassOfTable> Classes(const Column&) const { return {}; }

  // What predictors give for a row, and what that means in the unit of the target.
  virtual size_t Outputs(const TargetEncoding& encoding) const = 0;
  virtual Predictions Decode(const TargetEncoding& encoding, const Matrix& scores) const = 0;

  virtual std::span<const Metric> metrics() const = 0;  // sorted by name
  virtual std::string_view default_metric() const = 0;
  // That of a whole table, whatever its split. No cell is missing.
  virtual DefaultMetric MetricFor(const Table&, const Column&) const {
    return {default_metric(), ""};
  }
};

// In the order in which they are asked whether a column is theirs.
#define SLM_FOR_EACH_TARGET(TARGET) \
  TARGET(ClassTarget)               \
  TARGET(ValueTarget)

#define SLM_DECLARE_TARGET(name) const Target& name();
SLM_FOR_EACH_TARGET(SLM_DECLARE_TARGET)
#undef SLM_DECLARE_TARGET

std::span<const Target* const> Targets();
const Target& TargetOf(Task task);
const Target* FindTarget(std::string_view name);  // null if there is none of the name

// The task of the user's word for it; auto asks the targets. Throws a DataError for a column that
// cannot be what was asked for.
Task DecideTask(const Table& table, size_t target, TaskChoice choice);

// On a task that was left to us and could have been the other, and on classes that are perhaps one.
std::vector<std::string> RemarksOnTarget(const Table& table, size_t target, TaskChoice choice);

// Throws a DataError that names the first lines where the target is missing.
void RequireTarget(const Table& table, size_t target);

// The rows that have a target. Throws a DataError if there are none, although there are rows.
std::vector<size_t> RowsWithTarget(const Table& table, size_t target);

// The stratum of each row of the whole table, for splitting before anything is fitted. Throws a
// DataError that names the first lines where the target is missing.
std::vector<int32_t> StrataOfRows(const Table& table, size_t target, Task task);

// A target with what it has learned.
class TargetEncoder {
 public:
  TargetEncoder() = default;
  explicit TargetEncoder(TargetEncoding encoding) : encoding_(std::move(encoding)) {}

  // Learns from the training rows. Throws a DataError for missing cells and where there is nothing
  // to learn.
  static TargetEncoder Fit(const Table& table, size_t target, Task task,
                           std::span<const size_t> rows);

  // Throws a DataError for missing cells and for a class that training has not seen.
  Labels Encode(const Table& table, std::span<const size_t> rows) const;
  Predictions Decode(const Matrix& scores) const { return target().Decode(encoding_, scores); }

  const Target& target() const { return TargetOf(encoding_.task); }
  const TargetEncoding& encoding() const { return encoding_; }
  const std::string& name() const { return encoding_.name; }
  const std::vector<std::string>& classes() const { return encoding_.classes; }
  double sd() const { return encoding_.sd; }

 private:
  TargetEncoding encoding_;
};

}  // namespace slm
