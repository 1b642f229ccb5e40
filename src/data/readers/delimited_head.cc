#include "data/readers/delimited_head.h"

#include <algorithm>
#include <unordered_map>

#include "base/stop_check.h"
#include "base/text.h"
#include "data/readers/decoded_text.h"
#include "data/readers/finish_table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kSampleRows = 100, kSampleBytes = 1 << 20;
constexpr size_t kBytesToTellBinary = 4096;
// Sampled rows of one width, which the header has not, are not all wrong.
constexpr size_t kRowsThatAgree = 3;

using Row = std::vector<std::string>;

[[noreturn]] void Fail(const std::string& source, size_t line, const std::string& what) {
  throw DataError(source + " line " + std::to_string(line) + what);
}

std::string_view WithoutBlanks(std::string_view cell) {
  const size_t begin = cell.find_first_not_of(' ');
  if (begin == cell.npos) return {};
  return cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin);
}

// What the request knows of the columns can only stand in a header, whatever else does.
bool HoldsKnownName(const Row& row, const ReadOptions& options) {
  auto holds = [&](const std::string& name) {
    return !name.empty() && std::any_of(row.begin(), row.end(), [&](const std::string& cell) {
      return WithoutBlanks(cell) == name;
    });
  };
  if (holds(options.target)) return true;
  if (std::any_of(options.names.begin(), options.names.end(), holds)) return true;
  if (options.like == nullptr) return false;
  const std::vector<Column>& columns = options.like->columns;
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return holds(column.name); });
}

void RefuseBinary(std::string_view text, const std::string& source) {
  const size_t zero = text.substr(0, kBytesToTellBinary).find('\0');
  if (zero == std::string_view::npos) return;
  throw DataError(source + " is a binary file (byte 0 at offset " + std::to_string(zero) +
                  "); give a text file of rows and columns");
}

void FindDelimiter(const ReadOptions& options, DelimitedHead* head) {
  head->lines_before = static_cast<size_t>(options.skip);
  SkipLines(head->lines_before, &head->text);
  head->dialect.comment = options.comment;
  head->dialect.delimiter = static_cast<char>(options.delimiter);
  if (const char announced = AnnouncedDelimiter(head->text)) {
    SkipLines(1, &head->text);
    ++head->lines_before;
    if (options.delimiter == ReadOptions::Delimiter::kAuto) head->dialect.delimiter = announced;
  }
  if (head->dialect.delimiter != 0) return;
  head->dialect.delimiter = DetectDelimiter(head->text, head->dialect.comment);
}

void Sample(const std::string& source, const ReadOptions& options, DelimitedHead* head) {
  // A small file that unpacks to one long line would take far more as cells.
  CheckFits(source, 1, CellsOfFirstRow(head->dialect, head->text), 0);
  try {
    head->sample = SampleRows(head->dialect, head->text, kSampleRows, kSampleBytes);
  } catch (const QuoteError&) {
    // Reported with its place once the rows are read; the first row must do until then.
    try {
      head->sample = SampleRows(head->dialect, head->text, 1, 1);
    } catch (const QuoteError& error) {
      Fail(source, 1 + head->lines_before,
           std::string(": ") + error.problem + "; double the quotes inside a quoted cell");
    }
  }
  if (!head->sample.empty()) return;
  throw DataError(source + " is empty" + (options.skip > 0 ? " behind its first lines" : "") +
                  "; it needs rows of cells, one row to a line");
}

size_t FilledCells(const Row& row) {
  return static_cast<size_t>(
      std::count_if(row.begin(), row.end(), [](const std::string& cell) { return !cell.empty(); }));
}

// The line on which a row stands, counted from the first that is not blank.
size_t LineOfRow(const DelimitedHead& head, size_t row) {
  const char* begin = head.text.data();
  const char* end = begin + head.text.size();
  const char* p = SkipBlankRows(head.dialect, begin, end);
  for (; row > 0; --row) p = SkipBlankRows(head.dialect, NextRow(head.dialect, p, end), end);
  return head.LineAt(static_cast<size_t>(p - begin));
}

