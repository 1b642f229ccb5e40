#include "data/readers/dialect.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

#include "base/text.h"
#include "data/readers/number.h"
#include "data/readers/written_number.h"

namespace slm {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A tab that delimits is no blank around a cell.
bool IsPadding(const Dialect& dialect, char c) {
  return c == ' ' || c == '\r' || (c == '\t' && dialect.delimiter != '\t');
}

const char* FindByte(const char* p, const char* end, char byte) {
  if (p == end) return end;  // memchr takes no null, even for nothing
  const void* at = std::memchr(p, byte, static_cast<size_t>(end - p));
  return at == nullptr ? end : static_cast<const char*>(at);
}

// From the opening quote at p to the closing one, or to the end if it is never closed.
const char* ClosingQuote(const char* p, const char* end, bool* escaped) {
  for (++p; (p = FindByte(p, end, '"')) < end; p += 2) {
    if (p + 1 == end || p[1] != '"') return p;
    *escaped = true;
  }
  return end;
}

bool EndsCell(const Dialect& dialect, char c) {
  return c == '\n' || c == dialect.delimiter || (dialect.delimiter == ' ' && c == '\t');
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return ToLower(a) == b; });
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return EqualsIgnoringCase(text, word); });
}

using Rows = std::vector<std::vector<std::string>>;

bool IsWrittenNumber(const std::string& text) {
  WrittenNumber number;
  return ReadWrittenNumber(text, '.', &number) || ReadWrittenNumber(text, ',', &number);
}

double ShareOfNumbers(const Rows& rows) {
  size_t cells = 0, numbers = 0;
  for (const auto& row : rows) {
    cells += row.size();
    numbers += static_cast<size_t>(std::count_if(row.begin(), row.end(), IsWrittenNumber));
  }
  return static_cast<double>(numbers) / static_cast<double>(cells);
}

bool IsYear(const std::string& text, double* value) {
  return text.size() == 4 && NumberFromText(text, value) && *value >= 1800 && *value <= 2200;
}

// "country,1990,1991,1992": texts and at least two ascending years, above what is not all years.
bool IsHeaderOfYears(const Rows& rows) {
  double value = 0, before = 0;
  size_t years = 0;
  bool texts = false, other_below = false;
  for (size_t j = 0; j < rows[0].size(); ++j) {
    if (!NumberFromText(rows[0][j], &value)) {
      texts |= !IsMissingText(rows[0][j]);
      continue;
    }
    if (!IsYear(rows[0][j], &value) || value <= before) return false;
    before = value;
    ++years;
    for (size_t i = 1; i < rows.size(); ++i) {
      other_below |= j < rows[i].size() && !IsYear(rows[i][j], &value);
    }
  }
  return years > 1 && texts && other_below;
}

}  // namespace

std::string Cell::Text() const {
  std::string plain(text);
  if (!escaped) return plain;
  for (size_t i = 0; (i = plain.find("\"\"", i)) != std::string::npos; ++i) plain.erase(i, 1);
  return plain;
}

const char* ReadCell(const Dialect& dialect, const char* p, const char* end, Cell* cell) {
  cell->escaped = false;
  while (IsPadding(dialect, *p)) ++p;
  if (dialect.quotes && *p == '"') {
    const char* close = ClosingQuote(p, end, &cell->escaped);
    if (close == end) throw QuoteError{p, "a quote is opened and never closed"};
    cell->text = {p + 1, static_cast<size_t>(close - p - 1)};
    p = close + 1;
    // Blanks that delimit are left for the next cell. A carriage return alone ends no cell: NextRow
    // would not see a quote behind it, and find another end of the row.
    while (dialect.delimiter == ' ' ? *p == '\r' : IsPadding(dialect, *p)) ++p;
    if (!EndsCell(dialect, *p)) throw QuoteError{p, "text follows a closing quote"};
  } else {
    const char* begin = p;
    while (!EndsCell(dialect, *p)) ++p;
    const char* stop = p;
    while (stop > begin && IsPadding(dialect, stop[-1])) --stop;
    cell->text = {begin, static_cast<size_t>(stop - begin)};
  }
  if (dialect.delimiter == ' ') {
    while (IsBlank(*p)) ++p;
    cell->last = *p == '\n';
    return p + (cell->last ? 1 : 0);
  }
  cell->last = *p == '\n';
  return p + 1;
}

