#include "data/encoding/column_checks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Numbers that often stand for a missing cell.
constexpr double kSentinels[] = {-99999, -9999, -999, -99, 999, 9999, 99999};
constexpr size_t kLeastSentinels = 3;  // cells; one may be an outlier

}  // namespace

bool CountsRows(const Column& column, std::span<const size_t> rows) {
  if (column.type != ColumnType::kNumeric || rows.size() < kLeastCountedRows) return false;
  double offset = column.numbers[rows[0]] - static_cast<double>(rows[0]);
  return std::all_of(rows.begin(), rows.end(), [&](size_t row) {
    return column.numbers[row] - static_cast<double>(row) == offset;
  });
}

bool IsNamedIdentifier(const Column& column, std::span<const double> cells) {
  const std::string& name = column.name;
  std::string lower;
  for (char c : name) lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  const size_t n = name.size();
  const bool camel = n > 2 && (name.ends_with("Id") || name.ends_with("ID")) &&
                     name[n - 3] >= 'a' && name[n - 3] <= 'z';
  const bool named = lower == "id" || lower == "uuid" || lower == "guid" || camel ||
                     lower.ends_with("_id") || lower.ends_with(" id") || lower.ends_with(".id") ||
                     lower.ends_with("-id") || name == "Unnamed: 0";  // the index of pandas
  if (!named || column.type != ColumnType::kNumeric || cells.size() < kLeastCountedRows) {
    return false;
  }
  std::vector<double> sorted(cells.begin(), cells.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
         std::all_of(sorted.begin(), sorted.end(), [](double x) { return x == std::floor(x); });
}

std::string FindSentinel(const std::string& name, std::span<const double> cells) {
  if (cells.size() < 2 * kLeastSentinels) return "";
  const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
  for (double end : {*low, *high}) {
    if (std::find(std::begin(kSentinels), std::end(kSentinels), end) == std::end(kSentinels)) {
      continue;
    }
    size_t count = 0;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (double x : cells) {
      if (x == end) {
        ++count;
        continue;
      }
      least = std::min(least, x);
      most = std::max(most, x);
    }
    const double gap = end < least ? least - end : end - most;
    if (count < kLeastSentinels || !(most > least) || gap <= most - least) continue;
    return "'" + name + "' is " + FormatNumber(end) + " in " + std::to_string(count) + " of " +
           std::to_string(cells.size()) + " training cells and from " + FormatNumber(least) +
           " to " + FormatNumber(most) + " in the others; if that stands for missing, give " +
           FieldRef("na", FormatNumber(end));
  }
  return "";
}

}  // namespace slm
