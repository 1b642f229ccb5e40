#include "data/readers/typing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "base/options.h"
#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/dialect.h"
#include "data/readers/written_date.h"
#include "data/readers/written_number.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A column of which this share of the cells is of a type is of that type: one cell in twenty may be
// a slip. With less it is a mixture, and which cells count is for the user to say.
constexpr double kNearlyAll = 0.95;
constexpr double kMost = 0.5;    // more than this, and the user should hear what is in the way
constexpr size_t kOddShown = 5;  // cells
constexpr size_t kTextsTriedAsDate = 16;  // distinct ones, from which patterns are guessed
constexpr size_t kLeastTextsOfNumbers =
    20;                                 // distinct ones, before texts of numbers are remarked on
constexpr size_t kLeastDigitDates = 3;  // distinct ones

constexpr std::array<std::string_view, 4> kTypeWords = {"number", "boolean", "date", "text"};

std::string WordOf(ColumnType type) { return std::string(kTypeWords[static_cast<size_t>(type)]); }

std::string Many(ColumnType type) { return WordOf(type) + "s"; }

std::string Of(size_t cells, size_t all) {
  return std::to_string(cells) + " of " + std::to_string(all) + " cells";
}

// "line 17", with the file where a table has several.
std::string PlaceOf(const Table& table, size_t row) {
  if (!table.parts.empty() || table.source.empty() || table.first_line == 0) {
    return table.Where(row);
  }
  return "line " + std::to_string(table.lines.empty() ? table.first_line + row : table.lines[row]);
}

bool Nearly(size_t cells, size_t all) {
  return all > 0 && static_cast<double>(cells) >= kNearlyAll * static_cast<double>(all);
}

bool Mostly(size_t cells, size_t all) {
  return static_cast<double>(cells) > kMost * static_cast<double>(all);
}

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

// Cells that are numbers, by what their decimal sign can be.
struct NumberCounts {
  size_t either = 0;   // it does not matter: 12
  size_t point = 0;    // 1.5; 1,234.5
  size_t comma = 0;    // 1,5; 0,123
  size_t unclear = 0;  // 1,234

  size_t With(char decimal) const { return either + unclear + (decimal == ',' ? comma : point); }
};

struct NumberEvidence {
  std::map<std::string, NumberCounts, std::less<>> by_unit;
  std::string_view unclear;  // one of those

  NumberCounts Total() const {
    NumberCounts total;
    for (const auto& [unit, counts] : by_unit) {
      total.either += counts.either;
      total.point += counts.point;
      total.comma += counts.comma;
      total.unclear += counts.unclear;
    }
    return total;
  }

  void Add(std::string_view text, size_t cells) {
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

  // The unit of most cells that have one; cells without are of any.
  std::string Unit(char decimal) const {
    std::string unit;
    size_t most = 0;
    for (const auto& [own, counts] : by_unit) {
      if (own.empty() || counts.With(decimal) <= most) continue;
      most = counts.With(decimal);
      unit = own;
    }
    return unit;
  }

  size_t Cells(char decimal, const std::string& unit) const {
    size_t cells = 0;
    for (const auto& [own, counts] : by_unit) {
      if (own.empty() || own == unit) cells += counts.With(decimal);
    }
    return cells;
  }
};

struct DateEvidence {
  std::string pattern;
  size_t cells = 0;      // that it reads
  bool unclear = false;  // the pattern with day and month swapped reads as many
};

struct Evidence {
  std::vector<size_t> cells;  // of each level
  size_t present = 0;         // without words for missing cells
  bool boolean = false;
  NumberEvidence numbers;
  DateEvidence date;

