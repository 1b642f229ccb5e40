#pragma once

// Tables as they were read or filled: typed columns, nothing fitted, nothing scaled.
//
//   slm::Table table = slm::ReadTable({"houses.csv"});
//
// or column by column:
//
//   slm::Table table;
//   table.rows = 3;
//   table.columns.push_back({.name = "size", .numbers = {50, 80, 120}});

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/matrix.h"

namespace slm {

enum class ColumnType { kNumeric, kBoolean, kDate, kText };

struct Column {
  std::string name;
  ColumnType type = ColumnType::kNumeric;
  // Numeric values, booleans as 0 and 1, dates as days since 1970-01-01; NaN is a missing cell.
  // Empty for text.
  std::vector<double> numbers = {};
  // Text only: an index into levels, -1 where the cell is missing.
  std::vector<int32_t> codes = {};
  std::vector<std::string> levels = {};  // sorted, so that they do not depend on the order of rows
};

struct Table {
  std::vector<Column> columns;
  size_t rows = 0;
  // Of a sparse file without a list of columns: those that no row of it names are zero, and another
  // such file may have more of them.
  bool open_ended = false;

  // For messages: the file, and where in it a row stands.
  std::string source;         // empty for a table that was never a file
  size_t first_line = 1;      // of row 0; 0 for files without lines, whose rows are counted
  std::vector<size_t> lines;  // of each row; empty when row i stands on line first_line + i
  std::vector<Table> parts;   // the files of a table made of several, without their columns

  // Throws a DataError that names the nearest column if there is none of that name.
  const Column& Find(std::string_view name) const;
  size_t IndexOf(std::string_view name) const;

  // "data.csv line 17"; "data.npy row 16" (from 0) in a file without lines; "row 16" without a
  // file.
  std::string Where(size_t row) const;
};

// The tables of a request.
struct Tables {
  Table data;
  std::optional<Table> valid;  // fixed validation rows; otherwise they are split off
  std::optional<Table> test;
};

// How files are read.
struct ReadOptions {
  enum class Format { kAuto, kCsv, kTsv, kNpy, kNpz, kLibsvm, kArff, kParquet, kJsonl, kSql };
  enum class Delimiter : char { kAuto, kComma = ',', kTab = '\t', kSemicolon = ';', kSpace = ' ' };
  enum class Header { kAuto, kYes, kNo };

  Format format = Format::kAuto;  // by the name, then by the first bytes; csv if they say nothing
  Delimiter delimiter = Delimiter::kAuto;
  Header header = Header::kAuto;
  bool remote = false;   // let DuckDB fetch its extensions and read over the network
  size_t max_bytes = 0;  // of decompressed content; 0 is half of the memory of this machine

  // A table whose column types this file must share, by name: for validation and test files, whose
  // own rows may suggest other types. May be null; must outlive the call.
  const Table* like = nullptr;
};

// Reads files, in this order, as one table; docs/reference/formats.md has the formats. Throws
// InputError for what the user can fix. Threads: 0 for one for each core; the result is the same.
Table ReadTable(std::span<const std::string> paths, const ReadOptions& options = {},
                int threads = 0);
inline Table ReadTable(const std::string& path, const ReadOptions& options = {}, int threads = 0) {
  return ReadTable(std::span(&path, 1), options, threads);
}

// Numeric columns from a matrix; without names they are f0, f1, ... Throws a DataError for infinity
// and for a wrong number of names.
Table TableFromMatrix(MatrixView<const float> matrix, std::span<const std::string> names = {});

}  // namespace slm
