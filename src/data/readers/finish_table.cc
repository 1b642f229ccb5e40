#include "data/readers/finish_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/text.h"
#include "data/readers/bytes.h"
#include "data/readers/dialect.h"
#include "data/readers/typing.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kAlwaysAllowed = 64 << 20;
// A column without rows, and its name among those seen, take about as much as this many cells.
constexpr size_t kCellsOfColumn = 40;

[[noreturn]] void ThrowTooLarge(const std::string& source, size_t rows, size_t columns,
                                const std::string& bound) {
  throw DataError(source + " is a table of " + std::to_string(rows) + " rows and " +
                  std::to_string(columns) + " columns, which at 8 bytes a cell and " +
                  std::to_string(kCellsOfColumn * sizeof(double)) + " a column is more than " +
                  bound + "; keep fewer rows or columns");
}

bool Exceeds(size_t rows, size_t columns, size_t bytes) {
  const size_t cells = bytes / sizeof(double);
  return columns != 0 && (rows > cells || rows + kCellsOfColumn > cells / columns);
}

// A column of numbers that the user wants to be of another type.
void Retype(const TypeRule& rule, const std::string& source, Column* column) {
  const ColumnType type = *rule.type;
  if (type == column->type) return;
  if (type == ColumnType::kDate) TypeDigitDates(rule, column);
  if (type == ColumnType::kText && column->type == ColumnType::kNumeric) {
    TextDictionary dictionary;
    for (double x : column->numbers) {
      column->codes.push_back(std::isnan(x) ? -1 : dictionary.Code(FormatNumber(x)));
    }
    column->numbers = {};
    SortLevels(dictionary, column);
  }
  const bool zero_or_one = std::all_of(column->numbers.begin(), column->numbers.end(),
                                       [](double x) { return std::isnan(x) || x == 0 || x == 1; });
  if (type == ColumnType::kNumeric || (type == ColumnType::kBoolean && zero_or_one)) {
    column->type = type;
  }
  if (column->type == type) return;
  throw DataError(source + ": " + FieldRef("types") + " makes " + Quoted(column->name) + " " +
                  ColumnTypeName(type) + ", but the file declares it as " +
                  ColumnTypeName(column->type) + ", and its cells cannot be read otherwise; " +
                  "leave the type out");
}

}  // namespace

void CheckFits(const std::string& source, size_t rows, size_t columns, size_t max_bytes) {
  const size_t bound = ContentBound(max_bytes);
  if (!Exceeds(rows, columns, bound)) return;
  ThrowTooLarge(source, rows, columns,
                "the " + std::to_string(bound >> 20) + " MiB that a table may take here");
}

void CheckSparseFits(const std::string& source, size_t rows, size_t columns, size_t file_bytes,
                     size_t max_bytes) {
  CheckFits(source, rows, columns, max_bytes);
  if (!Exceeds(rows, columns, std::max(kAlwaysAllowed, file_bytes * kSparseFactor))) return;
  ThrowTooLarge(source, rows, columns,
                std::to_string(kSparseFactor) + " times the file; a number of a column may be " +
                    "wrong, as tables are held with their zeros");
}

void SortLevels(const TextDictionary& dictionary, Column* column) {
  const std::vector<std::string>& texts = dictionary.texts();
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return texts[a] < texts[b]; });
  std::vector<int32_t> to_level(texts.size());
  column->levels.clear();
  for (size_t text : order) {
    to_level[text] = static_cast<int32_t>(column->levels.size());
    column->levels.push_back(texts[text]);
  }
  for (int32_t& code : column->codes) {
    if (code >= 0) code = to_level[static_cast<size_t>(code)];
  }
  column->type = ColumnType::kText;
}

void RemoveNaWords(const std::vector<std::string>& words, Column* column) {
  for (const std::string& word : words) {
    double value = 0;
    if (column->type != ColumnType::kText) {
      if (!NumberFromText(word, &value)) continue;
      std::replace(column->numbers.begin(), column->numbers.end(), value, kMissing);
      continue;
    }
    const auto level = std::find(column->levels.begin(), column->levels.end(), word);
    if (level == column->levels.end()) continue;
    const auto removed = static_cast<int32_t>(level - column->levels.begin());
    column->levels.erase(level);
    for (int32_t& code : column->codes) {
      if (code >= removed) code = code == removed ? -1 : code - 1;
    }
  }
}

void CheckFinite(const Table& table) {
  size_t row = table.rows, column = 0;
  for (size_t j = 0; j < table.columns.size(); ++j) {
    const std::vector<double>& numbers = table.columns[j].numbers;
    auto found =
        std::find_if(numbers.begin(), numbers.end(), [](double x) { return std::isinf(x); });
    size_t i = static_cast<size_t>(found - numbers.begin());
    if (found == numbers.end() || i >= row) continue;
    row = i;
    column = j;
  }
  if (row == table.rows) return;
  throw DataError(table.Where(row) + ", column " + Quoted(table.columns[column].name) +
                  " is infinite or too large for a double; replace it by a number, or leave the " +
                  "cell empty if it is missing");
}

void FinishTable(const ReadOptions& options, Table* table) {
  if (table->columns.empty() || table->rows == 0) {
    throw DataError(table->source + " has no " + (table->columns.empty() ? "columns" : "rows") +
                    "; there is nothing to select from");
  }
  std::unordered_map<std::string, size_t> seen;
  for (size_t j = 0; j < table->columns.size(); ++j) {
    std::string& name = table->columns[j].name;
    if (name.empty()) name = GeneratedName(j);
    auto [earlier, is_new] = seen.emplace(name, j);
    if (is_new) continue;
    throw DataError(table->source + ": columns " + std::to_string(earlier->second + 1) + " and " +
                    std::to_string(j + 1) + " are both named " + Quoted(name) +
                    "; rename one of them");
  }
  if (options.raw) return;
  const TypeRules rules(options, *table);
  std::vector<size_t> texts;
  for (size_t j = 0; j < table->columns.size(); ++j) {
    Column& column = table->columns[j];
    RemoveNaWords(options.na, &column);
    const TypeRule& rule = rules.of(j);
    if (column.type != ColumnType::kText) {
      if (rule.by_user) Retype(rule, table->source, &column);
      continue;
    }
    texts.push_back(j);
    // A column without a single cell is numeric in every format.
    if (!column.levels.empty() || rule.type) continue;
    texts.pop_back();
    column.type = ColumnType::kNumeric;
    column.codes = {};
    column.numbers.assign(table->rows, kMissing);
  }
  TypeTexts(texts, rules, TextKind::kTyped, /*comma_likely=*/false, /*pool=*/nullptr, table);
  CheckFinite(*table);
}

}  // namespace slm