const char* NextRow(const Dialect& dialect, const char* p, const char* end) {
  const char* line_end = FindByte(p, end, '\n');
  const bool comment = dialect.comment != 0 && p < end && *p == dialect.comment;
  if (!dialect.quotes || comment || FindByte(p, line_end, '"') == line_end)
    return std::min(line_end + 1, end);
  while (p < end) {
    while (p < end && IsPadding(dialect, *p)) ++p;
    bool escaped;
    if (p < end && *p == '"') p = std::min(ClosingQuote(p, end, &escaped) + 1, end);
    while (p < end && !EndsCell(dialect, *p)) ++p;
    if (p < end && *p++ == '\n') return p;
  }
  return end;
}

bool IsBlankRow(const Dialect& dialect, const char* p, const char* row_end) {
  if (dialect.comment != 0 && p < row_end && *p == dialect.comment) return true;
  auto skipped = [&](char c) {
    return c == '\n' || c == '\r' || (dialect.delimiter == ' ' && IsBlank(c));
  };
  while (p < row_end && skipped(*p)) ++p;
  return p == row_end;
}

const char* SkipBlankRows(const Dialect& dialect, const char* p, const char* end) {
  while (p < end && (*p == '\n' || *p == '\r' || *p == ' ' || *p == '\t' ||
                     (dialect.comment != 0 && *p == dialect.comment))) {
    const char* next = NextRow(dialect, p, end);
    if (!IsBlankRow(dialect, p, next)) return p;
    p = next;
  }
  return p;
}

size_t CellsOfFirstRow(const Dialect& dialect, std::string_view text) {
  const char* end = text.data() + text.size();
  const char* p = SkipBlankRows(dialect, text.data(), end);
  const char* next = NextRow(dialect, p, end);
  size_t cells = 1;
  bool quoted = false;
  for (; p < next; ++p) {
    if (*p == '"') quoted = !quoted;
    const bool runs_on = dialect.delimiter == ' ' && p + 1 < next && IsBlank(p[1]);
    if (!quoted && *p != '\n' && EndsCell(dialect, *p) && !runs_on) ++cells;
  }
  return cells;
}

std::vector<std::vector<std::string>> SampleRows(const Dialect& dialect, std::string_view text,
                                                 size_t max_rows, size_t max_bytes,
                                                 size_t max_row_bytes) {
  // Of a row after the first, cells beyond so many say nothing: a small file can unpack to a row of
  // millions, which is refused later and would take far more as cells.
  constexpr size_t kMostCells = 1 << 16, kTimesFirst = 4;
  std::vector<std::vector<std::string>> rows;
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end && rows.size() < max_rows && p < text.data() + max_bytes) {
    const char* next = NextRow(dialect, p, end);
    if (!IsBlankRow(dialect, p, next)) {
      std::string row(std::string_view(p, static_cast<size_t>(next - p)).substr(0, max_row_bytes));
      // A row that was cut may end inside quotes.
      const bool open = row.size() == max_row_bytes && std::count(row.begin(), row.end(), '"') % 2;
      if (open) row.erase(row.rfind('"'));
      if (row.empty() || row.back() != '\n') row.push_back('\n');
      const char* at = row.data();
      const char* row_end = at + row.size();
      const size_t most = rows.empty() ? std::numeric_limits<size_t>::max()
                                       : std::max(kMostCells, kTimesFirst * rows[0].size());
      std::vector<std::string>& cells = rows.emplace_back();
      Cell cell;
      do {
        at = ReadCell(dialect, at, row_end, &cell);
        cells.push_back(cell.Text());
      } while (!cell.last && cells.size() < most);
      cells.shrink_to_fit();
    }
    p = next;
  }
  return rows;
}

size_t TitleRows(const std::vector<std::vector<std::string>>& rows) {
  constexpr size_t kMostTitleRows = 10;  // as far as anyone would guess
  if (rows.size() < 3) return 0;
  size_t titles = rows.size() - 1;
  while (titles > 0 && rows[titles - 1].size() == rows.back().size()) --titles;
  if (titles == 0 || titles > kMostTitleRows || titles + 1 == rows.size()) return 0;
  const std::vector<std::string>& names = rows[titles];
  const bool named = names.size() > 1 && std::none_of(names.begin(), names.end(), IsWrittenNumber);
  return named &&
                 ShareOfNumbers({rows.begin() + static_cast<ptrdiff_t>(titles) + 1, rows.end()}) > 0
             ? titles
             : 0;
}

