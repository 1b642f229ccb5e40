#include "data/readers/type_evidence.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/written_date.h"
#include "data/readers/written_number.h"

namespace slm {
namespace {

// A column of which this share of the cells is of a type is of that type: one cell in twenty may be
// a slip. With less it is a mixture, and which cells count is for the user to say.
constexpr double kNearlyAll = 0.95;
constexpr size_t kTextsTriedAsDate = 16;  // distinct ones, from which patterns are guessed

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), ToLower);
  return lower;
}

// What is no word, so that it is no category either: it is missing among booleans as well.
bool IsMissingSign(std::string_view text) {
  static constexpr std::string_view kSigns[] = {
      ".",   "..",      "...",     "-",     "--",     "---",   "\u2013", "\u2014", "*",
      "\\n", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!", "#error!"};
  if (text.empty() || text.size() > 8 || (text[0] >= '0' && text[0] <= '9')) return false;
  const std::string lower = Lower(text);
  return std::find(std::begin(kSigns), std::end(kSigns), lower) != std::end(kSigns);
}

// true/false, yes/no or t/f, all written in one of these ways.
bool AreBooleans(const std::vector<std::string>& levels) {
  std::vector<std::string_view> texts;
  for (const std::string& level : levels) {
    if (!IsMissingSign(level)) texts.push_back(level);
  }
  return !texts.empty() && BooleansOfOneKind(texts);
}

// "2010-11", "1999-00".
bool IsSeason(std::string_view text) {
  int first = 0, second = 0;
  return text.size() == 7 && text[4] == '-' && ParseNumber(text.substr(0, 4), &first) &&
         ParseNumber(text.substr(5), &second) && second == (first + 1) % 100;
}

bool AreSeasons(const Column& column, const Evidence& evidence) {
  size_t cells = 0;
  for (size_t l = 0; l < column.levels.size(); ++l) {
    if (IsSeason(column.levels[l])) cells += evidence.cells[l];
  }
  return Nearly(cells, evidence.present);
}

DateEvidence GatherDates(const Column& column, const Evidence& evidence) {
  std::vector<std::string> patterns;
  const size_t step = column.levels.size() / kTextsTriedAsDate + 1;
  for (size_t l = 0; l < column.levels.size(); l += step) {
    for (std::string& pattern : PatternsOf(column.levels[l])) {
      if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) {
        patterns.push_back(std::move(pattern));
      }
    }
  }
  DateEvidence best;
  std::unordered_map<std::string, size_t> cells;
  for (const std::string& pattern : patterns) {
    const size_t own = CellsThatFit(column, evidence, ColumnType::kDate, {.date = pattern});
    cells[pattern] = own;
    if (own > best.cells) best = {.pattern = pattern, .cells = own};
  }
  const auto swapped = cells.find(SwapDayAndMonth(best.pattern));
  best.unclear = best.cells > 0 && !best.pattern.empty() && swapped != cells.end() &&
                 swapped->second == best.cells;
  if (best.unclear && !IsUsualOrder(best.pattern)) best.pattern = swapped->first;
  best.seasons = best.pattern == "%Y-%m" && AreSeasons(column, evidence);
  return best;
}

}  // namespace

bool IsMissingAmongValues(std::string_view text) {
  // German, Dutch, French, Spanish, Portuguese, Italian and Polish words are here if they mean
  // nothing else; n.d. may say "not detected", which is a low value.
  static constexpr std::string_view kWords[] = {
      "none",           "missing",        "unknown",       "(blank)",   "blank",
      "empty",          "(empty)",        "n.a.",          "n.a",       "nil",
      "no data",        "nodata",         "(null)",        "[null]",    "tbd",
      "undefined",      "unavailable",    "not known",     "(none)",    "(missing)",
      "not available",  "not applicable", "(unknown)",     "k.a.",      "k. a.",
      "keine angabe",   "keine angaben",  "unbekannt",     "onbekend",  "inconnu",
      "non disponible", "desconocido",    "no disponible", "sin datos", "desconhecido",
      "sem dados",      "sconosciuto",    "brak danych"};
  if (IsMissingSign(text)) return true;
  if (text.size() < 3 || text.size() > 16 || (text[0] >= '0' && text[0] <= '9')) return false;
  const std::string lower = Lower(text);
  return std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords);
}

