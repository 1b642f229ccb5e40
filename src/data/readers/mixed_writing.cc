#include "data/readers/mixed_writing.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "base/text.h"
#include "data/readers/typing.h"
#include "data/readers/written_date.h"
#include "data/readers/written_number.h"

namespace slm {
namespace {

std::string Of(size_t cells, size_t all) {
  return std::to_string(cells) + " of " + std::to_string(all) + " cells";
}

bool IsLetter(char c) { return ToLower(c) >= 'a' && ToLower(c) <= 'z'; }

// At most three letters at the end of a text, and the blank before them.
size_t LettersBehind(std::string_view text) {
  constexpr size_t kMostLetters = 3;
  size_t letters = 0;
  while (letters < text.size() && IsLetter(text[text.size() - 1 - letters])) ++letters;
  if (letters == 0 || letters > kMostLetters || letters == text.size()) return 0;
  return letters + (text[text.size() - 1 - letters] == ' ' ? 1 : 0);
}

// Letters that stand for thousands, millions and more.
bool IsScale(std::string_view letters) {
  static constexpr std::string_view kScales[] = {"k", "K", "M", "B", "bn", "T", "Mio", "Mrd"};
  if (letters.starts_with(' ')) letters.remove_prefix(1);
  return std::find(std::begin(kScales), std::end(kScales), letters) != std::end(kScales);
}

std::optional<MixedWriting> SeveralUnits(const Column& column, const Evidence& evidence) {
  size_t numbers = 0, units = 0;
  std::string list;
  for (const auto& [unit, counts] : evidence.numbers.by_unit) {
    const size_t cells = counts.either + counts.unclear + std::max(counts.point, counts.comma);
    numbers += cells;
    units += unit.empty() ? 0 : 1;
    list += (list.empty() ? "" : ", ") + (unit.empty() ? std::string("none") : unit) + " in " +
            std::to_string(cells) + (cells == 1 ? " cell" : " cells");
  }
  if (units < 2 || !Nearly(numbers, evidence.present)) return std::nullopt;
  return MixedWriting{"its numbers have several units",
                      Quoted(column.name) + " is text, because its numbers have several units (" +
                          list + "); convert them to one, or split the column"};
}

// "95k", "2.93M", "180 cm": numbers with letters behind them, the same in all cells or the usual
// ones for thousands and more.
std::optional<MixedWriting> LettersBehindNumbers(const Column& column, const Evidence& evidence,
                                                 const Table& table) {
  size_t cells = 0, lettered = 0;
  std::string_view example;
  std::set<std::string_view> letters;
  for (size_t l = 0; l < column.levels.size(); ++l) {
    const std::string_view text = column.levels[l];
    if (IsMissingAmongValues(text)) continue;
    const size_t behind = text.size() - LettersBehind(text);
    WrittenNumber number;
    if (!ReadWrittenNumber(text.substr(0, behind), '.', &number) &&
        !ReadWrittenNumber(text.substr(0, behind), ',', &number)) {
      continue;
    }
    cells += evidence.cells[l];
    if (behind == text.size()) continue;
    lettered += evidence.cells[l];
    letters.insert(text.substr(behind));
    if (example.empty()) example = text;
  }
  const bool scales = std::all_of(letters.begin(), letters.end(), IsScale);
  if (!Nearly(cells, evidence.present) || lettered == 0) return std::nullopt;
  if (letters.size() > 1 && !scales) return std::nullopt;
  std::string list;
  for (std::string_view one : letters) {
    list += (list.empty() ? "" : ", ") + std::string(one.substr(one.starts_with(' ') ? 1 : 0));
  }
  return MixedWriting{"its numbers have letters behind them",
                      Quoted(column.name) + " is text, because " + Of(lettered, evidence.present) +
                          " are numbers with letters behind them (" + list + "), such as " +
                          Quoted(example) + " (" + PlaceOfText(table, column, example) + "); " +
                          (scales ? "write the numbers out" : "remove the letters") +
                          " to use them as numbers"};
}

// "31.12.99" beside "31.12.1999".
std::optional<MixedWriting> YearsOfTwoAndFourDigits(const Column& column, const Evidence& evidence,
                                                    const Table& table) {
  std::string other = evidence.date.pattern;
  const size_t year = std::min(other.find("%y"), other.find("%Y"));
  if (year == std::string::npos) return std::nullopt;
  other[year + 1] = other[year + 1] == 'y' ? 'Y' : 'y';
  const size_t cells = CellsThatFit(column, evidence, ColumnType::kDate, {.date = other});
  if (cells == 0 || !Nearly(evidence.date.cells + cells, evidence.present)) return std::nullopt;
  double value;
  const auto example =
      std::find_if(column.levels.begin(), column.levels.end(),
                   [&](const std::string& text) { return DateFromText(text, other, &value); });
  const bool two = other[year + 1] == 'y';
  return MixedWriting{
      "its dates have years of two and of four digits",
      Quoted(column.name) + " is text, because its dates have years of two digits in " +
          Of(two ? cells : evidence.date.cells, evidence.present) + " and of four in " +
          std::to_string(two ? evidence.date.cells : cells) + ", such as " + Quoted(*example) +
          " (" + PlaceOfText(table, column, *example) +
          "); write all years with four digits to use them as dates"};
}

}  // namespace

std::optional<MixedWriting> FindMixedWriting(const Column& column, const Evidence& evidence,
                                             const Table& table) {
  std::optional<MixedWriting> found = SeveralUnits(column, evidence);
  if (!found) found = LettersBehindNumbers(column, evidence, table);
  if (!found) found = YearsOfTwoAndFourDigits(column, evidence, table);
  return found;
}

}  // namespace slm
