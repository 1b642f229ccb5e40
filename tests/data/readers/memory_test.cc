// What a hostile file may cost: the promise of SECURITY.md, held to by counting every allocation.

#include <gtest/gtest.h>
#include <zstd.h>

#include <string>

#include "base/thread_pool.h"
#include "data/readers/bytes.h"
#include "data/readers/reader.h"
#include "slm/errors.h"
#include "tests/counted_memory.h"
#include "tests/data/readers/workbook.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

constexpr size_t kSize = size_t{256} << 10;
constexpr size_t kFactor = 2000, kAlwaysAllowed = size_t{256} << 20;  // as SECURITY.md says
// Of files that hold every cell they speak of; only sparse ones come near the promise.
constexpr size_t kDenseFactor = 300;

std::string Repeated(const std::string& begin, const std::string& unit,
                     const std::string& end = "") {
  std::string out = begin;
  while (out.size() < kSize) out += unit;
  return out + end;
}

// A different text for each i, with what stands between them.
std::string Counted(const std::string& begin, const std::string& between, const std::string& end) {
  std::string out = begin;
  for (int i = 0; out.size() < kSize; ++i) out += "a" + std::to_string(i) + between;
  return out + end;
}

std::string Npy(const std::string& type, const std::string& shape, size_t bytes) {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "}";
  std::string out = "\x93NUMPY\x01";
  out.push_back('\0');
  out.push_back(static_cast<char>(header.size()));
  out.push_back('\0');
  return out + header + std::string(bytes, '\1');
}

// A workbook of one sheet; $ stands for the number of the row.
std::string Sheet(const std::string& begin, const std::string& unit, const std::string& end = "") {
  std::string rows = begin;
  for (int row = 2; rows.size() < kSize; ++row) {
    rows += unit;
    const size_t number = rows.find('$', rows.size() - unit.size());
    if (number != std::string::npos) rows.replace(number, 1, std::to_string(row));
  }
  return Workbook({.sheets = {{"s", rows + end}}}, /*deflated=*/false);
}

size_t PeakOfReading(const std::string& bytes, ReadOptions::Format format) {
  const TempFile file(bytes);
  ThreadPool pool(2);
  ReadOptions options;
  options.format = format;
  return PeakOf([&] {
    try {
      ReadTable(file.path(), options, pool);
    } catch (const InputError&) {
    }
  });
}

struct Case {
  const char* what;
  ReadOptions::Format format;
  std::string bytes;
};

TEST(ReadTable, UsesNoMoreMemoryThanPromised) {
  using Format = ReadOptions::Format;
  const Case dense[] = {
      {"a row of empty cells", Format::kCsv, Repeated(",", ",", "\n")},
      {"a row of missing numbers", Format::kCsv, Repeated("1", ",", "\n")},
      {"two rows of empty cells", Format::kCsv,
       std::string(kSize / 2, ',') + "\n" + std::string(kSize / 2, ',') + "\n"},
      {"a row of texts", Format::kCsv, Repeated("x", ",x", "\n")},
      {"a header of many names", Format::kCsv, Counted("", ",", "x\n")},
      {"many names and a row", Format::kCsv,
       Counted("", ",", "x\n") + std::string(kSize / 8, ',') + "\n"},
      {"rows of one digit", Format::kCsv, Repeated("", "1\n")},
      {"rows of one text", Format::kCsv, Repeated("", "x\n")},
      {"texts that all differ", Format::kCsv, Counted("", "\n", "")},
      {"quoted cells", Format::kCsv, Repeated("", "\"\",\"\"\n")},
      {"blank lines", Format::kCsv, Repeated("a,b\n1,2\n", "\n", "1,2\n")},
      {"many columns of one byte", Format::kNpy,
       Npy("|i1", "(1, " + std::to_string(kSize) + ")", kSize)},
      {"many rows of one byte", Format::kNpy,
       Npy("|b1", "(" + std::to_string(kSize) + ", 1)", kSize)},
      {"a vector of the wrong length", Format::kNpy, Npy("<f8", "(999999999999,)", kSize)},
      {"labels alone", Format::kLibsvm, Repeated("1 1:1\n", "1\n")},
      {"one long row", Format::kLibsvm,
       [] {
         std::string out = "1";
         for (int i = 1; out.size() < kSize; ++i) out += " " + std::to_string(i) + ":1";
         return out;
       }()},
      {"many attributes", Format::kArff,
       Counted("@attribute ", " real\n@attribute ", "z real\n@data\n1\n")},
      {"a long list of values", Format::kArff, Counted("@attribute x {", ",", "b}\n@data\nb\n")},
      {"texts that all differ", Format::kArff, Counted("@attribute x string\n@data\n", "\n", "")},
      {"rows of two cells", Format::kArff,
       Repeated("@attribute x real\n@attribute y real\n@data\n", "1,1\n")},
      {"an object of many keys", Format::kJson, Counted("[{\"", "\":1,\"", "z\":1}]")},
      {"arrays of one digit", Format::kJson, Repeated("[[1]", ",[1]", "]")},
      {"texts that all differ", Format::kJson, Counted("[[\"", "\"],[\"", "\"]]")},
      {"a row of a sheet", Format::kXlsx, Sheet("<row>", "<c><v>1</v></c>", "</row>")},
      {"rows of a sheet", Format::kXlsx, Sheet("", "<row><c><v>1</v></c></row>")},
      {"empty cells of a sheet", Format::kXlsx, Sheet("<row>", "<c/>", "</row>")},
  };
  for (const Case& test : dense) {
    EXPECT_LE(PeakOfReading(test.bytes, test.format), kDenseFactor * test.bytes.size())
        << test.what;
  }
}

