#include "data/readers/duckdb_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "base/text.h"
#include "data/readers/csv_writer.h"
#include "data/readers/duckdb_library.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;
using Codes = std::vector<int32_t>;

Table Read(const std::string& path, const ReadOptions& options = {}, int threads = 2) {
  ThreadPool pool(threads);
  return ReadTable(path, options, pool);
}

class Duckdb : public testing::Test {
 protected:
  void SetUp() override {
    const char* required = std::getenv("SLM_REQUIRE_DUCKDB");
    if (DuckdbLibrary::Available()) return;
    if (required != nullptr && std::string(required) == "1") {
      FAIL() << "SLM_REQUIRE_DUCKDB=1, but there is no libduckdb.so";
    }
    GTEST_SKIP() << "there is no libduckdb.so";
  }

  // Runs any statement, to make files.
  static void Execute(const std::string& sql) {
    DuckdbLibrary library = DuckdbLibrary::Load("the test");
    DuckdbLibrary::Handle database = nullptr, connection = nullptr, statement = nullptr;
    DuckdbResult result;
    ASSERT_EQ(library.open(nullptr, &database, nullptr, nullptr), 0);
    ASSERT_EQ(library.connect(database, &connection), 0);
    ASSERT_EQ(library.prepare(connection, sql.c_str(), &statement), 0)
        << library.prepare_error(statement);
    ASSERT_EQ(library.execute(statement, &result), 0) << library.result_error(&result);
    library.destroy_result(&result);
    library.destroy_statement(&statement);
    library.disconnect(&connection);
    library.close(&database);
  }
};

TEST_F(Duckdb, EveryTypeOfQueriesBecomesOneOfOurs) {
  Table table = Read(
      "SELECT * FROM (VALUES "
      "(1::TINYINT, 200::UTINYINT, -3::SMALLINT, 60000::USMALLINT, 5::INTEGER, 4e9::UINTEGER, "
      "-7::BIGINT, 18446744073709551615::UBIGINT, "
      "-170141183460469231731687303715884105727::HUGEINT,"
      "0.5::FLOAT, 0.1::DOUBLE, 12.34::DECIMAL(4,2), -12345678901234567.89::DECIMAL(38,2), true, "
      "DATE '1970-01-03', TIMESTAMP '1969-12-31 18:00:00', "
      "TIMESTAMP_NS '1970-01-01 12:00:00', 'a text of more than twelve bytes'), "
      "(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL, NULL))");
  const Doubles expected = {1,
                            200,
                            -3,
                            60000,
                            5,
                            4e9,
                            -7,
                            18446744073709551615.0,
                            -170141183460469231731687303715884105727.0,
                            0.5,
                            0.1,
                            12.34,
                            -12345678901234567.89,
                            1,
                            2,
                            -0.25,
                            0.5};
  ASSERT_EQ(table.columns.size(), expected.size() + 1);
  EXPECT_EQ(table.rows, 2u);
  for (size_t j = 0; j < table.columns.size(); ++j) {
    EXPECT_TRUE(IsMissing(table.columns[j], 1)) << j;
    if (j == expected.size()) continue;
    EXPECT_DOUBLE_EQ(table.columns[j].numbers[0], expected[j]) << j;
    EXPECT_EQ(table.columns[j].type, j < 13   ? ColumnType::kNumeric
                                     : j < 14 ? ColumnType::kBoolean
                                              : ColumnType::kDate)
        << j;
  }
  EXPECT_EQ(table.columns.back().levels, (Strings{"a text of more than twelve bytes"}));
  EXPECT_EQ(table.Where(1), "the query row 1");
}

// The digits of a number decide what is read, not the words that hold it.
TEST_F(Duckdb, WideNumbersAreReadToTheLastBit) {
  const Table table = Read(
      "SELECT n::HUGEINT AS huge, d::DECIMAL(30,2) AS wide, d::DECIMAL(18,2) AS middle, "
      "d::DECIMAL(38,25) AS fine FROM (VALUES "
      "(-1, '-0.10'), (-1000, '-1000.01'), (-5000, '-12345678901.23'), "
      "(-9007199254740993, '9007199254740.93'), (-18446744073709551616, '0.07'), "
      "(-18446744073709551617, '-0.07'), (0, '0.00'), (18446744073709551615, '900719925474.99'), "
      "(170141183460469231731687303715884105727, '999999999999.99')) t(n, d)");
  const auto numbers = [&](size_t j) { return table.columns[j].numbers; };
  EXPECT_EQ(numbers(0), (Doubles{-1, -1000, -5000, -9007199254740993.0, -18446744073709551616.0,
                                 -18446744073709551617.0, 0, 18446744073709551615.0,
                                 170141183460469231731687303715884105727.0}));
  const Doubles decimals = {-0.10, -1000.01, -12345678901.23, 9007199254740.93, 0.07,
                            -0.07, 0,        900719925474.99, 999999999999.99};
  for (const size_t j : {1u, 2u, 3u}) EXPECT_EQ(numbers(j), decimals) << j;
}