  // '.' or ',' where the cells say it themselves.
  std::optional<char> Decimal() const {
    const NumberCounts total = numbers.Total();
    if (total.point == total.comma) return std::nullopt;
    return total.comma > total.point ? ',' : '.';
  }
};

// What the columns of a file say about each other.
struct FileHints {
  bool comma = false;
  int day_first = 0;  // columns that have the day first, less those that have the month
};

struct Typing {
  ColumnType type = ColumnType::kText;
  CellFormat format;
  std::string why;
  std::vector<std::string> remarks;
};

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

// ---- Evidence

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
    if (own > best.cells) best = {pattern, own, false};
  }
  const auto swapped = cells.find(SwapDayAndMonth(best.pattern));
  best.unclear = best.cells > 0 && !best.pattern.empty() && swapped != cells.end() &&
                 swapped->second == best.cells;
  if (best.unclear && !IsUsualOrder(best.pattern)) best.pattern = swapped->first;
  return best;
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

// ---- Decision

class Decision {
 public:
  Decision(const Column& column, const Evidence& evidence, const TypeRule& rule,
           const FileHints& hints, const Table& table)
      : column_(column), evidence_(evidence), rule_(rule), hints_(hints), table_(table) {}

  Typing Free(TextKind kind) const {
    Typing typing;
    if (evidence_.boolean) {
      typing.type = ColumnType::kBoolean;
      typing.why = "every cell is one of " + ListOfLevels();
      return typing;
    }
    const Typing number = Number(), date = Date();
    const size_t numbers = Cells(number), dates = Cells(date);
    if (kind == TextKind::kUntyped && Nearly(numbers, evidence_.present) && numbers >= dates) {
      return number;
    }
    if (Nearly(dates, evidence_.present)) return date;
    typing.why = "its cells are texts";
    if (kind == TextKind::kTyped) {
      RemarkTextsOfNumbers(numbers, &typing);
    } else {
      RemarkMixture(numbers >= dates ? number : date, std::max(numbers, dates), &typing);
    }
    return typing;
  }

  // Of a type that was asked for. Throws a DataError if most cells are not of it.
  Typing Of(ColumnType type, TextKind kind) const {
    Typing typing;
    typing.type = type;
    if (rule_.like != nullptr) typing.format = rule_.like->format;
    const bool own_format = !rule_.date.empty() || rule_.decimal;
    const bool fits =
        rule_.like != nullptr && !own_format && Nearly(Cells(typing), evidence_.present);
    if (type != ColumnType::kText && type != ColumnType::kBoolean && !fits) {
      typing = type == ColumnType::kNumeric ? Number() : Date();
      const bool differs = rule_.like != nullptr && typing.format != rule_.like->format;
      if (differs && !rule_.by_user && evidence_.present > 0) {
        typing.remarks.push_back(Quoted(column_.name) + " is not written as in " + LikeSource() +
                                 "; " + "its cells are read as " + Many(type) + " all the same");
      }
    }
    if (type != ColumnType::kText && evidence_.present > 0 &&
        !Mostly(Cells(typing), evidence_.present)) {
      if (rule_.is_target && !rule_.by_user) return Free(kind);
      ThrowOther(typing);
    }
    typing.why = rule_.by_user ? "as " + FieldText("types") + " says" : "as in " + LikeSource();
    return typing;
  }

 private:
  std::string LikeSource() const {
    return rule_.like_source.empty() ? "the other table" : std::string(rule_.like_source);
  }

  static std::string FieldText(std::string_view field) { return "--" + std::string(field); }

  size_t Cells(const Typing& typing) const {
    return CellsThatFit(column_, evidence_, typing.type, typing.format);
  }

  std::string ListOfLevels() const {
    std::string list;
    for (const std::string& level : column_.levels) {
      if (!IsMissingAmongValues(level)) list += (list.empty() ? "" : ", ") + level;
    }
    return list;
  }

  std::string Share(size_t cells) const {
    return cells == evidence_.present ? "every cell is"
                                      : slm::Of(cells, evidence_.present) + " are";
  }