bool Nearly(size_t cells, size_t all) {
  return all > 0 && static_cast<double>(cells) >= kNearlyAll * static_cast<double>(all);
}

NumberCounts NumberEvidence::Total() const {
  NumberCounts total;
  for (const auto& [unit, counts] : by_unit) {
    total.either += counts.either;
    total.point += counts.point;
    total.comma += counts.comma;
    total.unclear += counts.unclear;
  }
  return total;
}

void NumberEvidence::Add(std::string_view text, size_t cells) {
  WrittenNumber point, comma;
  const bool with_point = ReadWrittenNumber(text, '.', &point);
  const bool with_comma = ReadWrittenNumber(text, ',', &comma);
  if (!with_point && !with_comma) return;
  NumberCounts& counts = by_unit[std::string(with_point ? point.unit : comma.unit)];
  if (with_point != with_comma) {
    (with_point ? counts.point : counts.comma) += cells;
  } else if (point.value == comma.value) {
    counts.either += cells;
  } else {
    counts.unclear += cells;
    if (unclear.empty()) unclear = text;
  }
}

std::string NumberEvidence::Unit(char decimal) const {
  std::string unit;
  size_t most = 0;
  for (const auto& [own, counts] : by_unit) {
    if (own.empty() || counts.With(decimal) <= most) continue;
    most = counts.With(decimal);
    unit = own;
  }
  return unit;
}

std::optional<char> Evidence::Decimal() const {
  const NumberCounts total = numbers.Total();
  if (total.point == total.comma) return std::nullopt;
  return total.comma > total.point ? ',' : '.';
}

bool ValueOf(ColumnType type, const CellFormat& format, std::string_view text, double* value) {
  WrittenNumber number;
  switch (type) {
    case ColumnType::kNumeric:
      if (!ReadWrittenNumber(text, format.decimal, &number)) return false;
      *value = number.value;
      return number.unit.empty() || number.unit == format.unit;
    case ColumnType::kBoolean:
      if (text == "0" || text == "1") {
        *value = text == "1" ? 1 : 0;
        return true;
      }
      return BooleanFromText(text, value);
    case ColumnType::kDate:
      return DateFromText(text, format.date, value);
    case ColumnType::kText:
      break;
  }
  return false;
}

size_t CellsThatFit(const Column& column, const Evidence& evidence, ColumnType type,
                    const CellFormat& format) {
  size_t cells = 0;
  double value;
  for (size_t l = 0; l < column.levels.size(); ++l) {
    if (IsMissingAmongValues(column.levels[l])) continue;
    if (ValueOf(type, format, column.levels[l], &value)) cells += evidence.cells[l];
  }
  return cells;
}

Evidence Gather(const Column& column) {
  Evidence evidence;
  evidence.cells.resize(column.levels.size());
  for (int32_t code : column.codes) {
    if (code >= 0) ++evidence.cells[static_cast<size_t>(code)];
  }
  for (size_t l = 0; l < column.levels.size(); ++l) {
    if (IsMissingAmongValues(column.levels[l])) continue;
    evidence.present += evidence.cells[l];
    evidence.numbers.Add(column.levels[l], evidence.cells[l]);
  }
  evidence.boolean = AreBooleans(column.levels);
  evidence.date = GatherDates(column, evidence);
  return evidence;
}

FileHints GatherHints(const std::vector<Evidence>& columns) {
  FileHints hints;
  for (const Evidence& one : columns) {
    const std::optional<char> decimal = one.Decimal();
    if (decimal == ',' && Nearly(one.numbers.Total().With(','), one.present)) hints.comma = true;
    const bool ordered = !SwapDayAndMonth(one.date.pattern).empty() && !one.date.unclear;
    if (ordered && Nearly(one.date.cells, one.present)) {
      hints.day_first += IsDayFirst(one.date.pattern) ? 1 : -1;
    }
  }
  return hints;
}

}  // namespace slm