// What a number's text says, rounded as the type is; DuckDB writes floats in short.
double ValueOfText(const std::string& text, bool single) {
  float narrow = 0;
  double wide = 0;
  EXPECT_TRUE(single ? ParseNumber(text, &narrow) : ParseNumber(text, &wide)) << text;
  return single ? narrow : wide;
}

// Every type that DuckDB has, at its least and its greatest value, by its own cast to text or, for
// dates, to seconds; those that are refused are refused by name.
TEST_F(Duckdb, EveryTypeIsReadAsItsOwnTextOrRefusedByName) {
  const Table types =
      Read("SELECT column_name AS name, column_type AS type FROM (DESCRIBE FROM test_all_types())");
  size_t read = 0, refused = 0;
  for (size_t i = 0; i < types.rows; ++i) {
    const std::string name = CellText(types.columns[0], i), type = CellText(types.columns[1], i);
    const bool date = type == "DATE" || (type.starts_with("TIMESTAMP") && !type.ends_with(']'));
    const std::string column = "\"" + name + "\"";
    Table table;
    try {
      table = Read("SELECT " + column + ", " +
                   (date ? "epoch(" + column + ") / 86400" : column + "::VARCHAR") +
                   " AS expected FROM test_all_types()");
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("'" + name + "'"), std::string::npos)
          << error.what();
      ++refused;
      continue;
    }
    ++read;
    const Column &value = table.columns[0], &expected = table.columns[1];
    for (size_t row = 0; row < table.rows; ++row) {
      SCOPED_TRACE(name + " " + std::to_string(row));
      ASSERT_EQ(IsMissing(value, row), IsMissing(expected, row));
      if (IsMissing(value, row)) continue;
      if (date) {
        EXPECT_DOUBLE_EQ(value.numbers[row], expected.numbers[row]);
      } else if (value.type == ColumnType::kNumeric) {
        EXPECT_EQ(value.numbers[row], ValueOfText(CellText(expected, row), type == "FLOAT"));
      } else {
        EXPECT_EQ(CellText(value, row), CellText(expected, row));
      }
    }
  }
  EXPECT_GE(read, 25u);
  EXPECT_GE(refused, 15u);  // lists, structs, maps, unions, bytes, dates of other ages
  RecordProperty("read", static_cast<int>(read));
  RecordProperty("refused", static_cast<int>(refused));
}

TEST_F(Duckdb, TypesWithoutAKindAreReadAsTheirText) {
  Table table = Read(
      "SELECT i AS id, TIME '10:11:12' AS \"the \"\"time\"\"\", 'b'::ENUM('a', 'b') AS e, "
      "INTERVAL 1 DAY AS v FROM range(2) t(i) ORDER BY i DESC; ");
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 0}));
  EXPECT_EQ(table.columns[1].name, "the \"time\"");
  EXPECT_EQ(table.columns[1].type, ColumnType::kDate);  // of the first day, with its time
  EXPECT_DOUBLE_EQ(table.columns[1].numbers[0], (10 * 3600 + 11 * 60 + 12) / 86400.0);
  EXPECT_EQ(table.columns[2].levels, (Strings{"b"}));
  EXPECT_EQ(table.columns[3].levels, (Strings{"1 day"}));
}

TEST_F(Duckdb, TextsOfAllLengthsAndManyChunks) {
  Table table = Read("SELECT i, repeat('x', i % 20) AS t FROM range(10000) t(i)");
  ASSERT_EQ(table.rows, 10000u);
  EXPECT_EQ(table.columns[0].numbers[9999], 9999);
  EXPECT_EQ(table.columns[1].levels.size(), 20u);
  for (size_t i = 0; i < table.rows; ++i) {
    const auto code = static_cast<size_t>(table.columns[1].codes[i]);
    ASSERT_EQ(table.columns[1].levels[code].size(), i % 20) << i;
  }
}