  Typing Number() const {
    const NumberEvidence& numbers = evidence_.numbers;
    Typing typing;
    typing.type = ColumnType::kNumeric;
    const std::optional<char> decided = rule_.decimal ? rule_.decimal : evidence_.Decimal();
    typing.format.decimal = decided.value_or(hints_.comma ? ',' : '.');
    typing.format.unit = numbers.Unit(typing.format.decimal);
    // A point without groups is the plain way, whatever the sign could be.
    const NumberCounts total = numbers.Total();
    if (total.comma + total.point + total.unclear == 0) typing.format.decimal = '.';
    const size_t cells = Cells(typing);
    typing.why = Share(cells) + (cells == evidence_.present ? " a number" : " numbers");
    if (typing.format.decimal == ',') typing.why += ", with a decimal comma";
    if (!typing.format.unit.empty()) typing.why += ", in " + typing.format.unit;
    if (!decided && total.unclear > 0) RemarkUnclear(&typing);
    RemarkUnits(&typing);
    return typing;
  }

  void RemarkUnclear(Typing* typing) const {
    const bool comma = typing->format.decimal == ',';
    WrittenNumber read, otherwise;
    ReadWrittenNumber(evidence_.numbers.unclear, typing->format.decimal, &read);
    ReadWrittenNumber(evidence_.numbers.unclear, comma ? '.' : ',', &otherwise);
    typing->remarks.push_back(Quoted(column_.name) + ": " + Quoted(evidence_.numbers.unclear) +
                              " is read as " + FormatNumber(read.value) + "; if it means " +
                              FormatNumber(otherwise.value) + ", give --decimal " +
                              (comma ? "point" : "comma"));
  }

  void RemarkUnits(Typing* typing) const {
    const auto& units = evidence_.numbers.by_unit;
    const char decimal = typing->format.decimal;
    const auto none = units.find(""), own = units.find(typing->format.unit);
    if (typing->format.unit.empty() || none == units.end() || own == units.end()) return;
    if (none->second.With(decimal) == 0) return;
    typing->remarks.push_back(
        Quoted(column_.name) + ": " + std::to_string(none->second.With(decimal)) +
        " cells lack the unit " + typing->format.unit + " that " +
        std::to_string(own->second.With(decimal)) + " have; all are read as numbers of it");
  }

  Typing Date() const {
    Typing typing;
    typing.type = ColumnType::kDate;
    typing.format.date = rule_.date.empty() ? evidence_.date.pattern : rule_.date;
    if (rule_.date.empty() && evidence_.date.unclear) {
      const int day_first = IsDayFirst(typing.format.date) ? 1 : -1;
      const bool contradicted = hints_.day_first * day_first < 0;
      if (contradicted) typing.format.date = SwapDayAndMonth(typing.format.date);
      RemarkOrder(&typing);
    }
    const size_t cells = Cells(typing);
    typing.why = Share(cells) + (cells == evidence_.present ? " a date" : " dates");
    if (!typing.format.date.empty()) typing.why += " written as " + typing.format.date;
    return typing;
  }

  void RemarkOrder(Typing* typing) const {
    const bool day = IsDayFirst(typing->format.date);
    typing->remarks.push_back(
        Quoted(column_.name) + ": no cell tells whether " + Quoted(column_.levels[0]) +
        " has the day or the month first; it is read with the " + (day ? "day" : "month") +
        " first" + (hints_.day_first != 0 ? ", as other columns have it" : "") +
        ", --date-format '" + column_.name + "=" + SwapDayAndMonth(typing->format.date) +
        "' overrules that");
  }

  // The first row whose cell is present and not of the type.
  size_t FirstOther(const Typing& typing) const {
    double value;
    for (size_t row = 0; row < column_.codes.size(); ++row) {
      if (column_.codes[row] < 0) continue;
      const std::string& text = column_.levels[static_cast<size_t>(column_.codes[row])];
      if (IsMissingAmongValues(text)) continue;
      if (!ValueOf(typing.type, typing.format, text, &value)) return row;
    }
    return 0;
  }

  const std::string& TextAt(size_t row) const {
    return column_.levels[static_cast<size_t>(column_.codes[row])];
  }

