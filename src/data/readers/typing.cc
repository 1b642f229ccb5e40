#include "data/readers/typing.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/mixed_writing.h"
#include "data/readers/type_evidence.h"
#include "data/readers/written_date.h"
#include "data/readers/written_number.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr double kMost = 0.5;    // more than this, and the user should hear what is in the way
constexpr size_t kOddShown = 5;  // cells
constexpr size_t kLeastTextsOfNumbers =
    20;                                 // distinct ones, before texts of numbers are remarked on
constexpr size_t kLeastDigitDates = 3;  // distinct ones

std::string Many(ColumnType type) { return TypeWord(type) + "s"; }

std::string Of(size_t cells, size_t all) {
  return std::to_string(cells) + " of " + std::to_string(all) + " cells";
}

std::string TypesRef(const std::string& column, ColumnType type) {
  return FieldRef("types", column + "=" + TypeWord(type));
}

bool Mostly(size_t cells, size_t all) {
  return static_cast<double>(cells) > kMost * static_cast<double>(all);
}

// 100000, never 1e+05.
std::string Plain(double value) {
  char digits[32];
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::fixed);
  return error == std::errc() ? std::string(digits, end) : FormatNumber(value);
}

struct Typing {
  ColumnType type = ColumnType::kText;
  CellFormat format;
  size_t cells = 0;  // that are of it
  std::string why;
  std::vector<std::string> remarks;
  std::optional<LikelyType> likely;
};

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
    Typing number = Number(), date = Date();
    if (kind == TextKind::kUntyped && Nearly(number.cells, evidence_.present) &&
        number.cells >= date.cells) {
      return number;
    }
    if (Nearly(date.cells, evidence_.present) && !evidence_.date.seasons) return date;
    typing.why = "its cells are texts";
    if (evidence_.date.seasons) {
      RemarkSeasons(&typing);
    } else if (kind == TextKind::kTyped) {
      RemarkTextsOfNumbers(number.cells, &typing);
    } else {
      RemarkMixture(number.cells >= date.cells ? number : date, &typing);
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
    typing.why = rule_.by_user ? "as the request says" : "as in " + LikeSource();
    return typing;
  }

 private:
  std::string LikeSource() const {
    return rule_.like_source.empty() ? "the other table" : std::string(rule_.like_source);
  }

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
    typing.cells = Cells(typing);
    typing.why =
        Share(typing.cells) + (typing.cells == evidence_.present ? " a number" : " numbers");
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
                              " (" + PlaceOfText(table_, column_, evidence_.numbers.unclear) +
                              ") is read as " + Plain(read.value) + "; if it means " +
                              Plain(otherwise.value) + ", give " +
                              FieldRef("decimal", comma ? "point" : "comma"));
  }

  void RemarkUnits(Typing* typing) const {
    const auto& units = evidence_.numbers.by_unit;
    const char decimal = typing->format.decimal;
    const auto none = units.find(""), own = units.find(typing->format.unit);
    if (typing->format.unit.empty() || none == units.end() || own == units.end()) return;
    const size_t bare = none->second.With(decimal);
    if (bare == 0) return;
    typing->remarks.push_back(Quoted(column_.name) + ": " + std::to_string(bare) +
                              (bare == 1 ? " cell lacks" : " cells lack") + " the unit " +
                              typing->format.unit + " that " +
                              std::to_string(own->second.With(decimal)) +
                              " have; all are read as numbers of it");
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
    typing.cells = Cells(typing);
    typing.why = Share(typing.cells) + (typing.cells == evidence_.present ? " a date" : " dates");
    if (!typing.format.date.empty()) typing.why += " written as " + typing.format.date;
    return typing;
  }

  void RemarkOrder(Typing* typing) const {
    const bool day = IsDayFirst(typing->format.date);
    typing->remarks.push_back(
        Quoted(column_.name) + ": no cell tells whether " + Quoted(column_.levels[0]) +
        " has the day or the month first; it is read with the " + (day ? "day" : "month") +
        " first" + (hints_.day_first != 0 ? ", as other columns have it" : "") + ", " +
        FieldRef("date_format", column_.name + "=" + SwapDayAndMonth(typing->format.date)) +
        " overrules that");
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

  void RemarkMixture(const Typing& nearest, Typing* typing) const {
    const bool mostly = Mostly(nearest.cells, evidence_.present);
    if (HasBooleans()) typing->likely = LikelyType{.type = ColumnType::kBoolean};
    if (mostly) typing->likely = LikelyType{nearest.type, nearest.format};
    if (std::optional<MixedWriting> mixed = FindMixedWriting(column_, evidence_, table_)) {
      typing->why = std::move(mixed->why);
      typing->remarks.push_back(std::move(mixed->remark));
      return;
    }
    if (!mostly) return;
    const size_t row = FirstOther(nearest);
    typing->why =
        "only " + slm::Of(nearest.cells, evidence_.present) + " are " + Many(nearest.type);
    typing->remarks.push_back(Quoted(column_.name) + " is text, though " +
                              slm::Of(nearest.cells, evidence_.present) + " are " +
                              Many(nearest.type) + "; others are such as " + Quoted(TextAt(row)) +
                              " (" + PlaceOf(table_, row) + "), which " +
                              TypesRef(column_.name, nearest.type) + " would make missing");
  }

  // Whether most cells are true and false, or the like; others are not.
  bool HasBooleans() const {
    double value;
    std::vector<std::string_view> texts;
    size_t cells = 0;
    for (size_t l = 0; l < column_.levels.size(); ++l) {
      if (!BooleanFromText(column_.levels[l], &value)) continue;
      texts.push_back(column_.levels[l]);
      cells += evidence_.cells[l];
    }
    return Mostly(cells, evidence_.present) && BooleansOfOneKind(texts);
  }

  void RemarkSeasons(Typing* typing) const {
    typing->why = "its cells are a year and the next one";
    typing->remarks.push_back(Quoted(column_.name) + ": cells such as " +
                              Quoted(column_.levels[0]) + " (" +
                              PlaceOfText(table_, column_, column_.levels[0]) +
                              ") are taken for a year and the next one, and stay text; " +
                              TypesRef(column_.name, ColumnType::kDate) + " reads them as months");
  }

  void RemarkTextsOfNumbers(size_t numbers, Typing* typing) const {
    if (!Nearly(numbers, evidence_.present)) return;
    if (column_.levels.size() < kLeastTextsOfNumbers) return;
    typing->remarks.push_back(
        Quoted(column_.name) + " holds numbers as texts, such as " + Quoted(column_.levels[0]) +
        "; " + TypesRef(column_.name, ColumnType::kNumeric) + " reads them as numbers");
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
  ColumnReading& reading = column->reading.Edit();
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
  ColumnReading& reading = column->reading.Edit();
  reading.why = std::move(typing.why);
  reading.remarks = std::move(typing.remarks);
  reading.likely = std::move(typing.likely);
  if (typing.type == ColumnType::kText) return;
  std::vector<double> values(column->levels.size(), kMissing);
  for (size_t l = 0; l < values.size(); ++l) {
    if (!ValueOf(column->type, column->format, column->levels[l], &values[l])) values[l] = kMissing;
  }
  RecordOdd(values, column);
  if (spellings) column->reading.Edit().spellings = SpellingsOf(*column, column->type, values);
  column->numbers.resize(column->codes.size());
  for (size_t i = 0; i < column->codes.size(); ++i) {
    const int32_t code = column->codes[i];
    column->numbers[i] = code < 0 ? kMissing : values[static_cast<size_t>(code)];
  }
  column->codes = {};
  column->levels = {};
}

}  // namespace

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

