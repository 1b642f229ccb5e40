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
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/matrix.h"

namespace slm {

enum class ColumnType { kNumeric, kBoolean, kDate, kText };

// How the cells of a column are written where that is not the plain way. Files that belong together
// are read by the format of the first.
struct CellFormat {
  char decimal = '.';     // of numbers; if it is a comma, points group thousands
  std::string unit = {};  // beside numbers: a currency sign or %
  std::string date = {};  // "%d.%m.%Y %H:%M"; empty for ISO 8601

  bool operator==(const CellFormat&) const = default;
};

// A cell that is not of the type of its column, and therefore counts as missing.
struct OddCell {
  size_t row = 0;
  std::string text;
};

// How a file writes a value, where that is not the way in which this program does.
struct Spelling {
  double value = 0;
  std::string text;
};

// What cells look like that are not all of one type.
struct LikelyType {
  ColumnType type = ColumnType::kText;
  CellFormat format = {};
};

// What reading found out about a column.
struct ColumnReading {
  std::string why = {};                   // it is of its type; empty if the file declares that
  std::vector<OddCell> odd = {};          // the first of them
  size_t odd_cells = 0;                   // how many there are
  std::vector<std::string> remarks = {};  // a sentence on each guess that may be wrong
  std::optional<LikelyType> likely = {};  // of most cells of a text column, though not of enough
  std::vector<Spelling> spellings = {};   // of the target's values; ascending
};

// A T that few owners have: until it is first edited it takes the room of a pointer. A hostile file
// has a column for every other byte.
template <class T>
class Occasional {
 public:
  Occasional() = default;
  Occasional(const Occasional& other) { *this = other; }
  Occasional(Occasional&&) noexcept = default;
  ~Occasional() = default;
  Occasional& operator=(const Occasional& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Occasional& operator=(Occasional&&) noexcept = default;

  const T& operator*() const {
    static const T kNone;
    return value_ ? *value_ : kNone;
  }
  const T* operator->() const { return &**this; }
  T& Edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

struct Column {
  std::string name;
  ColumnType type = ColumnType::kNumeric;
  // Numeric values, booleans as 0 and 1, dates as days since 1970-01-01; NaN is a missing cell.
  // Empty for text.
  std::vector<double> numbers = {};
  // Text only: an index into levels, -1 where the cell is missing.
  std::vector<int32_t> codes = {};
  std::vector<std::string> levels = {};  // sorted, so that they do not depend on the order of rows
  CellFormat format = {};
  Occasional<ColumnReading> reading = {};
};

struct Table {
  std::vector<Column> columns;
  size_t rows = 0;
  // Of a sparse file without a list of columns: those that no row of it names are zero, and another
  // such file may have more of them.
  bool open_ended = false;

  // For messages: the file, and where in it a row stands.
  std::string source;     // empty for a table that was never a file
  size_t first_line = 1;  // of row 0; 0 for files without lines, whose rows are counted
  // Of each row; empty when row i stands on line first_line + i, or is row i where rows are
  // counted.
  std::vector<size_t> lines;
  std::vector<Table> parts;  // the files of a table made of several, without their columns
  std::vector<std::string> remarks = {};  // on what looks odd in the table as a whole

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
  enum class Format {
    kAuto,
    kCsv,
    kTsv,
    kNpy,
    kNpz,
    kLibsvm,
    kArff,
    kXlsx,
    kJson,
    kZip,
    kParquet,
    kJsonl,
    kSql
  };
  // Any other character can be one as well: Delimiter('^').
  enum class Delimiter : char {
    kAuto,
    kComma = ',',
    kTab = '\t',
    kSemicolon = ';',
    kSpace = ' ',
    kPipe = '|'
  };
  enum class Header { kAuto, kYes, kNo };
  enum class Decimal : char { kAuto, kPoint = '.', kComma = ',' };

  Format format = Format::kAuto;  // by the name, then by the first bytes; csv if they say nothing
  Delimiter delimiter = Delimiter::kAuto;
  Header header = Header::kAuto;
  char comment = 0;  // lines of delimited text that begin with it are no rows; 0 for none
  int skip = 0;      // lines of delimited text before the header
  std::vector<std::string> na = {};           // more words for missing cells
  Decimal decimal = Decimal::kAuto;           // by all cells of a column
  std::vector<std::string> types = {};        // "COL=number", or text, date, boolean
  std::vector<std::string> date_format = {};  // "%d.%m.%Y" for all columns, "COL=%d.%m.%Y" for one
  bool raw = false;  // texts as they stand in the file, none of them missing or of another type
  std::string sheet = {};  // of a workbook; empty for the first
  bool remote = false;     // let DuckDB fetch its extensions and read over the network
  size_t max_bytes = 0;    // of decompressed content; 0 is half of the memory of this machine

  // What the request knows of the columns: the one whose spellings are wanted, and names that only
  // a header can hold.
  std::string target = {};
  std::vector<std::string> names = {};

  // A table whose column types and formats this file must share, by name: for validation and test
  // files, whose own rows may suggest others. May be null; must outlive the call.
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