  void RemarkMixture(const Typing& nearest, size_t cells, Typing* typing) const {
    if (!Mostly(cells, evidence_.present)) return;
    const size_t row = FirstOther(nearest);
    typing->why = "only " + slm::Of(cells, evidence_.present) + " are " + Many(nearest.type);
    typing->remarks.push_back(Quoted(column_.name) + " is text, though " +
                              slm::Of(cells, evidence_.present) + " are " + Many(nearest.type) +
                              "; others are such as " + Quoted(TextAt(row)) + " (" +
                              PlaceOf(table_, row) + "), which --types '" + column_.name + "=" +
                              WordOf(nearest.type) + "' would make missing");
  }

  void RemarkTextsOfNumbers(size_t numbers, Typing* typing) const {
    if (!Nearly(numbers, evidence_.present)) return;
    if (column_.levels.size() < kLeastTextsOfNumbers) return;
    typing->remarks.push_back(Quoted(column_.name) + " holds numbers as texts, such as " +
                              Quoted(column_.levels[0]) + "; --types '" + column_.name +
                              "=number' reads them as numbers");
  }

  [[noreturn]] void ThrowOther(const Typing& typing) const {
    const size_t row = FirstOther(typing);
    const size_t others = evidence_.present - Cells(typing);
    const std::string asked =
        rule_.by_user ? FieldRef("types") + " makes the column " : "the column is ";
    const std::string where = rule_.by_user ? "" : " in " + LikeSource();
    throw DataError(table_.Where(row) + ", column " + Quoted(column_.name) + " holds " +
                    Quoted(TextAt(row)) + ", but " + asked + ColumnTypeName(typing.type) + where +
                    (others > 1 ? ", as do " + std::to_string(others - 1) + " more cells" : "") +
                    "; fix " + (others > 1 ? "these cells" : "that cell") +
                    (rule_.by_user ? ", or leave the type out" : ""));
  }

  const Column& column_;
  const Evidence& evidence_;
  const TypeRule& rule_;
  const FileHints& hints_;
  const Table& table_;
};

Typing Decide(const Column& column, const Evidence& evidence, const TypeRule& rule, TextKind kind,
              const FileHints& hints, const Table& table) {
  const Decision decision(column, evidence, rule, hints, table);
  if (!rule.type) return decision.Free(kind);
  // A column without a single cell has the type that is asked for.
  return decision.Of(*rule.type, kind);
}

// ---- Conversion

void RecordOdd(const std::vector<double>& values, Column* column) {
  ColumnReading& reading = column->reading;
  for (size_t row = 0; row < column->codes.size(); ++row) {
    const int32_t code = column->codes[row];
    if (code < 0 || !std::isnan(values[static_cast<size_t>(code)])) continue;
    if (reading.odd.size() < kOddShown) {
      reading.odd.push_back({row, column->levels[static_cast<size_t>(code)]});
    }
    ++reading.odd_cells;
  }
}

void Convert(Typing typing, bool spellings, Column* column) {
  column->type = typing.type;
  column->format = std::move(typing.format);
  column->reading.why = std::move(typing.why);
  column->reading.remarks = std::move(typing.remarks);
  if (typing.type == ColumnType::kText) return;
  std::vector<double> values(column->levels.size(), kMissing);
  for (size_t l = 0; l < values.size(); ++l) {
    if (!ValueOf(column->type, column->format, column->levels[l], &values[l])) values[l] = kMissing;
  }
  RecordOdd(values, column);
  if (spellings) column->spellings = SpellingsOf(*column, column->type, values);
  column->numbers.resize(column->codes.size());
  for (size_t i = 0; i < column->codes.size(); ++i) {
    const int32_t code = column->codes[i];
    column->numbers[i] = code < 0 ? kMissing : values[static_cast<size_t>(code)];
  }
  column->codes = {};
  column->levels = {};
}

// ---- Rules

ColumnType TypeOfWord(std::string_view word) {
  if (word == "numeric") return ColumnType::kNumeric;
  const auto at = std::find(kTypeWords.begin(), kTypeWords.end(), word);
  if (at == kTypeWords.end()) {
    throw UsageError(FieldRef("types") + " has no type " + Quoted(word) +
                     "; it takes COL=number, COL=text, COL=date or COL=boolean");
  }
  return static_cast<ColumnType>(at - kTypeWords.begin());
}