bool FitsLikelyType(const Column& column, std::span<const size_t> rows) {
  const std::optional<LikelyType>& likely = column.reading->likely;
  if (!likely) return false;
  std::vector<bool> fits(column.levels.size()), counts(column.levels.size());
  double value;
  for (size_t l = 0; l < fits.size(); ++l) {
    fits[l] = ValueOf(likely->type, likely->format, column.levels[l], &value);
    counts[l] = fits[l] || !IsMissingAmongValues(column.levels[l]);
  }
  size_t present = 0, cells = 0;
  for (size_t row : rows) {
    if (column.codes[row] < 0) continue;
    const auto level = static_cast<size_t>(column.codes[row]);
    present += counts[level] ? 1 : 0;
    cells += fits[level] ? 1 : 0;
  }
  // A third word among booleans is a class of its own.
  return likely->type == ColumnType::kBoolean ? present > 0 && cells == present
                                              : Nearly(cells, present);
}

void TakeType(const LikelyType& likely, const std::string& why, Column* column) {
  if (column->type != ColumnType::kText) return;
  Typing typing;
  typing.type = likely.type;
  typing.format = likely.format;
  typing.why = why;
  Convert(std::move(typing), /*spellings=*/false, column);
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
  // Most columns are told by their first cell.
  double day = 0;
  const auto first = std::find_if(column->numbers.begin(), column->numbers.end(),
                                  [](double x) { return !std::isnan(x); });
  if (first == column->numbers.end() || !DateFromDigits(*first, &day)) return;
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
  column->reading.Edit().why = "every cell is a date written as " + std::string(kDigitsPattern);
  if (asked) return;
  column->reading.Edit().remarks.push_back(Quoted(column->name) + ": numbers such as " +
                                           FormatNumber(distinct[0]) + " are read as dates; " +
                                           TypesRef(column->name, ColumnType::kNumeric) +
                                           " keeps them as numbers");
}

std::string PlaceOf(const Table& table, size_t row) {
  if (!table.parts.empty() || table.source.empty() || table.first_line == 0) {
    return table.Where(row);
  }
  return "line " + std::to_string(table.lines.empty() ? table.first_line + row : table.lines[row]);
}

std::string PlaceOfText(const Table& table, const Column& column, std::string_view text) {
  const auto level = std::find(column.levels.begin(), column.levels.end(), text);
  const auto code = static_cast<int32_t>(level - column.levels.begin());
  return PlaceOf(table,
                 static_cast<size_t>(std::find(column.codes.begin(), column.codes.end(), code) -
                                     column.codes.begin()));
}

std::vector<std::string> RemarksOn(const Table& table, const Column& column) {
  std::vector<std::string> remarks;
  const ColumnReading& reading = *column.reading;
  if (reading.odd_cells > 0) {
    std::string cells;
    for (const OddCell& odd : reading.odd) {
      cells +=
          (cells.empty() ? "" : ", ") + Quoted(odd.text) + " (" + PlaceOf(table, odd.row) + ")";
    }
    const bool one = reading.odd_cells == 1;
    const std::string what =
        one ? " cell is not a " + TypeWord(column.type) + " and counts as missing: "
            : " cells are not " + Many(column.type) + " and count as missing: ";
    remarks.push_back(Quoted(column.name) + ": " + std::to_string(reading.odd_cells) + what +
                      cells + (reading.odd_cells > reading.odd.size() ? ", ..." : "") + "; " +
                      TypesRef(column.name, ColumnType::kText) + " keeps all cells as they are");
  }
  remarks.insert(remarks.end(), reading.remarks.begin(), reading.remarks.end());
  return remarks;
}

}  // namespace slm