// "Sales 2021,,," above the names of the columns: rows of one cell, and then one of several texts
// that all differ.
void RemarkOnTitle(const std::string& source, size_t line, DelimitedHead* head) {
  const std::vector<Row>& rows = head->sample;
  size_t titles = 0;
  while (titles + 1 < rows.size() && FilledCells(rows[titles]) <= 1) ++titles;
  const Row& names = rows[titles];
  if (titles == 0 || !head->has_header || names.size() < 2) return;
  if (FilledCells(names) < std::max<size_t>(2, names.size() - 1)) return;
  double value;
  Row sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const bool differ = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  const bool numbers = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return NumberFromText(name, &value);
  });
  if (!differ || numbers) return;
  const auto title = std::find_if(rows[0].begin(), rows[0].end(),
                                  [](const std::string& cell) { return !cell.empty(); });
  head->remarks.push_back(source + " line " + std::to_string(line) + " looks like a title" +
                          (title == rows[0].end() ? "" : " (" + Quoted(*title) + ")") +
                          ", and the names of the columns seem to stand below it; if so, give " +
                          FieldRef("skip", std::to_string(LineOfRow(*head, titles) - 1)));
}

// The header of R, which has no name for the names of rows.
void NameRowNames(const std::string& source, size_t line, DelimitedHead* head) {
  if (!head->has_header || !HasRowNames(head->sample)) return;
  Row& names = head->sample[0];
  names.insert(names.begin(), "");
  head->remarks.push_back(
      source + " line " + std::to_string(line) +
      " has one name less than its rows have cells; the first column, with cells "
      "such as " +
      Quoted(head->sample[1][0]) +
      ", is taken for names of rows, as R writes them, and called Unnamed: 0");
}

void NameColumns(const std::string& source, size_t line, DelimitedHead* head) {
  if (head->has_header) {
    head->names = std::move(head->sample[0]);
    head->sample.erase(head->sample.begin());
    const size_t cells = head->sample.empty() ? 0 : head->sample[0].size();
    const bool alike = std::all_of(head->sample.begin(), head->sample.end(),
                                   [&](const Row& row) { return row.size() == cells; });
    if (alike && head->sample.size() >= kRowsThatAgree && cells != head->names.size()) {
      head->cells_below = cells;
    }
  } else {
    head->names.resize(head->sample[0].size());
  }
  std::unordered_map<std::string_view, size_t> seen;
  seen.reserve(head->names.size());
  constexpr size_t kNamesAtOnce = 4096;
  for (size_t j = 0; j < head->names.size(); ++j) {
    if (j % kNamesAtOnce == 0) StopCheck::Ask();
    std::string& name = head->names[j];
    name = std::string(WithoutBlanks(name));  // nobody types those of "1998  "
    // As pandas calls it, whose index has no name in a file.
    if (name.empty()) name = head->has_header ? "Unnamed: " + std::to_string(j) : GeneratedName(j);
    auto [earlier, is_new] = seen.emplace(name, j);
    if (is_new) continue;
    double value;
    Fail(source, line,
         ": columns " + std::to_string(earlier->second + 1) + " and " + std::to_string(j + 1) +
             " are both named " + Quoted(name) + "; rename one of them" +
             (NumberFromText(name, &value)
                  ? ", or give " + FieldRef("header", "no") + " if that line holds no names"
                  : ""));
  }
}

}  // namespace

size_t DelimitedHead::LineAt(size_t offset) const {
  return 1 + lines_before +
         static_cast<size_t>(
             std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(offset), '\n'));
}

DelimitedHead ReadHead(std::string_view text, const std::string& source,
                       const ReadOptions& options) {
  DelimitedHead head;
  head.text = text;
  RefuseBinary(text, source);
  FindDelimiter(options, &head);
  Sample(source, options, &head);
  head.has_header = options.header == ReadOptions::Header::kAuto
                        ? DetectHeader(head.sample) || HoldsKnownName(head.sample[0], options)
                        : options.header == ReadOptions::Header::kYes;
  if (const size_t titles = TitleRows(head.sample)) head.header_line = LineOfRow(head, titles);
  const char* begin = head.text.data();
  const char* end = begin + head.text.size();
  const char* first = SkipBlankRows(head.dialect, begin, end);
  const size_t line = head.LineAt(static_cast<size_t>(first - begin));
  head.body =
      static_cast<size_t>((head.has_header ? NextRow(head.dialect, first, end) : first) - begin);
  head.first_line = head.LineAt(head.body);
  RemarkOnTitle(source, line, &head);
  NameRowNames(source, line, &head);
  NameColumns(source, line, &head);
  return head;
}

}  // namespace slm
