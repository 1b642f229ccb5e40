#include "data/readers/duckdb_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "base/json_reader.h"
#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/duckdb_library.h"
#include "data/readers/finish_table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSelectStatement = 1;
constexpr size_t kLongestLine = 1 << 20;
constexpr int kVarchar = 17, kDecimal = 19;

template <class T>
double Number(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<double>(value);
}

double Boolean(const char* at) { return *at != 0 ? 1.0 : 0.0; }

// 128 bits: the lower half, then the upper, which has the sign.
template <class Upper>
double Huge(const char* at) {
  return Number<Upper>(at + 8) * 18446744073709551616.0 + Number<uint64_t>(at);
}

// The largest integers stand for infinity.
double Days(const char* at) {
  int32_t days;
  std::memcpy(&days, at, sizeof(days));
  if (days == std::numeric_limits<int32_t>::max()) return kInfinity;
  return days == -std::numeric_limits<int32_t>::max() ? -kInfinity : days;
}

template <int64_t kUnitsOfSecond>
double DaysOfTimestamp(const char* at) {
  int64_t units;
  std::memcpy(&units, at, sizeof(units));
  if (units == std::numeric_limits<int64_t>::max()) return kInfinity;
  if (units == -std::numeric_limits<int64_t>::max()) return -kInfinity;
  constexpr int64_t kUnitsOfDay = kUnitsOfSecond * 86400;
  int64_t days = units / kUnitsOfDay, rest = units % kUnitsOfDay;
  if (rest < 0) {
    --days;
    rest += kUnitsOfDay;
  }
  return static_cast<double>(days) +
         static_cast<double>(rest) / static_cast<double>(kUnitsOfSecond) / 86400.0;
}

// How the values of a type lie in a vector, by the number that the C interface gives the type.
struct TypeEntry {
  int type;
  ColumnType column;
  size_t bytes;
  double (*load)(const char*);  // null for texts
};

constexpr TypeEntry kTypes[] = {
    {1, ColumnType::kBoolean, 1, Boolean},
    {2, ColumnType::kNumeric, 1, Number<int8_t>},
    {3, ColumnType::kNumeric, 2, Number<int16_t>},
    {4, ColumnType::kNumeric, 4, Number<int32_t>},
    {5, ColumnType::kNumeric, 8, Number<int64_t>},
    {6, ColumnType::kNumeric, 1, Number<uint8_t>},
    {7, ColumnType::kNumeric, 2, Number<uint16_t>},
    {8, ColumnType::kNumeric, 4, Number<uint32_t>},
    {9, ColumnType::kNumeric, 8, Number<uint64_t>},
    {10, ColumnType::kNumeric, 4, Number<float>},
    {11, ColumnType::kNumeric, 8, Number<double>},
    {12, ColumnType::kDate, 8, DaysOfTimestamp<1000000>},
    {13, ColumnType::kDate, 4, Days},
    {16, ColumnType::kNumeric, 16, Huge<int64_t>},
    {kVarchar, ColumnType::kText, sizeof(DuckdbText), nullptr},
    {20, ColumnType::kDate, 8, DaysOfTimestamp<1>},
    {21, ColumnType::kDate, 8, DaysOfTimestamp<1000>},
    {22, ColumnType::kDate, 8, DaysOfTimestamp<1000000000>},
    {31, ColumnType::kDate, 8, DaysOfTimestamp<1000000>},  // with time zone: UTC
    {32, ColumnType::kNumeric, 16, Huge<uint64_t>},
};

// Types that are read as what DuckDB writes for them: time, interval, enum, UUID, bits, time with
// zone.
constexpr int kTypesAsText[] = {14, 15, 23, 27, 29, 30};

