#pragma once

// From a table to exactly k chosen columns with a trained predictor: split, encode, select, refit,
// measure. Everything is fitted on training rows; test rows are looked at once, at the end.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "data/encoder.h"
#include "data/table.h"
#include "data/target.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

struct SelectRequest {
  using TaskChoice = slm::TaskChoice;

  std::string target;
  int k = 0;
  TaskChoice task = TaskChoice::kAuto;
  std::array<double, 3> split = {0.7, 0.1, 0.2};  // train, validation, test shares
  uint64_t seed = 0;
  std::vector<std::string> drop;  // columns that are never inputs
  std::string weights;            // column of sample weights; empty for none
  bool balanced = false;          // --class-weight balanced
  std::string metric = "auto";    // accuracy or mae by task when auto
};

struct SelectTables {
  Table data;
  std::optional<Table> valid;  // fixed validation rows; otherwise they are split off
  std::optional<Table> test;
};

struct SelectedFeature {
  int rank = 0;  // from 1
  std::string name;
  int index = 0;  // position of the column in the table, from 0
  float weight = 0;
};

struct SelectionResult {
  std::string method;
  Task task = Task::kClassification;
  SelectRequest request;
  size_t rows = 0, features = 0, train = 0, valid = 0, test = 0;
  std::vector<DroppedColumn> dropped;
  std::vector<SelectedFeature> selected;
  std::string metric;
  double valid_metric = 0;
  std::optional<double> test_metric;  // empty when there are no test rows
  double read_seconds = 0, fit_seconds = 0, total_seconds = 0;
  bool stopped_early = false;  // the deadline or the observer ended it
  Json options;                // of the method, as used

  Json ToJson() const;  // schema slm.selection/1
};

// Throws InputError for what the user can mend.
SelectionResult SelectFromTable(const SelectTables& tables, const SelectRequest& request,
                                std::string_view method, Selector& selector,
                                const Context& context);

}  // namespace slm
