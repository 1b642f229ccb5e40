#include "data/readers/json_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

Table ReadArray(const std::string& text, const ReadOptions& options = {}) {
  const TempFile file(text, ".json");
  ThreadPool pool(2);
  return ReadTable(file.path(), options, pool);
}

TEST(ReadJson, ReadsAnArrayOfObjects) {
  const Table table = ReadArray(R"([
    {"a": 1, "b": "x, \"y\" ] }", "day": "2021-03-04"},
    {"b": null, "a": -2.5e1, "c": true, "day": null},
    {"c": false, "b": "\u00e9", "day": "1970-01-01"}
  ])");
  ASSERT_EQ(table.columns.size(), 4u);
  ASSERT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.columns[0].numbers[1], -25);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[2])) << "no such key";
  EXPECT_EQ(table.columns[1].levels, (Strings{"x, \"y\" ] }", "\xC3\xA9"}));
  EXPECT_EQ(table.columns[1].codes, (std::vector<int32_t>{0, -1, 1}));
  EXPECT_EQ(table.columns[2].type, ColumnType::kDate);
  EXPECT_EQ(table.columns[2].numbers[2], 0);
  EXPECT_EQ(table.columns[3].type, ColumnType::kBoolean);
  EXPECT_TRUE(std::isnan(table.columns[3].numbers[0]));
  EXPECT_EQ(table.columns[3].numbers[2], 0);
  EXPECT_NE(table.Where(2).find(".json line 4"), std::string::npos);
}

TEST(ReadJson, ReadsAnArrayOfArrays) {
  const Table named = ReadArray(R"([["a", "b"], [1, "x"], [2], [3, "y"]])");
  ASSERT_EQ(named.columns.size(), 2u);
  EXPECT_EQ(named.columns[0].name, "a");
  EXPECT_EQ(named.columns[0].numbers, (Doubles{1, 2, 3}));
  EXPECT_EQ(named.columns[1].codes, (std::vector<int32_t>{0, -1, 1}));
  EXPECT_NE(named.Where(1).find(".json row 1"), std::string::npos) << "all on one line";
  const Table plain = ReadArray("[[1, 2], [3, 4]]");
  EXPECT_EQ(plain.columns[1].name, "f1");
  EXPECT_EQ(plain.columns[1].numbers, (Doubles{2, 4}));
  ReadOptions options;
  options.header = ReadOptions::Header::kNo;
  EXPECT_EQ(ReadArray(R"([["a", "b"], ["c", "d"]])", options).rows, 2u);
}

TEST(ReadJson, ColumnsOfSeveralTypesAreText) {
  const Table table = ReadArray(R"([{"a": 1.5, "b": true}, {"a": "x", "b": 2}, {"a": 3}])");
  EXPECT_EQ(table.columns[0].levels, (Strings{"1.5", "3", "x"}));
  EXPECT_EQ(table.columns[1].levels, (Strings{"2", "true"}));
}

TEST(ReadJson, IsFoundWithoutAName) {
  const TempFile file("\n[\n {\"a\": 1, \"y\": 2},{\"a\": 3, \"y\": 4}]", "");
  ThreadPool pool(1);
  EXPECT_EQ(ReadTable(file.path(), {}, pool).columns[1].numbers, (Doubles{2, 4}));
}

TEST(ReadJson, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "empty"},
      {"{\"a\": [1, 2]}", "a single JSON object; give an array of objects"},
      {"[1, 2]", "line 1: a row that is neither an object nor an array"},
      {"[{\"a\": 1},\n [2]]", "line 2: an object among arrays"},
      {"[{\"a\": 1},\n {\"b\": {\"c\": 1}}]", "line 2, column 'b' holds an object"},
      {"[[1], [[2]]]", "column 'f0' holds an array; make its values columns"},
      {"[{\"a\": 1}\n {\"a\": 2}]", "line 2: no comma between two rows"},
      {"[{\"a\": 1},]", "a comma before the end"},
      {"[{\"a\": 1}, {\"a\"", "cut short"},
      {"[{\"a\": 1}] x", "text after the array"},
      {"[{\"a\": 1}, {\"a\": 1, \"a\": 2}]", "row 1, line 1"},
      {"[{\"a\": 1e999}]", "out of range"},
      {"[]", "no columns"},
      {"[{}]", "no columns"},
      {"[[\"a\"]]", "no rows"},
  };
  for (const auto& test : bad) {
    const std::string error = DataErrorOf([&] { ReadArray(test.first); });
    EXPECT_NE(error.find(test.second), std::string::npos) << test.first << ": " << error;
  }
}

TEST(ReadJson, ManyKeysThatDifferAreNoBomb) {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i) text += (i == 0 ? "{\"" : ",{\"") + std::to_string(i) + "\":1}";
  EXPECT_NE(DataErrorOf([&] { ReadArray(text + "]"); }).find("times the file"), std::string::npos);
}

}  // namespace
}  // namespace slm
