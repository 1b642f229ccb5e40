#include "data/readers/xlsx.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "slm/errors.h"
#include "tests/data/readers/workbook.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

Table Read(const std::string& bytes, const ReadOptions& options = {}) {
  ThreadPool pool(2);
  return ReadXlsx(bytes, "x.xlsx", options, pool);
}

std::string Cell(const std::string& place, const std::string& value,
                 const std::string& attributes = "") {
  return "<c r=\"" + place + "\" " + attributes + "><v>" + value + "</v></c>";
}

std::string Row(int number, const std::string& cells) {
  return "<row r=\"" + std::to_string(number) + "\">" + cells + "</row>";
}

std::string Header(const std::string& a, const std::string& b) {
  return Row(1, Cell("A1", a, "t=\"str\"") + Cell("B1", b, "t=\"str\""));
}

TEST(ReadXlsx, ReadsNumbersTextsAndTruthValues) {
  const std::string sheet =
      Row(1, Cell("A1", "0", "t=\"s\"") + Cell("B1", "1", "t=\"s\"") +
                 "<c r=\"C1\" t=\"inlineStr\"><is><r><t>c</t></r><r><t>, d</t></r></is></c>") +
      Row(2, Cell("A2", "1.5") + Cell("B2", "2", "t=\"s\"") + Cell("C2", "1", "t=\"b\"")) +
      Row(3, Cell("A3", "-2E-3") + Cell("B3", "3", "t=\"s\"") + Cell("C3", "0", "t=\"b\"")) +
      Row(5, Cell("A5", "#DIV/0!", "t=\"e\"") + Cell("B5", "2", "t=\"s\"") + "<c r=\"C5\"/>");
  const Table table = Read(Workbook(
      {.sheets = {{"s", sheet}},
       .shared_texts = "<si><t>a</t></si><si><r><t>b </t></r><r><t>&amp;</t></r></si>"
                       "<si><t>x,\"y\"</t><rPh><t>no</t></rPh></si><si><t>two\nlines</t></si>"}));
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.columns[1].name, "b &");
  EXPECT_EQ(table.columns[2].name, "c, d");
  ASSERT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[0].numbers[0], 1.5);
  EXPECT_EQ(table.columns[0].numbers[1], -0.002);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[2])) << "an error";
  EXPECT_EQ(table.columns[1].levels, (Strings{"two lines", "x,\"y\""}));
  EXPECT_EQ(table.columns[2].type, ColumnType::kBoolean);
  EXPECT_EQ(table.columns[2].numbers[0], 1);
  EXPECT_TRUE(std::isnan(table.columns[2].numbers[2]));
  EXPECT_EQ(table.Where(2), "x.xlsx line 5") << "the row of the sheet";
}

// Two columns: a date by its format, and the same number without one.
Table ReadDates(const std::string& format, const std::vector<std::string>& serials,
                const std::string& properties = "") {
  std::string sheet = Header("day", "number");
  for (size_t i = 0; i < serials.size(); ++i) {
    const std::string row = std::to_string(i + 2);
    sheet += Row(static_cast<int>(i) + 2,
                 Cell("A" + row, serials[i], "s=\"1\"") + Cell("B" + row, serials[i], "s=\"0\""));
  }
  return Read(Workbook({.sheets = {{"s", sheet}},
                        .formats = "<numFmt numFmtId=\"164\" formatCode=\"" + format + "\"/>",
                        .styles = "<xf numFmtId=\"0\"/><xf numFmtId=\"164\"/>",
                        .properties = properties}));
}

TEST(ReadXlsx, TellsDatesByTheFormatOfTheirCells) {
  for (const char* format : {"yyyy\\-mm\\-dd", "d/m/yy h:mm", "[$-407]d. mmmm yyyy", "[Red]ddd"}) {
    const Table table = ReadDates(format, {"25569", "25570.5", "1", "59", "61"});
    EXPECT_EQ(table.columns[0].type, ColumnType::kDate) << format;
    // 1900 was no leap year, though these days are counted as if.
    EXPECT_EQ(table.columns[0].numbers, (Doubles{0, 1.5, -25567, -25509, -25508})) << format;
    EXPECT_EQ(table.columns[1].type, ColumnType::kNumeric);
    EXPECT_EQ(table.columns[1].numbers[1], 25570.5);
  }
  for (const char* format : {"0.00", "General", "#,##0 \"days\"", "[h]:mm", "0.0\\d", "0_d",
                             "[Red]0;[Blue]0", "0;yyyy"}) {
    EXPECT_EQ(ReadDates(format, {"25569", "25570.5"}).columns[0].type, ColumnType::kNumeric)
        << format;
  }
}

TEST(ReadXlsx, FindsPartsOfOtherNames) {
  const std::string sheet =
      Header("a", "b") + Row(2, Cell("A2", "25570", "s=\"0\"") + Cell("B2", "1"));
  const Table table =
      Read(Workbook({.sheets = {{"s", sheet}}, .styles = "<xf numFmtId=\"14\"/>", .name = "22"}));
  EXPECT_EQ(table.columns[0].type, ColumnType::kDate);
  EXPECT_EQ(table.columns[0].numbers, Doubles{1});
}

