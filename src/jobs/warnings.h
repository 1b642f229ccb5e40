#pragma once

// What looks wrong with the data of a request before anything is trained, each with its figure and
// the flag that answers it. Costs little beside a selection: large tables are looked at through
// samples of their rows, at even distances, so that the same table always gives the same warnings.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "jobs/prepare.h"
#include "slm/warning.h"

namespace slm {

// The data of a request as the checks see them.
struct CheckedData {
  const Tables& tables;
  const SelectionSpec& request;
  size_t target = 0;  // column of the data table
  Task task = {};
  std::vector<size_t> features;  // columns that may be chosen
  RowParts parts;

  const Table& table() const { return tables.data; }
  const Column& target_column() const { return tables.data.columns[target]; }
};

// One function for each kind; each adds what it finds.

// Columns that equal the target, or predict it almost perfectly alone (leak_check.cc).
void FindLeaks(const CheckedData& data, ThreadPool& pool, std::vector<Warning>* warnings);
// Columns from which the target follows exactly: their sum with weights, or product
// (formula_check.cc). Looks at the leaks that are known, so it comes after them.
void FindFormulas(const CheckedData& data, ThreadPool& pool, std::vector<Warning>* warnings);
// Columns, and the target, that are distributed differently in training and in the rows that judge
// (drift_check.cc). A random split of one file cannot drift, so only other splits are checked.
void FindDrift(const CheckedData& data, ThreadPool& pool, std::vector<Warning>* warnings);
// A target that changes along a column of time, while rows are split at random (time_check.cc).
void FindTime(const CheckedData& data, std::vector<Warning>* warnings);

struct DataCheck {
  std::vector<Warning> warnings;
  std::vector<std::string>
      leaking;       // columns to leave out: those that leak, if the request says so
  bool cut = false;  // time was over before all was looked at
};

// Everything above, and what is quickly counted: copies of rows, small parts and classes, text of
// many values. Past `end` nothing that takes long is looked at, unless leaking columns are
// to be left out or the request is strict.
DataCheck CheckTables(const Tables& tables, const SelectionSpec& request, ThreadPool& pool,
                      std::optional<Clock::time_point> end = std::nullopt);

// The first line of every run: "regression of price: 12 numeric, 3 text, 1 date column; 14 rows
// without target left out".
std::string HeadLine(const DataSummary& data, const std::string& target);

// A column that is left out anyway, as identifiers are, gives nothing away.
bool MayBeChosen(const CheckedData& data, const Column& column);

// At most `most` of the rows, at even distances.
std::vector<size_t> SampleRows(std::span<const size_t> rows, size_t most);

// From 0 to 1, equal values sharing their mean rank.
std::vector<double> RanksOf(const std::vector<double>& values);

// The columns of the same names in another table, null where it has none.
std::vector<const Column*> ColumnsIn(const Table& other, const Table& own,
                                     std::span<const size_t> columns);

// For texts: "a", "a and b", "a, b and 3 more".
std::string ListNames(const std::vector<std::string>& names, size_t shown = 3);

}  // namespace slm
