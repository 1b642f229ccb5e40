#include "data/readers/foreign_formats.h"

#include <algorithm>

#include "base/text.h"
#include "data/readers/extension.h"
#include "slm/errors.h"

namespace slm {
namespace {

using namespace std::string_view_literals;

struct ForeignFormat {
  std::string_view name;    // "is ..."
  std::string_view remedy;  // "; ..."
  std::string_view magic;   // bytes at `at`; empty if only the name tells
  size_t at;
  std::string_view extensions;  // between blanks; if there are any, the name must have one
};

constexpr std::string_view kSaveAsXlsx = "save it as .xlsx or .csv";
constexpr std::string_view kByPandas =
    "read it in Python with pandas and write it with to_csv or to_parquet";
constexpr std::string_view kByR = "read it in R and write it with write.csv";
constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kNoTable = "give a table, such as a .csv file";
constexpr std::string_view kByDuckdb =
    "export its table as .csv or .parquet, with DuckDB or its own program";

constexpr ForeignFormat kForeignFormats[] = {
    {"an Excel workbook of the format before 2007, or one with a password",
     "save it as .xlsx, without a password, or as .csv", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, 0,
     ""},
    {"an Arrow or Feather file", kByPandas, "ARROW1"sv, 0, ""},
    {"a Feather file of version 1", kByPandas, "FEA1"sv, 0, ""},
    {"an ORC file", kByPandas, "ORC"sv, 0, ".orc"},
    {"an Avro file", kByPandas, "Obj\x01"sv, 0, ""},
    {"an HDF5 file", kByPandas, "\x89HDF\r\n\x1A\n"sv, 0, ""},
    {"a file of MATLAB", "read it in Python with scipy.io.loadmat and write it with numpy.savez",
     "MATLAB 5.0 MAT-file"sv, 0, ""},
    {"a file of SAS", kByPandas, "\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08"sv, 12, ""},
    {"a transport file of SAS", kByPandas, "HEADER RECORD*******"sv, 0, ""},
    {"a file of SPSS", kByPandas, "$FL2"sv, 0, ""},
    {"a file of SPSS", kByPandas, "$FL3"sv, 0, ""},
    {"a file of Stata", kByPandas, "<stata_dta>"sv, 0, ""},
    {"a file of Stata", kByPandas, ""sv, 0, ".dta"},
    {"a file of R", kByR, "RDX2\n"sv, 0, ""},
    {"a file of R", kByR, "RDX3\n"sv, 0, ""},
    {"a file of R", kByR, "X\n\0\0\0"sv, 0, ""},
    {"a file of R", kByR, ""sv, 0, ".rds .rda .rdata"},
    {"a pickle of Python, which could run any code when it is read",
     "load it in Python, if you trust it, and write it with to_csv or to_parquet", ""sv, 0,
     ".pkl .pickle .joblib"},
    {"a database of SQLite", kByDuckdb, "SQLite format 3\0"sv, 0, ""},
    {"a database of DuckDB", kByDuckdb, "DUCK"sv, 8, ""},
    {"a model of slm or another file of tensors", "give the table that it is to work on",
     "{\"__metadata__\""sv, 8, ""},
    {"a PDF", kNoTable, "%PDF-"sv, 0, ""},
    {"an image", kNoTable, "\x89PNG\r\n"sv, 0, ""},
    {"an image", kNoTable, "\xFF\xD8\xFF"sv, 0, ""},
    {"an image", kNoTable, "GIF8"sv, 0, ".gif"},
    {"a web page", "download the table itself, or copy it into a .csv file", "<!doctype html"sv, 0,
     ""},
    {"a web page", "download the table itself, or copy it into a .csv file", "<html"sv, 0, ""},
    {"XML", "convert it to .csv; pandas.read_xml can", "<?xml"sv, 0, ""},
    {"a 7z archive", kUnpack, "7z\xBC\xAF\x27\x1C"sv, 0, ""},
    {"a RAR archive", kUnpack, "Rar!\x1A\x07"sv, 0, ""},
    {"a tar archive", kUnpack, "ustar"sv, 257, ""},
    {"compressed by bzip2", "decompress it first, with bunzip2", "BZh"sv, 0, ".bz2"},
    {"compressed by xz", "decompress it first, with unxz", "\xFD\x37zXZ\0"sv, 0, ""},
};

// Archives of office programs, told by their name: to zip they are all the same.
constexpr ForeignFormat kForeignArchives[] = {
    {"a spreadsheet of LibreOffice", kSaveAsXlsx, ""sv, 0, ".ods .ots"},
    {"a binary workbook of Excel", kSaveAsXlsx, ""sv, 0, ".xlsb"},
    {"a spreadsheet of Numbers", "export it as .xlsx or .csv", ""sv, 0, ".numbers"},
    {"a text document", kNoTable, ""sv, 0, ".docx .odt .pptx .odp"},
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), ToLower);
  return lower;
}

// Texts may begin with blanks, and be in upper or lower case.
bool HasMagic(std::string_view bytes, const ForeignFormat& format) {
  if (!format.magic.starts_with('<')) {
    return bytes.size() >= format.at && bytes.substr(format.at).starts_with(format.magic);
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return Lower(bytes.substr(0, format.magic.size())) == format.magic;
}

[[noreturn]] void Refuse(const std::string& source, const ForeignFormat& format) {
  throw DataError(source + " is " + std::string(format.name) +
                  ", which slm does not read as a table; " + std::string(format.remedy));
}

}  // namespace

void RefuseForeignFormat(std::string_view name, std::string_view bytes, const std::string& source) {
  const std::string lower = Lower(name);
  for (const ForeignFormat& format : kForeignFormats) {
    const bool by_magic = !format.magic.empty();
    if (by_magic && !HasMagic(bytes, format)) continue;
    // Short marks need the name beside them: a header of CSV may begin with the same letters.
    if (!format.extensions.empty() && !HasExtension(lower, format.extensions)) continue;
    Refuse(source, format);
  }
  if (!bytes.starts_with("PK\x03\x04")) return;
  for (const ForeignFormat& format : kForeignArchives) {
    if (HasExtension(lower, format.extensions)) Refuse(source, format);
  }
}

}  // namespace slm
