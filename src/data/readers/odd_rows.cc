#include "data/readers/odd_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>

#include "base/text.h"

namespace slm {
namespace {

constexpr size_t kLeastRows = 4;
constexpr size_t kMostRows = 10000;  // longer tables are not made by hand
constexpr size_t kLeastSums = 2;     // columns whose last number is the sum of the others

bool IsTotalWord(std::string text) {
  static constexpr std::string_view kWords[] = {"total",    "totals", "sum",   "grand total",
                                                "subtotal", "gesamt", "summe", "overall total"};
  std::transform(text.begin(), text.end(), text.begin(), ToLower);
  while (text.ends_with(':') || text.ends_with(' ')) text.pop_back();
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

// The text of the last row in a column of texts, or among the odd cells of another.
std::string LastText(const Column& column, size_t row) {
  if (column.type == ColumnType::kText) {
    const int32_t code = column.codes[row];
    return code < 0 ? "" : column.levels[static_cast<size_t>(code)];
  }
  const auto& odd = column.reading->odd;
  return !odd.empty() && odd.back().row == row ? odd.back().text : "";
}

// Of a numeric column: whether the last number is the sum of the others, to the rounding that a
// spreadsheet shows. Sums of nothing but zeros say nothing.
bool EndsWithSum(const Column& column) {
  double sum = 0;
  const double last = column.numbers.back();
  for (double number : std::span(column.numbers.data(), column.numbers.size() - 1)) {
    if (!std::isnan(number)) sum += number;
  }
  return last != 0 && std::abs(last - sum) <= 1e-9 * std::abs(sum);
}

}  // namespace

void RemarkOnTotals(Table* table) {
  if (table->rows < kLeastRows || table->rows > kMostRows) return;
  const size_t last = table->rows - 1;
  std::string evidence;
  size_t sums = 0, numeric = 0;
  for (const Column& column : table->columns) {
    const std::string text = LastText(column, last);
    if (evidence.empty() && IsTotalWord(text)) {
      evidence = Quoted(column.name) + " is " + Quoted(text) + " there";
    }
    if (column.type != ColumnType::kNumeric) continue;
    ++numeric;
    if (EndsWithSum(column)) ++sums;
  }
  if (evidence.empty() && sums >= kLeastSums && 2 * sums >= numeric) {
    evidence = "its numbers are the sums of those above in " + std::to_string(sums) + " columns";
  }
  if (evidence.empty()) return;
  table->remarks.push_back("the last row (" + table->Where(last) + ") looks like totals: " +
                           evidence + "; remove it if it is not a row like the others");
}

void RemarkOnUnits(Table* table) {
  constexpr size_t kLeastOdd = 2;
  size_t typed = 0, odd = 0;
  std::string example;
  for (const Column& column : table->columns) {
    if (column.type != ColumnType::kNumeric && column.type != ColumnType::kDate) continue;
    ++typed;
    const auto& cells = column.reading->odd;
    if (cells.empty() || cells.front().row != 0) continue;
    if (++odd == 1) example = Quoted(cells.front().text) + " in " + Quoted(column.name);
  }
  if (odd < kLeastOdd || 2 * odd < typed) return;
  table->remarks.push_back("the first row (" + table->Where(0) + ") holds no numbers in " +
                           std::to_string(odd) + " columns of numbers or dates, such as " +
                           example + "; remove it if it has units or types");
}

}  // namespace slm
