#pragma once

// A table as it was read: what each column is, why, and what a selection would do with it.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/thread_pool.h"
#include "base/version.h"
#include "slm/requests.h"

namespace slm {

struct InspectRequest {
  std::vector<std::string> data;  // files that make one table
  ReadOptions read;
  std::string target;  // empty if none is known yet
  TaskChoice task = TaskChoice::kAuto;
  int threads = 0;
  FieldStyle field_style = {};  // how remarks name fields; empty for keywords
};

struct OddCellReport {
  std::string place;  // "data.csv line 17"
  std::string text;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("place", place);
    v("text", text);
  }
};

struct ColumnReport {
  std::string name, type;
  std::string why;                         // it is of that type
  std::string decimal, unit, date_format;  // where its cells are not written plainly
  size_t missing = 0, distinct = 0;
  std::string least, most;            // of numbers and dates; empty for texts and without a cell
  std::vector<std::string> examples;  // the first distinct cells
  size_t odd_cells = 0;
  std::vector<OddCellReport> odd;  // the first of them
  std::string use;                 // "feature", "target", "identifier: every value differs"

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("type", type);
    v("why", why);
    v.Optional("decimal", decimal);
    v.Optional("unit", unit);
    v.Optional("date_format", date_format);
    v("missing", missing);
    v("distinct", distinct);
    v.Optional("least", least);
    v.Optional("most", most);
    v("examples", examples);
    v.Optional("odd_cells", odd_cells);
    v.Optional("odd", odd);
    v("use", use);
  }
};

struct TableReport {
  std::string version = Version();
  std::string source;
  size_t rows = 0;
  std::string target, task;  // empty without a target
  size_t classes = 0;        // 0 for values
  std::vector<ColumnReport> columns;
  std::vector<std::string> remarks;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v.Schema("slm.columns/1");
    v("version", version);
    v("source", source);
    v("rows", rows);
    v.Optional("target", target);
    v.Optional("task", task);
    v.Optional("classes", classes);
    v("columns", columns);
    v.Optional("remarks", remarks);
  }
  Json ToJson() const;
};

TableReport Execute(const InspectRequest& request);

// Of a table in memory.
TableReport InspectTable(const Table& table, const std::string& target, TaskChoice task,
                         ThreadPool& pool, const FieldStyle& style = {});

}  // namespace slm