// "a=number,b=text" as pairs; a part without a = belongs to the name behind it.
std::vector<std::pair<std::string, ColumnType>> WantedTypes(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, ColumnType>> wanted;
  for (const std::string& text : texts) {
    std::string name;
    for (const std::string& part : SplitList(text)) {
      const size_t equals = part.rfind('=');
      name += (name.empty() ? "" : ",") + part.substr(0, equals);
      if (equals == std::string::npos) continue;
      wanted.emplace_back(name, TypeOfWord(part.substr(equals + 1)));
      name.clear();
    }
    if (!name.empty()) {
      throw UsageError(FieldRef("types") + " names " + Quoted(name) + " without a type; write " +
                       name + "=number, or text, date, boolean");
    }
  }
  return wanted;
}

}  // namespace

bool IsMissingAmongValues(std::string_view text) {
  static constexpr std::string_view kWords[] = {
      "none",          "missing",        "unknown",   "(blank)", "blank",
      "empty",         "(empty)",        "n.a.",      "n.a",     "nil",
      "no data",       "nodata",         "(null)",    "[null]",  "tbd",
      "undefined",     "unavailable",    "not known", "(none)",  "(missing)",
      "not available", "not applicable", "(unknown)"};
  if (IsMissingSign(text)) return true;
  if (text.size() < 3 || text.size() > 16 || (text[0] >= '0' && text[0] <= '9')) return false;
  const std::string lower = Lower(text);
  return std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords);
}

TypeRules::TypeRules(const ReadOptions& options, const Table& table) {
  const bool any = options.like != nullptr || !options.target.empty() || !options.types.empty() ||
                   !options.date_format.empty() || options.decimal != ReadOptions::Decimal::kAuto;
  if (!any) return;
  rules_.resize(table.columns.size());
  std::unordered_map<std::string_view, size_t> place;
  for (size_t j = 0; j < rules_.size(); ++j) place.emplace(table.columns[j].name, j);
  auto find = [&](const std::string& name) -> TypeRule* {
    const auto found = place.find(name);
    if (found != place.end()) return &rules_[found->second];
    if (options.like == nullptr) table.IndexOf(name);  // throws, and names the nearest
    return nullptr;
  };
  const auto target = place.find(options.target);
  if (target != place.end()) rules_[target->second].is_target = true;
  if (options.like != nullptr) {
    for (const Column& column : options.like->columns) {
      const auto found = place.find(column.name);
      if (found == place.end()) continue;
      rules_[found->second].like = &column;
      rules_[found->second].like_source = options.like->source;
      rules_[found->second].type = column.type;
    }
  }
  if (options.decimal != ReadOptions::Decimal::kAuto) {
    for (TypeRule& rule : rules_) rule.decimal = static_cast<char>(options.decimal);
  }
  for (const std::string& text : options.date_format) {
    const size_t percent = text.find('%'), equals = text.find('=');
    const bool one = equals < percent;
    const std::string pattern = one ? text.substr(equals + 1) : text;
    if (!IsDatePattern(pattern)) {
      throw UsageError(FieldRef("date_format") + " cannot be " + Quoted(text) +
                       "; it takes a pattern such as %d.%m.%Y or COL=%m/%d/%Y %H:%M, of %Y %y %m "
                       "%b %d %a %H %I %M %S %p %z");
    }
    if (!one) {
      for (TypeRule& rule : rules_) rule.date = pattern;
    } else if (TypeRule* rule = find(text.substr(0, equals))) {
      rule->date = pattern;
      if (!rule->type) rule->type = ColumnType::kDate;
      rule->by_user = true;
    }
  }
  for (const auto& [name, type] : WantedTypes(options.types)) {
    TypeRule* rule = find(name);
    if (rule == nullptr) continue;
    rule->type = type;
    rule->by_user = true;
  }
}

