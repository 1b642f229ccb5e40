#include "data/readers/xlsx.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "base/format.h"
#include "base/options.h"
#include "base/text.h"
#include "data/readers/bytes.h"
#include "data/readers/delimited.h"
#include "data/readers/finish_table.h"
#include "data/readers/iso_text.h"
#include "data/readers/xml.h"
#include "data/readers/zip.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Event = XmlReader::Event;

// What Excel can hold; another number is a mistake.
constexpr uint32_t kMostRows = 1 << 20, kMostColumns = 1 << 14;
constexpr size_t kAlwaysAllowed = 64 << 20;  // of text, whatever the size of the file
constexpr double kMostSerial = 2'958'466;    // the day after 9999-12-31
constexpr double kMillisecondsOfDay = 86'400'000;

// A text somewhere in the workbook's store of them.
struct Piece {
  size_t begin = 0;
  size_t length = 0;
};

struct SheetCell {
  uint32_t row = 0, column = 0;  // from 1
  Piece text;
};

// A part that another one refers to; the end of the type says what it is.
struct Relation {
  std::string id, type;
  std::string part;
};

// The first part of such a type, or what most programs call it.
std::string FindPart(const std::vector<Relation>& relations, std::string_view type,
                     const char* usual) {
  for (const Relation& relation : relations) {
    if (relation.type.ends_with(type)) return relation.part;
  }
  return usual;
}

struct Sheet {
  std::string name;
  std::string part;  // the member of the archive
  bool hidden = false;
};

// Formats of dates and times that have a number instead of a code.
bool IsDateFormatNumber(int id) {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) ||
         (id >= 50 && id <= 58);
}

// Letters of dates and times outside of quotes, brackets and escapes. [h]:mm is a duration, which
// is a number.
bool IsDateFormatCode(std::string_view code) {
  bool date = false;
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = ToLower(code[i]);
    if (c == ';') break;  // what follows is for negative numbers
    if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '"') {
      i = std::min(code.find('"', i + 1), code.size());
    } else if (c == '[') {
      const char inside = i + 1 < code.size() ? ToLower(code[i + 1]) : ' ';
      i = std::min(code.find(']', i), code.size());
      const bool elapsed = i < code.size() && (inside == 'h' || inside == 'm' || inside == 's') &&
                           ToLower(code[i - 1]) == inside;
      if (elapsed) return false;
    } else if (std::string_view("ymdhs").find(c) != std::string_view::npos) {
      date = true;
    }
  }
  return date;
}

// ISO 8601 of a number of days in the calendar of the workbook; a time alone where that is below 1.
std::string DateText(double serial, bool from_1904) {
  const double milliseconds = std::floor(serial * kMillisecondsOfDay + 0.5);
  const double day = std::floor(milliseconds / kMillisecondsOfDay);
  const int time = static_cast<int>(milliseconds - day * kMillisecondsOfDay);
  std::string out;
  if (day >= 1) {
    // The other calendar counts a 29th of February 1900, which was none, as day 60.
    const int before_1970 = from_1904 ? 24'107 : day < 60 ? 25'568 : 25'569;
    const std::chrono::year_month_day date(
        std::chrono::sys_days(std::chrono::days(static_cast<int>(day) - before_1970)));
    out = IsoDate(date);
    if (time == 0) return out;
    out.push_back(' ');
  }
  out += IsoTime(time / 1000);
  if (time % 1000 != 0) out += "." + Padded(time % 1000, 3);
  return out;
}

// "BC23" is row 23 of column 55; false for what is no such place.
bool ParsePlace(std::string_view place, uint32_t* row, uint32_t* column) {
  *column = 0;
  while (!place.empty() && place[0] >= 'A' && place[0] <= 'Z' && *column <= kMostColumns) {
    *column = *column * 26 + static_cast<uint32_t>(place[0] - 'A' + 1);
    place.remove_prefix(1);
  }
  return *column != 0 && ParseNumber(place, row);
}