// Compressed it has a thousandth of its bytes, and all of them are looked at before it is refused.
TEST(ReadTable, TakesNoMemoryForTheCellsOfARowThatIsTooLong) {
  constexpr size_t kCells = 4 << 20;
  std::string bytes = "a,b\n";
  for (size_t i = 0; i < kCells; ++i) bytes += "1,";
  const size_t peak = PeakOfReading(bytes, ReadOptions::Format::kCsv);
  EXPECT_LE(peak, 8 * bytes.size()) << peak / bytes.size();
}

TEST(ReadTable, RefusesASmallFileThatSpeaksOfALargeTable) {
  using Format = ReadOptions::Format;
  std::string attributes;
  for (int i = 0; i < 2000; ++i) attributes += "@attribute a" + std::to_string(i) + " real\n";
  std::string rows;
  for (int i = 0; i < 100000; ++i) rows += "{}\n";
  const Case sparse[] = {
      {"an index of four billion", Format::kLibsvm, "1 4294967295:1\n"},
      {"a row of four billion", Format::kLibsvm, "1 1:1\n1 9000000:1\n"},
      {"empty rows", Format::kArff, attributes + "@data\n" + rows},
      {"no rows of many columns", Format::kNpy, Npy("<f8", "(0, 70000000)", 0)},
      {"many rows of no columns", Format::kNpy, Npy("<f8", "(99999999999, 0)", 0)},
      {"keys that all differ", Format::kJson, Counted("[{\"", "\":1},{\"", "z\":1}]")},
      {"the last column of a sheet", Format::kXlsx,
       Sheet("<row><c><v>1</v></c></row>", "<row><c/><c r=\"XFD$\"><v>1</v></c></row>")},
      {"one text in all cells of a sheet", Format::kXlsx,
       Workbook({.sheets = {{"s", Repeated("", "<row><c t=\"s\"><v>0</v></c></row>")}},
                 .shared_texts = "<si><t>" + std::string(kSize, 'x') + "</t></si>"},
                /*deflated=*/false)},
  };
  for (const Case& test : sparse) {
    EXPECT_LE(PeakOfReading(test.bytes, test.format), kAlwaysAllowed + kFactor * test.bytes.size())
        << test.what;
  }
}

TEST(FileBytes, RefusesAThousandTimesTheSizeOfTheFile) {
  const std::string zeros(size_t{100} << 20, '0');
  std::string packed(ZSTD_compressBound(zeros.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), zeros.data(), zeros.size(), 1));
  ASSERT_LT(packed.size(), zeros.size() / 2000);
  const TempFile file(packed);
  std::string message;
  const size_t peak =
      PeakOf([&] { message = DataErrorOf([&] { const FileBytes bytes(file.path()); }); });
  EXPECT_NE(message.find("decompress it first"), std::string::npos) << message;
  EXPECT_LE(peak, kAlwaysAllowed);
}

}  // namespace
}  // namespace slm
