#include "data/readers/archive.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/data/readers/workbook.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

constexpr const char* kCsv = "a,b\n1,2\n3,4\n";

// The names of the columns, or what was wrong.
std::string ColumnsOf(const std::string& path, const ReadOptions& options = {}) {
  ThreadPool pool(1);
  try {
    std::string names;
    for (const Column& column : ReadTable(path, options, pool).columns) names += column.name + " ";
    return names;
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Archive, TheOnlyFileInsideIsRead) {
  for (bool deflated : {false, true}) {
    const TempFile file(Zip({{"dir/", ""},
                             {"dir/data.csv", kCsv},
                             {"__MACOSX/dir/._data.csv", "x"},
                             {".DS_Store", "x"}},
                            deflated),
                        ".zip");
    EXPECT_EQ(ColumnsOf(file.path()), "a b ");
    EXPECT_EQ(ColumnsOf(file.path() + "/dir/data.csv"), "a b ");
  }
}

TEST(Archive, OneOfSeveralFilesMustBeNamed) {
  const TempFile file(Zip({{"x.csv", kCsv}, {"y.json", R"([{"c": 1}])"}}, true), ".zip");
  EXPECT_NE(ColumnsOf(file.path())
                .find("holds 2 files, 'x.csv', 'y.json'; name one as " + file.path() + "/x.csv"),
            std::string::npos);
  EXPECT_EQ(ColumnsOf(file.path() + "/y.json"), "c ");
  EXPECT_NE(ColumnsOf(file.path() + "/z.csv").find("has no file 'z.csv'; it has 'x.csv', 'y.json'"),
            std::string::npos);
}

TEST(Archive, IsToldByWhatIsInsideWhateverItsName) {
  const std::string sheet =
      "<row><c t=\"str\"><v>u</v></c></row><row><c><v>1</v></c></row><row><c><v>2</v></c></row>";
  const std::string workbook = Workbook({.sheets = {{"s", sheet}}});
  for (const char* name : {".zip", ".xlsx", ".csv", ""}) {
    const TempFile file(workbook, name);
    EXPECT_EQ(ColumnsOf(file.path()), "u ") << name;
  }
  const TempFile inside(Zip({{"book.xlsx", workbook}}, true), ".zip");
  EXPECT_EQ(ColumnsOf(inside.path()), "u ");
}

TEST(Archive, ArchivesInsideOthersAreRefused) {
  const TempFile file(Zip({{"in.zip", Zip({{"x.csv", kCsv}}, true)}}, true), ".zip");
  EXPECT_NE(ColumnsOf(file.path()).find("/in.zip is an archive inside another"), std::string::npos);
}

TEST(Archive, ContentIsBounded) {
  ReadOptions options;
  options.max_bytes = 1 << 20;
  const TempFile file(Zip({{"x.csv", std::string(2 << 20, '1')}}, true), ".zip");
  EXPECT_NE(ColumnsOf(file.path(), options).find("more than 1 MiB"), std::string::npos);
}

TEST(ForeignFormats, AreNamedWithTheRemedy) {
  using namespace std::string_literals;
  const struct {
    std::string bytes;
    const char* name;
    const char* complaint;
  } files[] = {
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", ".xls", "an Excel workbook of the format before 2007"},
      {Zip({{"content.xml", "<a/>"}}, true), ".ods", "a spreadsheet of LibreOffice"},
      {Zip({{"xl/workbook.bin", "x"}}, true), ".XLSB", "a binary workbook of Excel"},
      {"ARROW1\0\0"s, ".feather", "an Arrow or Feather file"},
      {"FEA1", ".feather", "a Feather file of version 1"},
      {"\x80\x04\x95", ".pickle", "a pickle of Python"},
      {std::string(12, '\0') + "\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08", ".sas7bdat",
       "a file of SAS"},
      {"<stata_dta><header>", ".dta", "a file of Stata"},
      {"\x71\x01\x02", ".dta", "a file of Stata"},
      {"$FL2@(#) SPSS", ".sav", "a file of SPSS"},
      {"X\n\0\0\0\3"s, ".rds", "a file of R"},
      {"\x89HDF\r\n\x1A\n", ".h5", "an HDF5 file"},
      {"%PDF-1.4", ".pdf", "a PDF"},
      {"\n <!DOCTYPE html><table>", ".csv", "a web page"},
      {"\x89PNG\r\n", ".png", "an image"},
      {"SQLite format 3\0"s, ".db", "a database of SQLite"},
      {"BZh91AY", ".csv.bz2", "compressed by bzip2"},
      {std::string(257, 'x') + "ustar", ".tar", "a tar archive"},
  };
  for (const auto& file : files) {
    const TempFile written(file.bytes, file.name);
    const std::string error = ColumnsOf(written.path());
    EXPECT_NE(error.find(std::string(" is ") + file.complaint), std::string::npos) << error;
    EXPECT_NE(error.find("which slm does not read as a table; "), std::string::npos) << error;
  }
}

TEST(ForeignFormats, TablesAreNotTakenForThem) {
  for (const char* csv : {"ORC,GIF8\n1,2\n3,4\n", "BZh,b\n1,2\n3,4\n", "Rar,7z\n1,2\n3,4\n"}) {
    const TempFile file(csv, ".csv");
    EXPECT_EQ(ColumnsOf(file.path()).find("slm"), std::string::npos) << csv;
  }
  ReadOptions options;
  options.format = ReadOptions::Format::kCsv;
  const TempFile named("%PDF-,b\n1,2\n3,4\n");
  EXPECT_EQ(ColumnsOf(named.path(), options), "%PDF- b ");
}

}  // namespace
}  // namespace slm