class Workbook {
 public:
  Workbook(std::string_view bytes, const std::string& source, size_t max_bytes)
      : source_(source), max_bytes_(max_bytes), members_(ListZip(bytes, source, max_bytes)) {
    const std::string part = FindPart(ReadRelations(""), "/officeDocument", "xl/workbook.xml");
    const std::vector<Relation> relations = ReadRelations(part);
    ReadWorkbook(part, relations);
    ReadSharedTexts(FindPart(relations, "/sharedStrings", "xl/sharedStrings.xml"));
    ReadStyles(FindPart(relations, "/styles", "xl/styles.xml"));
  }

  const std::vector<Sheet>& sheets() const { return sheets_; }
  const Sheet& Choose(const std::string& name) const;
  std::string AsCsv(const Sheet& sheet);
  std::string Names() const;

 private:
  // The unpacked part, kept in *storage; empty if there is none.
  std::string_view Part(const std::string& name, std::string* storage) const {
    for (const ZipMember& member : members_) {
      if (member.name == name) return Unzip(member, source_, storage);
    }
    return {};
  }
  std::string What(const std::string& part) const { return source_ + ", part " + Quoted(part); }
  [[noreturn]] void Fail(const std::string& what) const {
    throw DataError(source_ + " is a damaged workbook: " + what + "; save it again as .xlsx");
  }
  Piece Keep(std::string_view text) {
    texts_ += text;
    return {texts_.size() - text.size(), text.size()};
  }
  std::string_view TextOf(const Piece& piece) const {
    return std::string_view(texts_).substr(piece.begin, piece.length);
  }

  // Of a part, or of the archive for the part "".
  std::vector<Relation> ReadRelations(const std::string& part) const;
  void ReadWorkbook(const std::string& part, const std::vector<Relation>& relations);
  void ReadSharedTexts(const std::string& part);
  void ReadStyles(const std::string& part);
  void ReadCell(XmlReader& xml, uint32_t row, std::vector<SheetCell>* cells);
  Piece CellText(std::string_view type, const std::string& style, std::string_view value);
  std::vector<SheetCell> ReadCells(std::string_view text, const std::string& part);

  const std::string& source_;
  const size_t max_bytes_;
  std::vector<ZipMember> members_;
  std::vector<Sheet> sheets_;
  std::vector<Piece> shared_;
  std::vector<bool> date_styles_;
  bool from_1904_ = false;
  std::string texts_;
};

std::vector<Relation> Workbook::ReadRelations(const std::string& part) const {
  const size_t slash = part.rfind('/') + 1;  // npos + 1 is 0
  const std::string folder = part.substr(0, slash);
  const std::string file = folder + "_rels/" + part.substr(slash) + ".rels";
  std::string storage;
  std::vector<Relation> relations;
  const std::string what = What(file);
  XmlReader xml(Part(file, &storage), what);
  for (Event event; (event = xml.Next()) != Event::kDone;) {
    if (event != Event::kStart || xml.name() != "Relationship") continue;
    const std::string target = xml.Attribute("Target");
    relations.push_back({.id = xml.Attribute("Id"),
                         .type = xml.Attribute("Type"),
                         .part = target.starts_with('/') ? target.substr(1) : folder + target});
  }
  return relations;
}

void Workbook::ReadWorkbook(const std::string& part, const std::vector<Relation>& relations) {
  std::string storage;
  const std::string what = What(part);
  XmlReader xml(Part(part, &storage), what);
  for (Event event; (event = xml.Next()) != Event::kDone;) {
    if (event != Event::kStart) continue;
    if (xml.name() == "workbookPr") {
      const std::string from_1904 = xml.Attribute("date1904");
      from_1904_ = from_1904 == "1" || from_1904 == "true";
    } else if (xml.name() == "sheet") {
      const std::string id = xml.Attribute("id"), state = xml.Attribute("state");
      // Sheets of charts and macros have other types.
      const auto found =
          std::find_if(relations.begin(), relations.end(), [&](const Relation& relation) {
            return relation.id == id && relation.type.ends_with("/worksheet");
          });
      if (found == relations.end()) continue;
      sheets_.push_back({xml.Attribute("name"), found->part, state.ends_with("idden")});
    }
  }
  if (sheets_.empty()) Fail("it lists no sheet");
}

