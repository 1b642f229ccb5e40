// Drift: training rows and the rows that judge do not come from one distribution.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/format.h"
#include "base/text.h"
#include "jobs/warnings.h"
#include "numerics/tails.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostRows = 10000;  // of each side
// Chance of a false alarm over all columns of a table.
constexpr double kChanceOfFalseAlarm = 0.01;
// A distance smaller than this is not worth a word, however certain: a tenth of the rows would have
// to change to make the sides alike.
constexpr double kLeastDistance = 0.1;
constexpr double kLeastExpected = 5;  // rows of a level, for the distribution of chi-squared

// Cells of one side, missing ones below all others.
std::vector<double> SortedCells(const Column& column, std::span<const size_t> rows) {
  std::vector<double> cells;
  for (size_t row : rows) {
    const double x = column.numbers[row];
    cells.push_back(std::isnan(x) ? -std::numeric_limits<double>::infinity() : x);
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

// The largest distance between the distribution functions, if it is more than chance.
std::optional<double> DistanceOfNumbers(const Column& a, std::span<const size_t> a_rows,
                                        const Column& b, std::span<const size_t> b_rows,
                                        double chance) {
  const std::vector<double> first = SortedCells(a, a_rows), second = SortedCells(b, b_rows);
  const double n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  double largest = 0;
  size_t i = 0, j = 0;
  while (i < first.size() && j < second.size()) {
    const double x = std::min(first[i], second[j]);
    while (i < first.size() && first[i] == x) ++i;
    while (j < second.size() && second[j] == x) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  if (largest <= KolmogorovCritical(n, m, chance)) return std::nullopt;
  return largest;
}

// Half of the sum of differences between the shares of levels, rare ones taken together, if
// chi-squared says that it is more than chance.
std::optional<double> DistanceOfLevels(const std::map<std::string, std::array<double, 2>>& counts,
                                       double n, double m, double chance) {
  std::array<double, 2> rare = {};
  double chi_squared = 0, distance = 0, levels = 0;
  auto add = [&](const std::array<double, 2>& count) {
    const double both = count[0] + count[1];
    if (both == 0) return;
    const double expected_first = both * n / (n + m), expected_second = both * m / (n + m);
    const double difference = count[0] - expected_first;
    chi_squared += difference * difference * (1 / expected_first + 1 / expected_second);
    distance += std::abs(count[0] / n - count[1] / m) / 2;
    ++levels;
  };
  for (const auto& [level, count] : counts) {
    const double expected = (count[0] + count[1]) * std::min(n, m) / (n + m);
    if (expected >= kLeastExpected) {
      add(count);
    } else {
      rare[0] += count[0];
      rare[1] += count[1];
    }
  }
  if ((rare[0] + rare[1]) * std::min(n, m) / (n + m) >= kLeastExpected) add(rare);
  if (levels < 2 || chi_squared <= ChiSquaredCritical(levels - 1, chance)) return std::nullopt;
  return distance;
}

std::string CellText(const Column& column, size_t row) {
  if (IsMissing(column, row)) return "missing";
  if (column.type != ColumnType::kText) return "=" + FormatNumber(column.numbers[row]);
  return "=" + column.levels[static_cast<size_t>(column.codes[row])];
}

// How far the column is from itself on the other side; empty if that may be chance.
std::optional<double> DistanceOf(const Column& a, std::span<const size_t> a_rows, const Column& b,
                                 std::span<const size_t> b_rows, bool classes, double chance) {
  if (a.type != ColumnType::kText && b.type != ColumnType::kText && !classes) {
    return DistanceOfNumbers(a, a_rows, b, b_rows, chance);
  }
  std::map<std::string, std::array<double, 2>> counts;
  for (size_t row : a_rows) ++counts[CellText(a, row)][0];
  for (size_t row : b_rows) ++counts[CellText(b, row)][1];
  return DistanceOfLevels(counts, static_cast<double>(a_rows.size()),
                          static_cast<double>(b_rows.size()), chance);
}

std::string Number(double value) { return Format("%.2f", value); }

}  // namespace

void FindDrift(const CheckedData& data, ThreadPool& pool, std::vector<Warning>* warnings) {
  const bool by_rule = data.request.split_by.kind != SplitRule::Kind::kRandom;
  const RowParts& parts = data.parts;
  const bool judged_by_test = !parts.test.rows.empty();
  const RowPart& other = judged_by_test ? parts.test : parts.valid;
  if (other.rows.empty() || (other.table == &data.table() && !by_rule)) return;
  const std::vector<size_t> own_rows = SampleRows(parts.train.rows, kMostRows);
  const std::vector<size_t> other_rows = SampleRows(other.rows, kMostRows);
  std::vector<size_t> columns = data.features;
  columns.push_back(data.target);
  const double chance = kChanceOfFalseAlarm / static_cast<double>(columns.size());
  const std::vector<const Column*> twins = ColumnsIn(*other.table, data.table(), columns);
  std::vector<std::optional<double>> distances(columns.size());
  pool.ParallelFor(columns.size(), [&](size_t i) {
    if (twins[i] == nullptr) return;  // which is an error elsewhere
    const bool classes = columns[i] == data.target && data.task == Task::kClassification;
    distances[i] = DistanceOf(data.table().columns[columns[i]], own_rows, *twins[i], other_rows,
                              classes, chance);
  });
  struct Drifting {
    double distance;
    std::string name;
  };
  std::vector<Drifting> drifting;
  for (size_t i = 0; i < data.features.size(); ++i) {
    if (distances[i].value_or(0) < kLeastDistance) continue;
    drifting.push_back({*distances[i], data.table().columns[columns[i]].name});
  }
  std::stable_sort(drifting.begin(), drifting.end(),
                   [](const Drifting& a, const Drifting& b) { return a.distance > b.distance; });
  const std::string judging = std::string(judged_by_test ? "test" : "validation") + " rows";
  const std::string sides = "training and " + judging;
  // Later rows differ from earlier ones, which is why they are split so; no column is at fault.
  const bool by_time = data.request.split_by.kind == SplitRule::Kind::kTime;
  const std::string meaning =
      by_time ? "; rows are split by time, so this is expected, and what is measured on " +
                    judging + " includes it: new rows may be as different again"
              : "";
  if (!drifting.empty()) {
    Warning warning{.kind = "drift",
                    .columns = {},
                    .figure = drifting[0].distance,
                    .text = {},
                    .flag = by_time ? "" : FieldRef("drop")};
    for (const Drifting& one : drifting) warning.columns.push_back(one.name);
    warning.text = std::to_string(drifting.size()) + " of " + std::to_string(data.features.size()) +
                   " columns are distributed differently in " + sides + ", " +
                   ListNames(warning.columns) + " most (distance " + Number(drifting[0].distance) +
                   " of 1)" + meaning;
    warnings->push_back(std::move(warning));
  }
  if (distances.back().value_or(0) >= kLeastDistance) {
    warnings->push_back(
        {.kind = "drift",
         .columns = {data.request.target},
         .figure = *distances.back(),
         .text = "the target '" + data.request.target + "' is distributed differently in " + sides +
                 " (distance " + Number(*distances.back()) + " of 1)" +
                 (by_time ? meaning : ", so what is measured may not hold elsewhere"),
         .flag = by_time ? "" : FieldRef("split")});
  }
}

}  // namespace slm
