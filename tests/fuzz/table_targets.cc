// Tables: every line of the table of readers. Bytes go to the reader as they are, not by a mapped
// file, so that reading beyond their end is noticed at the first byte.

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/thread_pool.h"
#include "data/encoding/encoder.h"
#include "data/readers/arff.h"
#include "data/readers/bytes.h"
#include "data/readers/csv_writer.h"
#include "data/readers/delimited.h"
#include "data/readers/duckdb_reader.h"
#include "data/readers/json_table.h"
#include "data/readers/libsvm.h"
#include "data/readers/npy.h"
#include "data/readers/reader.h"
#include "data/readers/xlsx.h"
#include "slm/errors.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace slm {
namespace {

using Reader = Table (*)(std::string_view, const std::string&, const ReadOptions&, ThreadPool&);

// Of a table, or of what is decompressed: what is larger is slower and finds no more.
constexpr size_t kMostContent = 1 << 20;

ThreadPool& Pool() {
  static ThreadPool pool(1);
  return pool;
}

void CheckColumn(const Column& column, size_t rows) {
  const bool text = column.type == ColumnType::kText;
  if (column.numbers.size() != (text ? 0 : rows)) ReportFinding("a column of another length");
  if (column.codes.size() != (text ? rows : 0)) ReportFinding("codes of another length");
  if (std::any_of(column.numbers.begin(), column.numbers.end(),
                  [](double x) { return std::isinf(x); })) {
    ReportFinding("a cell is infinite");
  }
  const auto levels = static_cast<int64_t>(column.levels.size());
  if (std::any_of(column.codes.begin(), column.codes.end(),
                  [&](int32_t code) { return code < -1 || code >= levels; })) {
    ReportFinding("a code without a level");
  }
  if (!std::is_sorted(column.levels.begin(), column.levels.end())) {
    ReportFinding("levels are not in order");
  }
}

// What is done to every table: it is written, and turned into numbers.
void Use(const Table& table) {
  if (table.rows == 0 || table.columns.empty()) ReportFinding("a table without cells");
  for (const Column& column : table.columns) CheckColumn(column, table.rows);
  if (table.Where(table.rows - 1).empty()) ReportFinding("a row without a place");
  std::string csv;
  AppendCsvHeader(table, &csv);
  AppendCsvRows(table, 0, table.rows, &csv);
  constexpr size_t kMostCells = 1 << 16;  // the rest would be more of the same
  if (table.rows > kMostCells / table.columns.size()) return;
  try {
    const std::vector<size_t> rows = AllIndices(table.rows);
    Encoder::Fit(table, rows, AllIndices(table.columns.size()), {}, Pool())
        .Encode(table, rows, Pool());
  } catch (const InputError&) {  // no column is left, say
  }
}

void TryRead(Reader read, std::string_view bytes, const ReadOptions& options) {
  try {
    Use(read(bytes, "input", options, Pool()));
  } catch (const InputError&) {
  }
}

// As a file of its own, then as one that must share the types of another.
void ReadAndUse(Reader read, std::string_view bytes) {
  ReadOptions options;
  options.max_bytes = kMostContent;
  const Table table = read(bytes, "input", options, Pool());
  Use(table);
  Table like = table;
  for (size_t j = 0; j < like.columns.size(); j += 2) like.columns[j].type = ColumnType::kText;
  options.like = &like;
  TryRead(read, bytes, options);
}

template <class T>
T Get(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// The archive with the checksums that its stored members should have: no fuzzer guesses them.
std::string WithChecksums(std::string_view bytes) {
  std::string fixed(bytes);
  constexpr std::string_view kDirectoryMark = "PK\x01\x02";
  constexpr size_t kDirectoryBytes = 46, kMemberBytes = 30;
  for (size_t at = 0; (at = bytes.find(kDirectoryMark, at)) != std::string_view::npos; ++at) {
    if (bytes.size() - at < kDirectoryBytes) break;
    const bool deflated = Get<uint16_t>(bytes, at + 10) != 0;
    const size_t start = Get<uint32_t>(bytes, at + 42);
    if (deflated || start > bytes.size() || bytes.size() - start < kMemberBytes) continue;
    const size_t begin =
        start + kMemberBytes + Get<uint16_t>(bytes, start + 26) + Get<uint16_t>(bytes, start + 28);
    if (begin > bytes.size()) continue;
    const std::string_view packed = bytes.substr(begin, Get<uint32_t>(bytes, at + 20));
    const auto crc = static_cast<uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(packed.data()), packed.size()));
    std::memcpy(fixed.data() + at + 16, &crc, sizeof(crc));
  }
  return fixed;
}

}  // namespace

void FuzzCsv(std::string_view bytes) {
  using Delimiter = ReadOptions::Delimiter;
  ReadOptions options;
  options.header = ReadOptions::Header::kNo;
  for (Delimiter delimiter : {Delimiter::kTab, Delimiter::kSemicolon, Delimiter::kSpace}) {
    options.delimiter = delimiter;
    TryRead(ReadDelimited, bytes, options);
  }
  ReadOptions told;
  told.comment = '#';
  told.skip = 1;
  told.decimal = ReadOptions::Decimal::kComma;
  told.na = {"x", "-1"};
  told.date_format = {"%d.%m.%Y %H:%M"};
  told.target = "f1";
  TryRead(ReadDelimited, bytes, told);
  ReadOptions raw;
  raw.raw = true;
  TryRead(ReadDelimited, bytes, raw);
  ReadAndUse(ReadDelimited, bytes);
}

void FuzzCompressed(std::string_view bytes) {
  const MemoryFile file(bytes);
  ReadOptions options;
  options.max_bytes = kMostContent;
  options.format = ReadOptions::Format::kTsv;
  Use(ReadTable(file.path(), options, Pool()));
}

void FuzzNpy(std::string_view bytes) { ReadAndUse(ReadNpy, bytes); }

void FuzzNpz(std::string_view bytes) { ReadAndUse(ReadNpz, WithChecksums(bytes)); }

// DuckDB itself is replaced by a library that makes a result of the bytes (fake_duckdb.cc).
void FuzzDuckdb(std::string_view bytes) {
  static const int kSet = setenv("SLM_DUCKDB", SLM_FAKE_DUCKDB, /*overwrite=*/1);
  if (kSet != 0) ReportFinding("the environment takes no variable");
  const MemoryFile input(bytes);
  FileBytes file(input.path());
  ReadOptions options;
  options.max_bytes = kMostContent;
  Use(ReadParquet(file, options, Pool()));
}

void FuzzLibsvm(std::string_view bytes) { ReadAndUse(ReadLibsvm, bytes); }

void FuzzArff(std::string_view bytes) { ReadAndUse(ReadArff, bytes); }

void FuzzXlsx(std::string_view bytes) { ReadAndUse(ReadXlsx, WithChecksums(bytes)); }

// Objects one after the other are the matter of DuckDB.
void FuzzJsonTable(std::string_view bytes) {
  if (!LooksLikeJsonTable(bytes)) throw DataError("this is no array of rows");
  ReadAndUse(
      [](std::string_view text, const std::string& source, const ReadOptions& options,
         ThreadPool& pool) {
        FileBytes file(source, std::string(text), options.max_bytes);
        return ReadJson(file, options, pool);
      },
      bytes);
}

}  // namespace slm