void Workbook::ReadSharedTexts(const std::string& part) {
  std::string storage;
  const std::string what = What(part);
  XmlReader xml(Part(part, &storage), what);
  size_t begin = 0;
  bool inside = false, reading_aid = false;  // how to pronounce a Japanese text is not part of it
  for (Event event; (event = xml.Next()) != Event::kDone;) {
    const bool starts = event == Event::kStart;
    if (event == Event::kText) {
      if (inside && !reading_aid) texts_ += xml.text();
    } else if (xml.name() == "si") {
      if (starts) begin = texts_.size();
      if (!starts) shared_.push_back({begin, texts_.size() - begin});
    } else if (xml.name() == "t") {
      inside = starts;
    } else if (xml.name() == "rPh") {
      reading_aid = starts;
    }
  }
}

void Workbook::ReadStyles(const std::string& part) {
  std::string storage;
  const std::string what = What(part);
  XmlReader xml(Part(part, &storage), what);
  std::map<int, bool> is_date;
  bool of_cells = false;
  for (Event event; (event = xml.Next()) != Event::kDone;) {
    if (event == Event::kText) continue;
    if (xml.name() == "cellXfs") of_cells = event == Event::kStart;
    const bool format = xml.name() == "numFmt", style = xml.name() == "xf" && of_cells;
    if (event != Event::kStart || (!format && !style)) continue;
    int id = 0;
    if (!ParseNumber(xml.Attribute("numFmtId"), &id)) id = 0;
    if (format) is_date[id] = IsDateFormatCode(xml.Attribute("formatCode"));
    if (!style) continue;
    const auto own = is_date.find(id);
    date_styles_.push_back(own == is_date.end() ? IsDateFormatNumber(id) : own->second);
  }
}

Piece Workbook::CellText(std::string_view type, const std::string& style, std::string_view value) {
  if (type == "e") return {};  // an error: #DIV/0!
  if (type == "b") return Keep(value == "1" ? "true" : "false");
  if (type == "s") {
    size_t index = 0;
    if (!ParseNumber(value, &index) || index >= shared_.size()) {
      Fail("a cell has the text " + Quoted(value) + " of " + std::to_string(shared_.size()));
    }
    return shared_[index];
  }
  size_t number = 0;
  const bool dated = (type.empty() || type == "n") && ParseNumber(style, &number) &&
                     number < date_styles_.size() && date_styles_[number];
  double serial = 0;
  if (dated && ParseNumber(value, &serial) && serial >= 0 && serial < kMostSerial) {
    return Keep(DateText(serial, from_1904_));
  }
  return Keep(value);
}

// The cell whose start was the last event, up to its end.
void Workbook::ReadCell(XmlReader& xml, uint32_t row, std::vector<SheetCell>* cells) {
  const std::string place = xml.Attribute("r"), type = xml.Attribute("t"),
                    style = xml.Attribute("s");
  const bool follows = !cells->empty() && cells->back().row == row;
  SheetCell cell{.row = row, .column = follows ? cells->back().column + 1 : 1, .text = {}};
  if (!place.empty()) {
    uint32_t own_row = 0;
    if (!ParsePlace(place, &own_row, &cell.column) || own_row != row ||
        cell.column > kMostColumns || (follows && cell.column <= cells->back().column)) {
      Fail("a cell of row " + std::to_string(row) + " says that it is " + Quoted(place));
    }
  }
  std::string value;
  bool inside = false;
  for (Event event; !((event = xml.Next()) == Event::kEnd && xml.name() == "c");) {
    if (event == Event::kDone) return;
    if (event == Event::kText) {
      if (inside) value += xml.text();
    } else if (xml.name() == "v" || xml.name() == "t") {
      inside = event == Event::kStart;
    }
  }
  if (!value.empty()) cell.text = CellText(type, style, value);
  cells->push_back(cell);
}