TEST(ReadXlsx, KnowsDatesThatCountFrom1904) {
  const Table table = ReadDates("yyyy", {"24107", "24108.25"}, "date1904=\"1\"");
  EXPECT_EQ(table.columns[0].numbers, (Doubles{0, 1.25}));
}

TEST(ReadXlsx, ReadsTheFirstSheetOrTheOneThatIsNamed) {
  const std::string first = Header("a", "b") + Row(2, Cell("A2", "1") + Cell("B2", "2"));
  // Rows and columns above and left of the table do not count, and cells need no place.
  const std::string second = Row(4, Cell("C4", "u", "t=\"str\"") + Cell("D4", "v", "t=\"str\"")) +
                             "<row><c/><c/><c><v>7</v></c><c><v>8</v></c></row>";
  const std::string bytes =
      Workbook({.sheets = {{"one", first}, {"two &amp; more", second}, {"empty", ""}}});
  const Table one = Read(bytes);
  EXPECT_EQ(one.columns[0].name, "a");
  ASSERT_EQ(one.remarks.size(), 1u);
  EXPECT_EQ(RenderFields(one.remarks[0]),
            "x.xlsx has the sheets 'one', 'two & more', 'empty', of which 'one' is read; sheet "
            "names another");
  ReadOptions options;
  options.sheet = "two & more";
  const Table two = Read(bytes, options);
  EXPECT_EQ(two.columns[0].name, "u");
  EXPECT_EQ(two.columns[1].numbers, Doubles{8});
  EXPECT_TRUE(two.remarks.empty());
  options.sheet = "three";
  EXPECT_NE(DataErrorOf([&] {
              Read(bytes, options);
            }).find("no sheet 'three'; it has 'one', 'two & more', 'empty'"),
            std::string::npos);
  options.sheet = "empty";
  EXPECT_NE(DataErrorOf([&] { Read(bytes, options); }).find("has no cells"), std::string::npos);
}

TEST(ReadXlsx, IsTheSameTableAsItsCsv) {
  std::string sheet = Header("x", "y"), csv = "x,y\n";
  for (int i = 0; i < 50; ++i) {
    const std::string row = std::to_string(i + 2), x = std::to_string(i * 0.37),
                      y = i % 3 ? "a" : "b";
    sheet += Row(i + 2, Cell("A" + row, x) + Cell("B" + row, y, "t=\"str\""));
    csv += x + "," + y + "\n";
  }
  const Table a = Read(Workbook({.sheets = {{"s", sheet}}})), b = ReadText(csv);
  EXPECT_EQ(a.columns[0].numbers, b.columns[0].numbers);
  EXPECT_EQ(a.columns[1].codes, b.columns[1].codes);
  EXPECT_EQ(a.columns[1].levels, b.columns[1].levels);
}

TEST(ReadXlsx, SaysWhatIsWrong) {
  const std::string header = Header("a", "b");
  const std::pair<std::string, const char*> sheets[] = {
      {header + Row(2, Cell("A3", "1")), "a cell of row 2 says that it is 'A3'"},
      {header + Row(2, Cell("B2", "1") + Cell("A2", "1")), "'A2'"},
      {header + Row(2, Cell("XFE2", "1")), "'XFE2'"},
      {header + Row(2, Cell("AAAAAAAAA2", "1")), "'AAAAAAAAA2'"},
      {header + Row(2, Cell("A2", "7", "t=\"s\"")), "the text '7' of 0"},
      {header + Row(1, Cell("A1", "1")), "row '1' follows row 1"},
      {header + Row(1048577, Cell("A1048577", "1")), "more than 1048576 rows"},
      {header + "<row r=\"2\"><c r=\"A2\"><v>1", "an element without an end"},
      {header + "<!DOCTYPE x>", "a document type"},
  };
  for (const auto& test : sheets) {
    const std::string error = DataErrorOf([&] { Read(Workbook({.sheets = {{"s", test.first}}})); });
    EXPECT_NE(error.find(test.second), std::string::npos) << test.first << ": " << error;
  }
  EXPECT_NE(DataErrorOf([] { Read(Workbook({.sheets = {}})); }).find("lists no sheet"),
            std::string::npos);
  EXPECT_NE(DataErrorOf([] { Read("PK\3\4 and no more"); }).find("zip archive is damaged"),
            std::string::npos);
}

TEST(ReadXlsx, DoesNotGrowBeyondReason) {
  std::string wide, repeated;
  for (int row = 1; row <= 3000; ++row) {
    const std::string number = std::to_string(row);
    wide += Row(row, Cell("XFD" + number, "1"));
    repeated += Row(row, Cell("A" + number, "0", "t=\"s\""));
  }
  wide = Row(1, Cell("A1", "1")) + wide.substr(wide.find("</row>") + 6);
  EXPECT_NE(DataErrorOf([&] {
              Read(Workbook({.sheets = {{"s", wide}}}));
            }).find("times the file"),
            std::string::npos);
  ReadOptions options;
  options.max_bytes = 4 << 20;
  const std::string text(10'000, 'x');
  EXPECT_NE(DataErrorOf([&] {
              Read(Workbook({.sheets = {{"s", repeated}},
                             .shared_texts = "<si><t>" + text + "</t></si>"}),
                   options);
            }).find("more than 4 MiB"),
            std::string::npos);
}

}  // namespace
}  // namespace slm