TEST_F(Duckdb, BadQueriesAreAnsweredByTheirKind) {
  using Kind = InputError::Kind;
  struct {
    const char* query;
    Kind kind;
    const char* message;
  } const kCases[] = {
      {"SELECT * FORM t", Kind::kUsage, "Parser Error"},
      {"FROM absent_table SELECT x", Kind::kData, "absent_table"},
      {"SELECT * FROM 'absent.parquet'", Kind::kData, "absent.parquet"},
      {"SELECT 1 AS a; SELECT 2 AS a", Kind::kData, "multiple statements"},
      {"SELECT 'x'::INTEGER AS a", Kind::kData, "Conversion Error"},
      {"SELECT 1 AS a WHERE false", Kind::kData, "the query has no rows"},
      {"SELECT 1 AS a, 2 AS a", Kind::kData, "both named 'a'"},
      {"SELECT [1, 2] AS a", Kind::kData, "EXCLUDE (\"a\")"},
      {"SELECT 1 AS a, 'infinity'::DOUBLE AS b", Kind::kData, "'b' is infinite"},
      {"SELECT * FROM 'https://example.com/x.parquet'", Kind::kData, "remote"},
      {"SELECT * FROM 's3://bucket/x.parquet'", Kind::kData, "remote"},
      {"FROM read_csv('https://example.com/x.csv')", Kind::kData, "remote"},
  };
  for (const auto& [query, kind, message] : kCases) {
    try {
      Read(query);
      ADD_FAILURE() << query;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), kind) << query;
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
          << query << " | " << error.what();
    }
  }
}

TEST_F(Duckdb, OnlySelectsAreRunAndNothingIsWritten) {
  const TempFile there("a\n1\n");
  const std::string absent = there.path() + ".absent";
  for (const std::string& statement : Strings{
           "COPY (SELECT 1 AS a) TO '" + absent + "'",
           "EXPORT DATABASE '" + absent + "'",
           "EXPORT DATABASE '" + absent + "' (FORMAT parquet)",
           "ATTACH '" + absent + "' AS other",
           "SELECT 1 AS a; EXPORT DATABASE '" + absent + "'",
           "EXPORT DATABASE '" + absent + "'; SELECT 1 AS a",
           "/* a remark */ EXPORT DATABASE '" + absent + "' -- SELECT",
           "EXPLAIN ANALYZE COPY (SELECT 1 AS a) TO '" + absent + "'",
           "PREPARE p AS SELECT 1",
           "INSTALL httpfs",
           "LOAD httpfs",
           "IMPORT DATABASE '" + absent + "'",
           "CREATE TABLE t (a INTEGER)",
           "PRAGMA version",
           "SET threads = 2",
           "CALL pragma_version()",
           "CHECKPOINT",
       }) {
    const TempFile query(statement, ".sql");
    EXPECT_THROW(Read(query.path()), InputError) << statement;
    EXPECT_FALSE(std::filesystem::exists(absent)) << statement;
    std::filesystem::remove_all(absent);
  }
}

TEST_F(Duckdb, QueriesMayBeginAndEndAsTheyLike) {
  for (const char* query :
       {"SELECT 1 AS a", "WITH t AS (SELECT 1 AS a) FROM t", "FROM (SELECT 1 AS a)",
        "SELECT 1 AS a; -- the end", "/* begin */ SELECT 1 AS a;;", "VALUES (1)",
        "SELECT count(*) AS a FROM (SELECT ';') t(x) WHERE x = ';' -- it's"}) {
    const TempFile file(query, ".sql");
    EXPECT_EQ(Read(file.path()).columns[0].numbers, (Doubles{1})) << query;
  }
}

TEST_F(Duckdb, ExtensionsStayOffUnlessAskedFor) {
  const std::string query =
      "SELECT current_setting('autoload_known_extensions') AS load, "
      "current_setting('autoinstall_known_extensions') AS install, "
      "current_setting('lock_configuration') AS lock";
  for (bool remote : {false, true}) {
    ReadOptions options;
    options.remote = remote;
    Table table = Read(query, options);
    EXPECT_EQ(table.columns[0].numbers[0], remote);
    EXPECT_EQ(table.columns[1].numbers[0], remote);
    EXPECT_EQ(table.columns[2].numbers[0], 1);
  }
}

TEST_F(Duckdb, ResultsAreBounded) {
  ReadOptions options;
  options.max_bytes = 32 << 20;
  std::string error =
      DataErrorOf([&] { Read("SELECT i, i AS j FROM range(10000000) t(i)", options); });
  EXPECT_FALSE(error.empty());
}

TEST_F(Duckdb, AFileMayHoldTheQuery) {
  TempFile csv("a,b\n1,2\n3,4\n");
  TempFile query("SELECT a + b AS s FROM '" + csv.path() + "' -- a remark\n", ".sql");
  EXPECT_EQ(Read(query.path()).columns[0].numbers, (Doubles{3, 7}));
}