void TypeTexts(const std::vector<size_t>& columns, const TypeRules& rules, TextKind kind,
               bool comma_likely, ThreadPool* pool, Table* table) {
  auto for_each = [&](const std::function<void(size_t)>& body) {
    if (pool != nullptr) return pool->ParallelFor(columns.size(), body);
    for (size_t c = 0; c < columns.size(); ++c) body(c);
  };
  std::vector<Evidence> evidence(columns.size());
  for_each([&](size_t c) { evidence[c] = Gather(table->columns[columns[c]]); });
  FileHints hints = GatherHints(evidence);
  hints.comma |= comma_likely;
  for_each([&](size_t c) {
    Column& column = table->columns[columns[c]];
    const TypeRule& rule = rules.of(columns[c]);
    Convert(Decide(column, evidence[c], rule, kind, hints, *table), rule.is_target, &column);
    evidence[c] = {};
  });
}

std::vector<Spelling> SpellingsOf(const Column& column, ColumnType type,
                                  const std::vector<double>& values) {
  std::vector<size_t> cells(column.levels.size());
  for (int32_t code : column.codes) {
    if (code >= 0) ++cells[static_cast<size_t>(code)];
  }
  std::map<double, size_t> best;  // the level of each value
  for (size_t l = 0; l < values.size(); ++l) {
    if (std::isnan(values[l])) continue;
    const auto [at, is_new] = best.emplace(values[l], l);
    if (!is_new && cells[l] > cells[at->second]) at->second = l;
  }
  std::vector<Spelling> spellings;
  for (const auto& [value, level] : best) {
    const std::string& text = column.levels[level];
    const std::string plain =
        type == ColumnType::kBoolean ? (value != 0 ? "true" : "false") : FormatNumber(value);
    if (text != plain) spellings.push_back({value, text});
  }
  return spellings;
}

bool HasDecimalComma(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const Column& column) { return column.format.decimal == ','; });
}

void TypeDigitDates(const TypeRule& rule, Column* column) {
  const bool asked = rule.type == ColumnType::kDate;
  if (rule.type && !asked) return;
  std::vector<double> days(column->numbers.size(), kMissing), distinct;
  for (size_t i = 0; i < days.size(); ++i) {
    const double number = column->numbers[i];
    if (std::isnan(number)) continue;
    if (!DateFromDigits(number, &days[i])) return;
    if (distinct.size() < kLeastDigitDates &&
        std::find(distinct.begin(), distinct.end(), number) == distinct.end()) {
      distinct.push_back(number);
    }
  }
  if (distinct.empty() || (!asked && distinct.size() < kLeastDigitDates)) return;
  column->numbers = std::move(days);
  column->type = ColumnType::kDate;
  column->format.date = kDigitsPattern;
  column->reading.why = "every cell is a date written as " + std::string(kDigitsPattern);
  if (asked) return;
  column->reading.remarks.push_back(Quoted(column->name) + ": numbers such as " +
                                    FormatNumber(distinct[0]) + " are read as dates; --types '" +
                                    column->name + "=number' keeps them as numbers");
}

std::vector<std::string> RemarksOn(const Table& table, const Column& column) {
  std::vector<std::string> remarks;
  const ColumnReading& reading = column.reading;
  if (reading.odd_cells > 0) {
    std::string cells;
    for (const OddCell& odd : reading.odd) {
      cells +=
          (cells.empty() ? "" : ", ") + Quoted(odd.text) + " (" + PlaceOf(table, odd.row) + ")";
    }
    const bool one = reading.odd_cells == 1;
    const std::string what =
        one ? " cell is not a " + WordOf(column.type) + " and counts as missing: "
            : " cells are not " + Many(column.type) + " and count as missing: ";
    remarks.push_back(Quoted(column.name) + ": " + std::to_string(reading.odd_cells) + what +
                      cells + (reading.odd_cells > reading.odd.size() ? ", ..." : "") +
                      "; --types '" + column.name + "=text' keeps all cells as they are");
  }
  remarks.insert(remarks.end(), reading.remarks.begin(), reading.remarks.end());
  return remarks;
}

}  // namespace slm
