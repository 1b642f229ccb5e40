#include "data/readers/duckdb_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "base/json_reader.h"
#include "base/text.h"
#include "data/encoding/calendar.h"
#include "data/readers/column_text.h"
#include "data/readers/duckdb_library.h"
#include "data/readers/finish_table.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

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

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

template <class T>
Wide Whole(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// The number nearest to units / 10^scale, as if its decimal digits were read.
double Decimal(Wide units, int scale) {
  // What a double holds exactly; one division then rounds once.
  constexpr int kExactPowers = 22;
  constexpr Wide kExactUnits = Wide{1} << std::numeric_limits<double>::digits;
  if (scale <= kExactPowers && units >= -kExactUnits && units <= kExactUnits) {
    double power = 1;
    for (int i = 0; i < scale; ++i) power *= 10;
    return static_cast<double>(units) / power;
  }
  std::string digits;
  for (Wide rest = units; rest != 0; rest /= 10) {
    digits.push_back(static_cast<char>('0' + std::abs(static_cast<int>(rest % 10))));
  }
  if (units < 0) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  double value = 0;
  ParseNumber(digits + "e-" + std::to_string(scale), &value);
  return value;
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
  double (*load)(const char*);           // null for texts
  Wide (*units)(const char*) = nullptr;  // of types that decimals are stored in
};

constexpr TypeEntry kTypes[] = {
    {1, ColumnType::kBoolean, 1, Boolean},
    {2, ColumnType::kNumeric, 1, Number<int8_t>},
    {3, ColumnType::kNumeric, 2, Number<int16_t>, Whole<int16_t>},
    {4, ColumnType::kNumeric, 4, Number<int32_t>, Whole<int32_t>},
    {5, ColumnType::kNumeric, 8, Number<int64_t>, Whole<int64_t>},
    {6, ColumnType::kNumeric, 1, Number<uint8_t>},
    {7, ColumnType::kNumeric, 2, Number<uint16_t>},
    {8, ColumnType::kNumeric, 4, Number<uint32_t>},
    {9, ColumnType::kNumeric, 8, Number<uint64_t>},
    {10, ColumnType::kNumeric, 4, Number<float>},
    {11, ColumnType::kNumeric, 8, Number<double>},
    {12, ColumnType::kDate, 8, DaysOfTimestamp<1000000>},
    {13, ColumnType::kDate, 4, Days},
    {16, ColumnType::kNumeric, 16, Number<Wide>, Whole<Wide>},
    {kVarchar, ColumnType::kText, sizeof(DuckdbText), nullptr},
    {20, ColumnType::kDate, 8, DaysOfTimestamp<1>},
    {21, ColumnType::kDate, 8, DaysOfTimestamp<1000>},
    {22, ColumnType::kDate, 8, DaysOfTimestamp<1000000000>},
    {31, ColumnType::kDate, 8, DaysOfTimestamp<1000000>},  // with time zone: UTC
    {32, ColumnType::kNumeric, 16, Number<UnsignedWide>},
};

// Types that DuckDB casts for us, most of them to what it writes for them.
struct CastEntry {
  int type;
  const char* to;
};

constexpr CastEntry kCasts[] = {
    {14, "VARCHAR"},  // time
    {15, "VARCHAR"},  // interval
    {23, "VARCHAR"},  // enum
    {27, "VARCHAR"},  // UUID
    {29, "VARCHAR"},  // bits
    {30, "VARCHAR"},  // time with zone
    {35, "DOUBLE"},   // whole numbers of any length
    {39, "VARCHAR"},  // time in nanoseconds
};

template <class Entries>
const auto* FindType(const Entries& entries, int type) {
  const auto* end = std::end(entries);
  const auto* found = std::find_if(std::begin(entries), end,
                                   [type](const auto& entry) { return entry.type == type; });
  return found == end ? nullptr : found;
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

[[noreturn]] void ThrowNoSelect(const std::string& source) {
  throw UsageError(source + " is not a SELECT; give one query, whose rows are the table");
}

// The result of a SELECT, held by DuckDB until this ends.
class QueryResult {
 public:
  // `path`, if not empty, is replaced by `source` in what DuckDB complains about.
  QueryResult(const Session& session, const std::string& query, const std::string& source,
              const std::string& path)
      : library_(session.library()) {
    DuckdbLibrary::Handle statement = nullptr;
    std::string error;
    if (library_.prepare(session.connection(), query.c_str(), &statement) != 0) {
      error = FirstLine(library_.prepare_error(statement));
    } else if (library_.statement_type(statement) != kSelectStatement) {
      library_.destroy_statement(&statement);
      ThrowNoSelect(source);
    } else if (library_.execute(statement, &result_) != 0) {
      error = FirstLine(library_.result_error(&result_));
      library_.destroy_result(&result_);
    }
    library_.destroy_statement(&statement);
    if (!error.empty()) Fail(std::move(error), source, path);
  }
  ~QueryResult() { library_.destroy_result(&result_); }
  QueryResult(const QueryResult&) = delete;
  QueryResult& operator=(const QueryResult&) = delete;

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

// A text in a vector, whose bytes live as long as the chunk.
std::string_view TextAt(const char* at) {
  DuckdbText text;
  std::memcpy(&text, at, sizeof(text));
  return {text.length <= 12 ? at + sizeof(text.length) : text.pointer, text.length};
}

// The columns of a result, filled chunk by chunk.
class TableBuilder {
 public:
  TableBuilder(const DuckdbLibrary& library, QueryResult& rows, const std::string& source)
      : library_(library), rows_(rows) {
    table_.source = source;
    table_.first_line = 0;
    const uint64_t count = library_.column_count(rows_.get());
    table_.columns.resize(count);
    dictionaries_.resize(count);
    for (uint64_t j = 0; j < count; ++j) {
      table_.columns[j].name = library_.column_name(rows_.get(), j);
      const int type = library_.column_type(rows_.get(), j);
      const TypeEntry* entry = FindType(kTypes, type);
      scales_.push_back(kNoDecimal);
      if (type == kDecimal) {
        DuckdbLibrary::Handle logical = library_.logical_type(rows_.get(), j);
        entry = FindType(kTypes, library_.decimal_storage(logical));
        if (entry != nullptr && entry->units == nullptr) entry = nullptr;
        scales_.back() = library_.decimal_scale(logical);
        library_.destroy_logical_type(&logical);
      }
      types_.push_back(entry);
      if (entry != nullptr) table_.columns[j].type = entry->column;
      const CastEntry* cast = FindType(kCasts, type);
      if (cast != nullptr) casts_.push_back({table_.columns[j].name, cast->to});
      if (entry == nullptr && cast == nullptr) {
        throw DataError(source + ", column " + Quoted(table_.columns[j].name) +
                        " is neither numbers, text, booleans nor dates; leave it out or convert " +
                        "it with a query: SELECT * EXCLUDE (" +
                        QuotedBy('"', table_.columns[j].name) + ") FROM ...");
      }
    }
  }

  struct Cast {
    std::string column, to;
  };
  // Columns that must be cast before Build.
  const std::vector<Cast>& casts() const { return casts_; }

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
  static constexpr int kNoDecimal = -1;

  double Value(size_t j, const char* at, size_t row) const {
    const TypeEntry& type = *types_[j];
    if (scales_[j] != kNoDecimal) return Decimal(type.units(at), scales_[j]);
    const double value = type.load(at);
    if (type.column == ColumnType::kDate && std::isfinite(value) && std::abs(value) > kMostDays) {
      throw DataError(table_.Where(row) + ", column " + Quoted(table_.columns[j].name) +
                      " is a date some thirty thousand years away or more; leave it out or correct "
                      "it");
    }
    return value;
  }

  void AppendVector(size_t j, DuckdbLibrary::Handle vector, size_t count) {
    const char* data = static_cast<const char*>(library_.vector_data(vector));
    const uint64_t* valid = library_.vector_validity(vector);  // null if all are
    const TypeEntry& type = *types_[j];
    Column& column = table_.columns[j];
    for (size_t i = 0; i < count; ++i, data += type.bytes) {
      const bool missing = valid != nullptr && (valid[i / 64] >> i % 64 & 1) == 0;
      if (type.load != nullptr) {
        column.numbers.push_back(missing ? kMissing : Value(j, data, table_.rows + i));
        continue;
      }
      column.codes.push_back(missing ? -1 : dictionaries_[j].Code(TextAt(data)));
    }
  }

  const DuckdbLibrary& library_;
  QueryResult& rows_;
  Table table_;
  std::vector<const TypeEntry*> types_;
  std::vector<int> scales_;  // of decimals
  std::vector<TextDictionary> dictionaries_;
  std::vector<Cast> casts_;
};

Table RunQuery(const Session& session, const std::string& query, const std::string& source,
               const std::string& path, const ReadOptions& options) {
  std::string casts;
  {
    QueryResult rows(session, query, source, path);
    TableBuilder builder(session.library(), rows, source);
    if (builder.casts().empty()) return builder.Build(options);
    for (const auto& [name, to] : builder.casts()) {
      const std::string column = QuotedBy('"', name);
      casts += (casts.empty() ? "CAST(" : ", CAST(") + column + " AS " + to + ") AS " + column;
    }
  }
  QueryResult rows(session, "SELECT * REPLACE (" + casts + ") FROM (" + query + "\n)", source,
                   path);
  return TableBuilder(session.library(), rows, source).Build(options);
}

// Throws a UsageError for anything but queries. DuckDB parses `query` here as a text: to prepare it
// would be too late, as that alone makes the folder of an EXPORT DATABASE.
void CheckIsQuery(const Session& session, std::string_view query, const std::string& source) {
  const DuckdbLibrary& library = session.library();
  QueryResult rows(
      session,
      "SELECT coalesce(json_serialize_sql(" + QuotedBy('\'', query) + ")->>'error_message', '')",
      source, "");
  DuckdbLibrary::Handle chunk = library.fetch_chunk(*rows.get());
  if (chunk == nullptr) throw RuntimeFailure("DuckDB does not say what the statement is");
  const std::string error(
      TextAt(static_cast<const char*>(library.vector_data(library.chunk_vector(chunk, 0)))));
  library.destroy_chunk(&chunk);
  if (error.empty()) return;
  if (error.starts_with("Only SELECT")) ThrowNoSelect(source);
  throw UsageError("DuckDB cannot read " + source + ": Parser Error: " + FirstLine(error.c_str()));
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
  query = query.substr(0, end + 1);
  const Session session(source, options, 1);
  CheckIsQuery(session, query, source);
  return RunQuery(session, std::string(query), source, "", options);
}

}  // namespace slm