const TypeEntry* FindType(int type) {
  for (const TypeEntry& entry : kTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

std::string QuotedBy(char quote, std::string_view text) {
  std::string out(1, quote);
  for (char c : text) out.append(c == quote ? 2 : 1, c);
  return out + quote;
}

std::string FirstLine(const char* text) {
  const std::string_view whole = text == nullptr ? "unknown error" : text;
  return std::string(whole.substr(0, whole.find('\n')));
}

// A database in memory, open for one query.
class Session {
 public:
  Session(const std::string& what, const ReadOptions& options, int threads)
      : library_(DuckdbLibrary::Load(what)) {
    const std::string memory = std::to_string(ContentBound(options.max_bytes) >> 10) + "KiB";
    const char* remote = options.remote ? "true" : "false";
    const std::string thread_count = std::to_string(threads);
    library_.create_config(&config_);
    const std::pair<const char*, const char*> settings[] = {
        {"threads", thread_count.c_str()},
        {"memory_limit", memory.c_str()},
        {"temp_directory", ""},  // nothing is written
        {"autoinstall_known_extensions", remote},
        {"autoload_known_extensions", remote},
        {"allow_community_extensions", "false"},
        {"lock_configuration", "true"},
    };
    for (const auto& [name, value] : settings) {
      if (library_.set_config(config_, name, value) == 0) continue;
      Close();
      throw RuntimeFailure(std::string("DuckDB does not take the setting ") + name +
                           "; another release of its library may");
    }
    char* error = nullptr;
    if (library_.open(nullptr, &database_, config_, &error) != 0 ||
        library_.connect(database_, &connection_) != 0) {
      const std::string message = FirstLine(error);
      if (error != nullptr) library_.free(error);
      Close();
      throw RuntimeFailure("DuckDB does not start: " + message);
    }
  }
  ~Session() { Close(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const DuckdbLibrary& library() const { return library_; }
  DuckdbLibrary::Handle connection() const { return connection_; }

 private:
  void Close() {
    if (connection_ != nullptr) library_.disconnect(&connection_);
    if (database_ != nullptr) library_.close(&database_);
    if (config_ != nullptr) library_.destroy_config(&config_);
  }

  DuckdbLibrary library_;
  DuckdbLibrary::Handle config_ = nullptr, database_ = nullptr, connection_ = nullptr;
};

// The result of a SELECT, held by DuckDB until this ends.
class Rows {
 public:
  // `path`, if not empty, is replaced by `source` in what DuckDB complains about.
  Rows(const Session& session, const std::string& query, const std::string& source,
       const std::string& path)
      : library_(session.library()) {
    DuckdbLibrary::Handle statement = nullptr;
    std::string error;
    if (library_.prepare(session.connection(), query.c_str(), &statement) != 0) {
      error = FirstLine(library_.prepare_error(statement));
    } else if (library_.statement_type(statement) != kSelectStatement) {
      library_.destroy_statement(&statement);
      throw UsageError(source + " is not a SELECT; give one query, whose rows are the table");
    } else if (library_.execute(statement, &result_) != 0) {
      error = FirstLine(library_.result_error(&result_));
      library_.destroy_result(&result_);
    }
    library_.destroy_statement(&statement);
    if (!error.empty()) Fail(std::move(error), source, path);
  }
  ~Rows() { library_.destroy_result(&result_); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  DuckdbResult* get() { return &result_; }

 private:
  [[noreturn]] static void Fail(std::string error, const std::string& source,
                                const std::string& path) {
    const size_t at = path.empty() ? std::string::npos : error.find(path);
    if (at != std::string::npos) error.replace(at, path.size(), source);
    const std::string message = "DuckDB cannot read " + source + ": " + error;
    if (error.starts_with("Parser Error")) throw UsageError(message);
    if (error.find("httpfs") != std::string::npos || error.starts_with("Missing Extension")) {
      throw DataError(message + "; extensions and the network are off unless " +
                      FieldRef("remote") + " is given");
    }
    throw DataError(message);
  }

  const DuckdbLibrary& library_;
  DuckdbResult result_;
};

// The columns of a result, filled chunk by chunk.
class TableBuilder {
 public:
  TableBuilder(const DuckdbLibrary& library, Rows& rows, const std::string& source)
      : library_(library), rows_(rows) {
    table_.source = source;
    table_.first_line = 0;
    const uint64_t count = library_.column_count(rows_.get());
    table_.columns.resize(count);
    dictionaries_.resize(count);
    for (uint64_t j = 0; j < count; ++j) {
      table_.columns[j].name = library_.column_name(rows_.get(), j);
      const int type = library_.column_type(rows_.get(), j);
      const TypeEntry* entry = FindType(type);
      scales_.push_back(1);
      if (type == kDecimal) {
        DuckdbLibrary::Handle logical = library_.logical_type(rows_.get(), j);
        entry = FindType(library_.decimal_storage(logical));
        scales_.back() = std::pow(10.0, library_.decimal_scale(logical));
        library_.destroy_logical_type(&logical);
      }
      types_.push_back(entry);
      if (entry != nullptr) table_.columns[j].type = entry->column;
      const bool as_text = std::find(std::begin(kTypesAsText), std::end(kTypesAsText), type) !=
                           std::end(kTypesAsText);
      if (as_text) as_text_.push_back(table_.columns[j].name);
      if (entry == nullptr && !as_text) {
        throw DataError(source + ", column " + Quoted(table_.columns[j].name) +
                        " is neither numbers, text, booleans nor dates; leave it out or convert " +
                        "it with a query: SELECT * EXCLUDE (" +
                        QuotedBy('"', table_.columns[j].name) + ") FROM ...");
      }
    }
  }

  // Columns that must be cast to text before Build.
  const std::vector<std::string>& as_text() const { return as_text_; }

  Table Build(const ReadOptions& options) {
    while (DuckdbLibrary::Handle chunk = library_.fetch_chunk(*rows_.get())) {
      const size_t count = library_.chunk_rows(chunk);
      try {
        CheckFits(table_.source, table_.rows + count, table_.columns.size(), options.max_bytes);
        for (size_t j = 0; j < table_.columns.size(); ++j) {
          AppendVector(j, library_.chunk_vector(chunk, j), count);
        }
      } catch (...) {
        library_.destroy_chunk(&chunk);
        throw;
      }
      library_.destroy_chunk(&chunk);
      table_.rows += count;
      if (count == 0) break;
    }
    for (size_t j = 0; j < table_.columns.size(); ++j) {
      if (types_[j]->load == nullptr) SortLevels(dictionaries_[j], &table_.columns[j]);
    }
    FinishTable(options, &table_);
    return std::move(table_);
  }

 private:
  void AppendVector(size_t j, DuckdbLibrary::Handle vector, size_t count) {
    const char* data = static_cast<const char*>(library_.vector_data(vector));
    const uint64_t* valid = library_.vector_validity(vector);  // null if all are
    const TypeEntry& type = *types_[j];
    Column& column = table_.columns[j];
    for (size_t i = 0; i < count; ++i, data += type.bytes) {
      const bool missing = valid != nullptr && (valid[i / 64] >> i % 64 & 1) == 0;
      if (type.load != nullptr) {
        column.numbers.push_back(missing ? kMissing : type.load(data) / scales_[j]);
        continue;
      }
      DuckdbText text;
      std::memcpy(&text, data, sizeof(text));
      const char* letters = text.length <= 12 ? data + sizeof(text.length) : text.pointer;
      column.codes.push_back(missing ? -1 : dictionaries_[j].Code({letters, text.length}));
    }
  }

  const DuckdbLibrary& library_;
  Rows& rows_;
  Table table_;
  std::vector<const TypeEntry*> types_;
  std::vector<double> scales_;  // of decimals
  std::vector<TextDictionary> dictionaries_;
  std::vector<std::string> as_text_;
};

Table RunQuery(const Session& session, const std::string& query, const std::string& source,
               const std::string& path, const ReadOptions& options) {
  std::string casts;
  {
    Rows rows(session, query, source, path);
    TableBuilder builder(session.library(), rows, source);
    if (builder.as_text().empty()) return builder.Build(options);
    for (const std::string& name : builder.as_text()) {
      const std::string column = QuotedBy('"', name);
      casts += (casts.empty() ? "CAST(" : ", CAST(") + column + " AS VARCHAR) AS " + column;
    }
  }
  Rows rows(session, "SELECT * REPLACE (" + casts + ") FROM (" + query + "\n)", source, path);
  return TableBuilder(session.library(), rows, source).Build(options);
}

Table ReadFileBy(const std::string& function, const std::string& arguments, FileBytes& file,
                 const ReadOptions& options, ThreadPool& pool) {
  if (file.view().empty()) throw DataError(file.name() + " is empty");
  const Session session(file.name(), options, pool.threads());
  const std::string path = file.PathOfContent();
  return RunQuery(session,
                  "SELECT * FROM " + function + "(" + QuotedBy('\'', path) + arguments + ")",
                  file.name(), path, options);
}

// The lines that DuckDB counts do not agree with those of an editor. Throws a DataError with the
// line that is no JSON, if one is none.
void FindBadLine(const FileBytes& file) {
  std::string_view rest = file.view();
  for (size_t line = 1; !rest.empty(); ++line) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    // Looking for keys that are there twice takes the square of their number.
    if (text.size() > kLongestLine || text.find_first_not_of(" \t\r") == text.npos) continue;
    try {
      ParseJson(text, line);
    } catch (const InputError& error) {
      throw DataError(file.name() + ", " + error.what() + "; each line must be one JSON object");
    }
  }
}

}  // namespace

Table ReadParquet(FileBytes& file, const ReadOptions& options, ThreadPool& pool) {
  return ReadFileBy("read_parquet", "", file, options, pool);
}

Table ReadJsonLines(FileBytes& file, const ReadOptions& options, ThreadPool& pool) {
  try {
    // Types by all rows, not by the first; an object with many keys is a row and no map.
    return ReadFileBy("read_json",
                      ", format = 'newline_delimited', records = true, sample_size = -1, "
                      "map_inference_threshold = -1, field_appearance_threshold = 0",
                      file, options, pool);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find("Malformed JSON") != std::string_view::npos) {
      FindBadLine(file);
    }
    throw;
  }
}

Table ReadQuery(std::string_view query, const std::string& source, const ReadOptions& options,
                ThreadPool&) {
  const size_t end = query.find_last_not_of(" \t\r\n;");
  const Session session(source, options, 1);
  return RunQuery(session, std::string(query.substr(0, end + 1)), source, "", options);
}

}  // namespace slm
