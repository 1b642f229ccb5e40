#include "data/readers/arff.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;
using Codes = std::vector<int32_t>;

Table FromArff(const std::string& text, const ReadOptions& options = {}) {
  ThreadPool pool(2);
  return ReadArff(text, "x.arff", options, pool);
}

TEST(ReadArff, ReadsEveryTypeOfAttribute) {
  Table table = FromArff(
      "% a remark\r\n@RELATION 'some thing'\r\n\r\n"
      "@attribute a NUMERIC\n@ATTRIBUTE 'b c' {low, high, 'very high'} % more\n"
      "@attribute d string\n@attribute e date\n@attribute f integer\n@data\n"
      "1.5, low, 'it\\'s', 2021-03-04T12:00:00, 3\n"
      "% between\n?, 'very high', \"x,y\", '2021-03-04 06:00', ?\n-2e1,?,?,?,7\n");
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[0].numbers[2], -20);
  EXPECT_TRUE(IsMissing(table.columns[0], 1));
  EXPECT_EQ(table.columns[1].name, "b c");
  EXPECT_EQ(table.columns[1].levels, (Strings{"high", "low", "very high"}));
  EXPECT_EQ(table.columns[1].codes, (Codes{1, 2, -1}));
  EXPECT_EQ(table.columns[2].levels, (Strings{"it's", "x,y"}));
  EXPECT_EQ(table.columns[3].type, ColumnType::kDate);
  EXPECT_EQ(table.columns[3].numbers[0], 18690.5);
  EXPECT_EQ(table.columns[3].numbers[1], 18690.25);
  EXPECT_TRUE(IsMissing(table.columns[3], 2));
  EXPECT_EQ(table.Where(1), "x.arff line 12");
}

TEST(ReadArff, AQuotedQuestionMarkIsAValue) {
  Table table = FromArff("@attribute a string\n@data\n'?'\n?\nNA\n");
  EXPECT_EQ(table.columns[0].levels, (Strings{"?", "NA"}));
  EXPECT_TRUE(IsMissing(table.columns[0], 1));
}

TEST(ReadArff, NominalTruthIsBoolean) {
  Table table = FromArff("@attribute a {true,false}\n@data\ntrue\nfalse\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::kBoolean);
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 0}));
}

TEST(ReadArff, SparseRowsHaveZerosAndFirstValues) {
  Table table = FromArff(
      "@attribute a numeric\n@attribute b {x,y}\n@attribute c numeric\n@attribute d string\n@data\n"
      "{0 4, 1 y}\n{}\n{ 2 ?, 3 'q r' }\n1,y,2,s\n");
  EXPECT_EQ(table.columns[0].numbers, (Doubles{4, 0, 0, 1}));
  EXPECT_EQ(table.columns[1].codes, (Codes{1, 0, 0, 1}));
  EXPECT_EQ(table.columns[2].numbers[1], 0);
  EXPECT_TRUE(IsMissing(table.columns[2], 2));
  EXPECT_EQ(table.columns[3].codes, (Codes{-1, -1, 0, 1}));
}

TEST(ReadArff, KnowsDateFormats) {
  auto day = [](const std::string& format, const std::string& cell) {
    return FromArff("@attribute a date \"" + format + "\"\n@data\n'" + cell + "'\n")
        .columns[0]
        .numbers[0];
  };
  EXPECT_EQ(day("dd/MM/yyyy", "02/01/1970"), 1);
  EXPECT_EQ(day("yyyyMMdd HHmm", "19700102 1200"), 1.5);
  EXPECT_EQ(day("yyyy-MM-dd'T'HH:mm:ss", "1970-01-02T06:00:00"), 1.25);
  EXPECT_EQ(day("d.M.yyyy 'at' H:mm:ss.SSS", "2.1.1970 at 0:00:43.200"), 1.0005);
}

TEST(ReadArff, BadFilesAreAnsweredWithPlaceAndFix) {
  const std::string kHead = "@attribute a numeric\n@attribute b {x,y}\n@data\n";
  struct {
    std::string text;
    const char* message;
  } const kCases[] = {
      {"", "no @data line"},
      {"a,b\n1,2\n", "line 1: 'a,b' is not known"},
      {"@attribute a numeric\n", "no @data line"},
      {"@data\n1\n", "line 1: @data comes before any @attribute"},
      {"@attribute a complex\n@data\n", "line 1: the type 'complex' of attribute 'a'"},
      {"@attribute a relational\n@data\n", "the type 'relational'"},
      {"@attribute a {x,y\n@data\n", "line 1: the values of attribute 'a' do not end"},
      {"@attribute a date 'EEE yyyy'\n@data\n", "the date format 'EEE yyyy'"},
      {"@attribute 'a numeric\n@data\n", "line 1: a quote is opened"},
      {kHead, "no rows"},
      {kHead + "1\n", "line 4: the row has 1 cell where the header declares 2"},
      {kHead + "1,x,3\n", "line 4: the row has 3 cells"},
      {kHead + "1,x\n2,z\n", "line 5: 'z' is none of the values that attribute 'b' declares"},
      {kHead + "one,x\n", "line 4: attribute 'a' is numeric, but its cell is 'one'"},
      {kHead + "1,'x\n", "line 4: a quote is opened"},
      {kHead + "1,'x'y\n", "line 4: text follows a closing quote"},
      {kHead + "1,x,{0.5}\n", "line 4: a weight in braces"},
      {kHead + "inf,x\n", "line 4, column 'a' is infinite"},
      {kHead + "{2 1}\n", "line 4: '2' is not an attribute; they are numbered from 0 to 1"},
      {kHead + "{1 x, 0 1}\n", "line 4: the attribute 0 stands after 1"},
      {kHead + "{0 1\n", "line 4: a sparse row is"},
      {kHead + "{0 1,\n", "line 4: '' is not an attribute"},
      {"@attribute a date\n@data\nsoon\n", "line 3: attribute 'a' is a date"},
      {"@attribute a date yyyy-MM-dd\n@data\n2021-02-30\n", "line 3: attribute 'a' is a date"},
      {"@attribute a numeric\n@attribute a numeric\n@data\n1,2\n", "are both named 'a'"},
  };
  for (const auto& [text, message] : kCases) {
    std::string error = DataErrorOf([&text = text] { FromArff(text); });
    EXPECT_NE(error.find(message), std::string::npos) << message << " | " << error;
    EXPECT_NE(error.find("x.arff"), std::string::npos) << error;
  }
}

TEST(ReadArff, SparseRowsMayNotOutgrowTheFile) {
  std::string text;
  for (int j = 0; j < 3000; ++j) text += "@attribute a" + std::to_string(j) + " real\n";
  text += "@data\n";
  for (int i = 0; i < 30000; ++i) text += "{}\n";
  std::string error = DataErrorOf([&text = text] { FromArff(text); });
  EXPECT_NE(error.find("1000 times the file"), std::string::npos) << error;
}

TEST(ReadArff, SurvivesRandomText) {
  constexpr char kLetters[] = "{}',\"\\ \n%?0123xy@";
  for (uint64_t i = 0; i < 3000; ++i) {
    std::string text = "@attribute a real\n@attribute b {x,y}\n@attribute c date 'yM'\n";
    if (i % 2 == 0) text += "@data\n";
    for (uint64_t c = 0; c < 40; ++c) {
      text += kLetters[MixBits(i * 64 + c) % (sizeof(kLetters) - 1)];
    }
    try {
      FromArff(text);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace slm
