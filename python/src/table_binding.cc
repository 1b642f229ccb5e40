// Tables from what Python holds: columns are filled straight from NumPy's memory, whatever its
// strides.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "bindings.h"
#include "data/encoding/column_groups.h"
#include "data/readers/finish_table.h"
#include "data/readers/reader.h"
#include "jobs/inspect.h"
#include "model/predict.h"
#include "slm/errors.h"

namespace nb = nanobind;

namespace slm {
namespace {

template <class T>
using Grid = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Line = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;

// Rows at a time: a block of a row-major matrix stays in the cache while its columns are taken out.
constexpr size_t kBlockRows = 128;

void RequireRows(const Table& table, size_t rows, const std::string& what) {
  if (rows == table.rows) return;
  throw DataError(what + " has " + std::to_string(rows) + " rows, but the table has " +
                  std::to_string(table.rows));
}

template <class T>
void AddMatrix(Table& table, const Grid<T>& x, const std::vector<std::string>& names) {
  const size_t rows = x.shape(0), cols = x.shape(1), first = table.columns.size();
  RequireRows(table, rows, "the matrix");
  if (names.size() != cols) throw DataError("the matrix needs a name for each column");
  for (const std::string& name : names) {
    table.columns.push_back(
        {.name = name, .numbers = std::vector<double>(rows), .codes = {}, .levels = {}});
  }
  const T* data = x.data();
  const int64_t down = x.stride(0), across = x.stride(1);
  for (size_t begin = 0; begin < rows; begin += kBlockRows) {
    const size_t end = std::min(rows, begin + kBlockRows);
    for (size_t j = 0; j < cols; ++j) {
      const T* cell = data + static_cast<int64_t>(j) * across + static_cast<int64_t>(begin) * down;
      double* out = table.columns[first + j].numbers.data();
      for (size_t i = begin; i < end; ++i, cell += down) out[i] = static_cast<double>(*cell);
    }
  }
}

// Cells that a sparse matrix does not hold are zeros; those it holds twice are summed, as in SciPy.
void AddCsr(Table& table, const Line<int64_t>& starts, const Line<int64_t>& indices,
            const Line<double>& values, const std::vector<std::string>& names) {
  RequireRows(table, starts.shape(0) - 1, "the sparse matrix");
  const size_t first = table.columns.size();
  CheckFits("the sparse matrix", table.rows, names.size(), 0);
  for (const std::string& name : names) {
    table.columns.push_back(
        {.name = name, .numbers = std::vector<double>(table.rows), .codes = {}, .levels = {}});
  }
  for (size_t i = 0; i < table.rows; ++i) {
    for (int64_t at = starts(i); at < starts(i + 1); ++at) {
      const size_t cell = static_cast<size_t>(at);
      const size_t column = static_cast<size_t>(indices(cell));
      if (at < 0 || cell >= values.shape(0) || column >= names.size()) {
        throw DataError("the sparse matrix names a cell that it does not have");
      }
      table.columns[first + column].numbers[i] += values(cell);
    }
  }
}

void AddNumbers(Table& table, const std::string& name, const std::string& type,
                const Line<double>& values) {
  RequireRows(table, values.shape(0), "column '" + name + "'");
  Column column{.name = name, .numbers = {}, .codes = {}, .levels = {}};
  column.type = type == "boolean" ? ColumnType::kBoolean
                : type == "date"  ? ColumnType::kDate
                                  : ColumnType::kNumeric;
  column.numbers.resize(table.rows);
  for (size_t i = 0; i < table.rows; ++i) column.numbers[i] = values(i);
  table.columns.push_back(std::move(column));
}

// `levels` must be sorted, as those of a table are.
void AddText(Table& table, const std::string& name, const Line<int32_t>& codes,
             std::vector<std::string> levels) {
  RequireRows(table, codes.shape(0), "column '" + name + "'");
  Column column{.name = name, .type = ColumnType::kText, .numbers = {}, .codes = {}, .levels = {}};
  column.codes.resize(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    if (codes(i) < -1 || codes(i) >= static_cast<int64_t>(levels.size())) {
      throw DataError("column '" + name + "' has a code without a level");
    }
    column.codes[i] = codes(i);
  }
  column.levels = std::move(levels);
  table.columns.push_back(std::move(column));
}

// The groups that texts as of --groups make of all columns but those dropped, with their columns.
std::vector<std::pair<std::string, std::vector<std::string>>> Groups(
    const Table& table, const std::vector<std::string>& written,
    const std::vector<std::string>& dropped) {
  std::vector<size_t> allowed;
  for (size_t j = 0; j < table.columns.size(); ++j) {
    const bool out =
        std::find(dropped.begin(), dropped.end(), table.columns[j].name) != dropped.end();
    if (!out) allowed.push_back(j);
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  try {
    for (ColumnGroup& group : ResolveGroups(written, table, allowed)) {
      std::vector<std::string> names;
      for (size_t column : group.columns) names.push_back(table.columns[column].name);
      groups.emplace_back(std::move(group.name), std::move(names));
    }
  } catch (const InputError& error) {
    // What is said of columns alone is about this field too.
    const std::string field = FieldRef("groups");
    if (error.marked().find(field) != std::string::npos) throw;
    throw InputError(error.kind(), field + ": " + error.marked());
  }
  return groups;
}

void Finish(Table& table, const Table* like) {
  ReadOptions options;
  options.like = like;
  FinishTable(options, &table);
}

Table Read(const std::string& path, const nb::dict& options, const Table* like,
           const std::string& target) {
  ReadOptions read;
  OptionList list;
  DescribeOptions(&read, &list);
  for (auto [name, value] : options) {
    for (const auto& text : nb::cast<std::vector<std::string>>(value)) {
      list.Set(nb::cast<std::string>(name), text);
    }
  }
  read.like = like;
  read.target = target;
  nb::gil_scoped_release release;
  ThreadPool pool;
  return ReadTable(path, read, pool);
}

std::vector<std::string> Names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> Types(const Table& table) {
  std::vector<std::string> types;
  for (const Column& column : table.columns) types.emplace_back(ColumnTypeName(column.type));
  return types;
}

}  // namespace

void BindTable(nb::module_& m) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Table>(m, "Table", "Typed columns of the engine, filled by copying what is given.")
      .def(
          "__init__",
          [](Table* table, size_t rows) {
            new (table) Table();
            table->rows = rows;
          },
          nb::arg("rows"))
      .def("add_matrix", &AddMatrix<float>, nb::arg("x").noconvert(), nb::arg("names"), Release(),
           "Numeric columns, in any strides.")
      .def("add_matrix", &AddMatrix<double>, nb::arg("x").noconvert(), nb::arg("names"), Release())
      .def("add_csr", &AddCsr, nb::arg("starts"), nb::arg("indices"), nb::arg("values"),
           nb::arg("names"), Release(), "Numeric columns of a sparse matrix.")
      .def("add_numbers", &AddNumbers, nb::arg("name"), nb::arg("type"), nb::arg("values"),
           "A column that is numeric, boolean (0, 1) or date (days since 1970-01-01).")
      .def("add_text", &AddText, nb::arg("name"), nb::arg("codes"), nb::arg("levels"),
           "A column of texts: sorted levels and, for each row, the place of its own or -1.")
      .def("finish", &Finish, nb::arg("like").none() = nullptr,
           "Types the texts, as of `like` where given, and checks the table.")
      .def("groups", &Groups, nb::arg("written"), nb::arg("dropped"),
           "The name and the columns of each group that the texts make.")
      .def(
          "inspect",
          [](const Table& table, const std::string& target) {
            ThreadPool pool;
            return InspectTable(table, target, TaskChoice::kAuto, pool).ToJson().Dump();
          },
          nb::arg("target"), Release(), "What each column is, and why, as JSON.")
      .def_prop_ro("names", &Names)
      .def_prop_ro("types", &Types)
      .def_ro("rows", &Table::rows);
  m.def("read_table", &Read, nb::arg("path"), nb::arg("options"), nb::arg("like").none() = nullptr,
        nb::arg("target") = "",
        "Reads a file as the command line does; options are lists of texts by name.");
}

}  // namespace slm