bool HasRowNames(const Rows& rows) {
  if (rows.size() < 3 || rows[0].size() < 2) return false;
  std::set<std::string_view> names;
  double last = -std::numeric_limits<double>::infinity();
  bool numbers = false;
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& row = rows[i];
    if (row.size() != rows[0].size() + 1 || row[0].empty()) return false;
    if (!names.insert(row[0]).second) return false;
    double number;
    if (NumberFromText(row[0], &number) && number <= std::exchange(last, number)) return false;
    numbers = numbers || std::any_of(row.begin() + 1, row.end(), [](const std::string& cell) {
                double value;
                return NumberFromText(cell, &value);
              });
  }
  return numbers;
}

char DetectDelimiter(std::string_view text, char comment) {
  constexpr size_t kRows = 32, kBytes = 1 << 20;
  char most_cells = ',', fitting = 0, below_title = 0;
  size_t most = 1, fewest_titles = kRows;
  double numbers_of_fitting = 0;
  for (char delimiter : {'\t', ',', ';', '|', ' '}) {
    Rows rows;
    try {
      rows = SampleRows({delimiter, true, comment}, text, kRows, kBytes, kBytes);
    } catch (const QuoteError&) {
      continue;
    }
    if (rows.empty()) continue;
    size_t cells = rows[0].size();
    bool consistent =
        HasRowNames(rows) ||
        std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() == cells; });
    if (consistent && cells > 1) {
      const double numbers = ShareOfNumbers(rows);
      const bool rather = fitting == ',' && delimiter == ';' && numbers > numbers_of_fitting;
      if (fitting != 0 && !rather) continue;
      fitting = delimiter;
      numbers_of_fitting = numbers;
    }
    // Words of a sentence are no cells, neither below a title nor where no delimiter fits, because
    // a row is ragged.
    const size_t titles = delimiter == ' ' ? 0 : TitleRows(rows);
    if (titles > 0 && titles < fewest_titles) {
      fewest_titles = titles;
      below_title = delimiter;
    }
    double value;
    bool numbers = std::all_of(rows[0].begin(), rows[0].end(), [&](const std::string& cell) {
      return NumberFromText(cell, &value);
    });
    if ((delimiter != ' ' || numbers) && cells > most) {
      most = cells;
      most_cells = delimiter;
    }
  }
  return fitting != 0 ? fitting : below_title != 0 ? below_title : most_cells;
}

bool DetectHeader(const Rows& rows) {
  if (rows.empty()) return false;
  double value;
  const std::vector<std::string>& first = rows[0];
  if (std::any_of(first.begin(), first.end(), IsWrittenNumber)) return IsHeaderOfYears(rows);
  bool repeated = false;
  for (size_t i = 1; i < rows.size(); ++i) {
    for (size_t j = 0; j < std::min(first.size(), rows[i].size()); ++j) {
      if (NumberFromText(rows[i][j], &value)) return true;
      repeated |= rows[i][j] == first[j] && !IsMissingText(first[j]);
    }
  }
  return !repeated;
}

bool IsMissingText(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 9) return false;
  switch (text[0] | 0x20) {  // most cells end here
    case '?':
      return text == "?";
    case 'n':
      return text == "None" || IsOneOf(text, {"na", "n/a", "nan", "null"});
    case '<':
      return IsOneOf(text, {"<na>"});
    case '#':
      return IsOneOf(text, {"#n/a", "#na", "#n/a n/a"});
    case '-':
      return IsOneOf(text, {"-nan", "-1.#ind", "-1.#qnan"});
    case '1':
      return IsOneOf(text, {"1.#ind", "1.#qnan"});
    default:
      return false;
  }
}

bool IsInfinityText(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return EqualsIgnoringCase(text, "inf") || EqualsIgnoringCase(text, "infinity");
}

bool NumberFromText(std::string_view text, double* value) {
  if (text.empty()) return false;
  char padded[64 + kNumberSlack];
  std::string large;
  char* begin = padded;
  if (text.size() > 64) {
    large.assign(text.size() + kNumberSlack, '\0');
    begin = large.data();
  }
  std::memcpy(begin, text.data(), text.size());
  std::memset(begin + text.size(), 0, kNumberSlack);
  if (IsInfinityText(text)) {
    *value = text[0] == '-' ? -std::numeric_limits<double>::infinity()
                            : std::numeric_limits<double>::infinity();
    return true;
  }
  return ParseNumber(begin, value) == begin + text.size();
}

}  // namespace slm