std::vector<SheetCell> Workbook::ReadCells(std::string_view text, const std::string& part) {
  std::vector<SheetCell> cells;
  uint32_t row = 0;
  bool data = false;
  const std::string what = What(part);
  XmlReader xml(text, what);
  for (Event event; (event = xml.Next()) != Event::kDone;) {
    if (event == Event::kText) continue;
    if (xml.name() == "sheetData") data = event == Event::kStart;
    if (!data || event != Event::kStart) continue;
    if (xml.name() == "row") {
      const std::string number = xml.Attribute("r");
      const uint32_t last = row++;
      if (!number.empty() && (!ParseNumber(number, &row) || row <= last)) {
        Fail("row " + Quoted(number) + " follows row " + std::to_string(last));
      }
      if (row > kMostRows) Fail("it has more than " + std::to_string(kMostRows) + " rows");
    } else if (xml.name() == "c" && row != 0) {
      ReadCell(xml, row, &cells);
    }
  }
  std::erase_if(cells, [](const SheetCell& cell) { return cell.text.length == 0; });
  return cells;
}

std::string Workbook::Names() const {
  std::string names;
  for (const Sheet& sheet : sheets_) names += (names.empty() ? "" : ", ") + Quoted(sheet.name);
  return names;
}

const Sheet& Workbook::Choose(const std::string& name) const {
  const auto found = std::find_if(sheets_.begin(), sheets_.end(), [&](const Sheet& sheet) {
    return name.empty() ? !sheet.hidden : sheet.name == name;
  });
  if (found != sheets_.end()) return *found;
  if (name.empty()) return sheets_[0];
  throw DataError(source_ + " has no sheet " + Quoted(name) + "; it has " + Names());
}

void AppendCsvCell(std::string_view text, std::string* csv) {
  const bool quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
  if (quoted) csv->push_back('"');
  for (char c : text) {
    if (c == '"') csv->push_back('"');
    csv->push_back(c == '\r' || c == '\n' ? ' ' : c);
  }
  if (quoted) csv->push_back('"');
}

std::string Workbook::AsCsv(const Sheet& sheet) {
  std::string storage;
  const std::string_view text = Part(sheet.part, &storage);
  const std::vector<SheetCell> cells = ReadCells(text, sheet.part);
  if (cells.empty()) {
    throw DataError(source_ + ": the sheet " + Quoted(sheet.name) + " has no cells; " +
                    FieldRef("sheet") + " names another: " + Names());
  }
  // A table may stand anywhere in its sheet.
  uint32_t first = kMostColumns, last = 0;
  size_t rows = 0, bytes = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    first = std::min(first, cells[i].column);
    last = std::max(last, cells[i].column);
    rows += i == 0 || cells[i].row != cells[i - 1].row ? 1 : 0;
    bytes += cells[i].text.length;
  }
  // Few bytes can stand for many cells, and for one long text in all of them.
  CheckSparseFits(source_, rows, last - first + 1, text.size(), max_bytes_);
  const size_t most =
      std::min(ContentBound(max_bytes_),
               std::max(kAlwaysAllowed, kSparseFactor * (text.size() + texts_.size())));
  if (bytes > most) {
    throw DataError(source_ + ": the texts of the sheet " + Quoted(sheet.name) +
                    " take more than " + std::to_string(most >> 20) +
                    " MiB; keep fewer rows or columns");
  }
  std::string csv;
  csv.reserve(bytes + rows * (last - first + 1) + cells.back().row);
  for (size_t i = 0, row = 1; row <= cells.back().row; ++row) {
    if (cells[i].row == row) {
      for (uint32_t column = first; column <= last; ++column) {
        if (column != first) csv.push_back(',');
        if (i == cells.size() || cells[i].row != row || cells[i].column != column) continue;
        AppendCsvCell(TextOf(cells[i++].text), &csv);
      }
    }
    csv.push_back('\n');
  }
  return csv;
}

}  // namespace

Table ReadXlsx(std::string_view bytes, const std::string& source, const ReadOptions& options,
               ThreadPool& pool) {
  ReadOptions as_csv = options;
  as_csv.delimiter = ReadOptions::Delimiter::kComma;
  Workbook workbook(bytes, source, options.max_bytes);
  const Sheet& sheet = workbook.Choose(options.sheet);
  Table table = ReadDelimited(workbook.AsCsv(sheet), source, as_csv, pool);
  if (options.sheet.empty() && workbook.sheets().size() > 1) {
    table.remarks.push_back(source + " has the sheets " + workbook.Names() + ", of which " +
                            Quoted(sheet.name) + " is read; " + FieldRef("sheet") +
                            " names another");
  }
  return table;
}

}  // namespace slm
