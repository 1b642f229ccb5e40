#include "data/readers/csv_writer.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>

#include "base/format.h"
#include "base/output.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/encoding/calendar.h"
#include "data/readers/iso_text.h"

namespace slm {
namespace {

void AppendText(std::string_view text, std::string* out) {
  const bool padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!padded && text.find_first_of(",\"\n\r\t;") == std::string_view::npos) {
    out->append(text);
    return;
  }
  out->push_back('"');
  for (char c : text) out->append(c == '"' ? 2 : 1, c);
  out->push_back('"');
}

// To the millisecond, which is what the encoder takes of a time.
void AppendDate(double days, std::string_view pattern, std::string* out) {
  constexpr long kMillisOfDay = 86400000;
  days = std::clamp(days, -kMostDays, kMostDays);
  double whole = std::floor(days);
  long millis = std::lround((days - whole) * kMillisOfDay);
  if (millis == kMillisOfDay) {
    whole += 1;
    millis = 0;
  }
  std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(whole)}}};
  const bool time_alone = !pattern.empty() && pattern.find("%d") == std::string_view::npos &&
                          pattern.find("%m") == std::string_view::npos &&
                          pattern.find("%b") == std::string_view::npos &&
                          pattern.find("%q") == std::string_view::npos;
  if (!time_alone) *out += IsoDate(date);
  if (millis != 0 || time_alone) {
    *out += (time_alone ? "" : "T") + IsoTime(static_cast<int>(millis / 1000));
  }
  if (millis % 1000 != 0) *out += "." + Padded(static_cast<int>(millis % 1000), 3);
}

}  // namespace

std::string CellText(const Column& column, size_t row) {
  std::string text;
  if (IsMissing(column, row)) return text;
  switch (column.type) {
    case ColumnType::kNumeric:
      text = FormatNumber(column.numbers[row]);
      break;
    case ColumnType::kBoolean:
      text = column.numbers[row] != 0 ? "true" : "false";
      break;
    case ColumnType::kDate:
      AppendDate(column.numbers[row], column.format.date, &text);
      break;
    case ColumnType::kText:
      text = column.levels[static_cast<size_t>(column.codes[row])];
      break;
  }
  return text;
}

void AppendCsvHeader(const Table& table, std::string* out) {
  for (size_t j = 0; j < table.columns.size(); ++j) {
    if (j != 0) out->push_back(',');
    AppendText(table.columns[j].name, out);
  }
  out->push_back('\n');
}

void AppendCsvRows(const Table& table, size_t begin, size_t end, std::string* out) {
  for (size_t i = begin; i < end; ++i) {
    const size_t start = out->size();
    for (size_t j = 0; j < table.columns.size(); ++j) {
      if (j != 0) out->push_back(',');
      AppendText(CellText(table.columns[j], i), out);
    }
    if (out->size() == start) *out += "\"\"";  // a blank line is no row to most readers
    out->push_back('\n');
  }
}

void WriteCsv(const Table& table, size_t begin, size_t end, const std::string& path) {
  constexpr size_t kRowsAtOnce = 1000;
  OutputFile file(path);
  // Cells of a file that somebody else made may hold what steers a terminal.
  const bool shown = path == "-" && ::isatty(STDOUT_FILENO) == 1;
  auto write = [&](const std::string& text) {
    file.Write(shown ? EscapeControls(text, "\n\t") : text);
  };
  std::string text;
  AppendCsvHeader(table, &text);
  for (size_t row = begin; row < end; row += kRowsAtOnce) {
    AppendCsvRows(table, row, std::min(row + kRowsAtOnce, end), &text);
    write(text);
    text.clear();
  }
  write(text);
  file.Commit();
}

}  // namespace slm