TEST_F(Duckdb, ParquetIsTheCsvThatItWasMadeFrom) {
  std::string text = "a,b,c,d,e\n";
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i * 0.1) + "," + (i % 9 == 0 ? "" : std::to_string(i)) + "," +
            (i % 2 == 0 ? "red" : "blue") + ",2021-01-0" + std::to_string(1 + i % 9) + "," +
            (i % 3 == 0 ? "true" : "false") + "\n";
  }
  TempFile csv(text), parquet("", ".parquet");
  Execute("COPY (SELECT * FROM '" + csv.path() + "') TO '" + parquet.path() +
          "' (FORMAT parquet, ROW_GROUP_SIZE 1000)");
  Table expected = Read(csv.path());
  for (int threads : {1, 4}) {
    Table table = Read(parquet.path(), {}, threads);
    ASSERT_EQ(table.columns.size(), expected.columns.size());
    for (size_t j = 0; j < expected.columns.size(); ++j) {
      const Column &a = table.columns[j], &b = expected.columns[j];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.type, b.type) << a.name;
      EXPECT_EQ(a.levels, b.levels);
      EXPECT_EQ(a.codes, b.codes);
      ASSERT_EQ(a.numbers.size(), b.numbers.size());
      for (size_t i = 0; i < b.numbers.size(); ++i) {
        ASSERT_TRUE(a.numbers[i] == b.numbers[i] ||
                    (std::isnan(a.numbers[i]) && std::isnan(b.numbers[i])))
            << a.name << " " << i;
      }
    }
  }
}

TEST_F(Duckdb, JsonLinesAreRows) {
  Table table = Read(TempFile("{\"a\": 1, \"b\": \"x\", \"t\": true}\n\n{\"b\": null, \"a\": 2.5}\n"
                              "{\"a\": -3e2, \"b\": \"NA\", \"t\": false, \"late\": 4}\n",
                              ".jsonl")
                         .path());
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 2.5, -300}));
  EXPECT_EQ(table.columns[1].levels, (Strings{"NA", "x"}));
  EXPECT_TRUE(IsMissing(table.columns[1], 1));
  EXPECT_EQ(table.columns[2].type, ColumnType::kBoolean);
  EXPECT_TRUE(IsMissing(table.columns[2], 1));
  EXPECT_EQ(table.columns[3].numbers[2], 4);
}

TEST_F(Duckdb, JsonLinesOfManyKeysAreColumnsAndNoMap) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 1000; ++j) {
      text += (j == 0 ? "{\"k" : ",\"k") + std::to_string(j) + "\":" + std::to_string(i + j);
    }
    text += "}\n";
  }
  Table table = Read(TempFile(text, ".ndjson").path());
  ASSERT_EQ(table.columns.size(), 1000u);
  EXPECT_EQ(table.columns[999].numbers, (Doubles{999, 1000, 1001}));
}

TEST_F(Duckdb, AColumnWithoutACellIsNumeric) {
  Table table = Read(TempFile("{\"a\":1,\"b\":null}\n{\"a\":2,\"b\":null}\n", ".jsonl").path());
  EXPECT_EQ(table.columns[1].type, ColumnType::kNumeric);
}

TEST_F(Duckdb, BadFilesAreAnsweredWithTheirName) {
  struct {
    const char* suffix;
    const char* content;
    const char* message;
  } const kCases[] = {
      {".parquet", "", "is empty"},
      {".parquet", "no parquet at all", "arquet"},
      {".parquet", "PAR1and nothing morePAR1", "arquet"},
      {".jsonl", "", "is empty"},
      {".jsonl", "{\"a\": 1}\n{\"a\": \n", "line 2"},
      {".jsonl", "{\"a\": {\"b\": 1}}\n", "column 'a' is neither"},
  };
  for (const auto& [suffix, content, message] : kCases) {
    TempFile file(content, suffix);
    std::string error = DataErrorOf([&] { Read(file.path()); });
    EXPECT_NE(error.find(message), std::string::npos) << message << " | " << error;
    EXPECT_NE(error.find(file.path()), std::string::npos) << error;
    EXPECT_EQ(error.find("/proc/self"), std::string::npos) << error;
  }
}

TEST(DuckdbLibrary, ItsAbsenceSaysHowToGetIt) {
  const char* before = std::getenv("SLM_DUCKDB");
  const std::string saved = before == nullptr ? "" : before;
  setenv("SLM_DUCKDB", "/nonexistent/libduckdb.so", 1);
  std::string message;
  TempFile file("{\"a\":1}\n", ".jsonl");
  try {
    Read(file.path());
  } catch (const RuntimeFailure& failure) {
    message = failure.what();
  }
  if (before == nullptr) {
    unsetenv("SLM_DUCKDB");
  } else {
    setenv("SLM_DUCKDB", saved.c_str(), 1);
  }
  EXPECT_NE(message.find(file.path()), std::string::npos) << message;
  EXPECT_NE(message.find("SLM_DUCKDB"), std::string::npos) << message;
  EXPECT_NE(message.find("npm"), std::string::npos) << message;
}

}  // namespace
}  // namespace slm
