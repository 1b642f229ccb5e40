// Time: rows of one period are alike, and a random split puts neighbours in time on both sides.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/format.h"
#include "base/text.h"
#include "jobs/warnings.h"
#include "numerics/tails.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostRows = 10000;
constexpr size_t kStretches = 10;      // of equally many rows, one after the other in time
constexpr size_t kRowsOfStretch = 10;  // at least
constexpr double kChanceOfFalseAlarm = 0.01;
// Less of the target's variance than this between the stretches flatters a random split too little
// for a word.
constexpr double kLeastShare = 0.05;
constexpr size_t kLeastTimes = 5;  // values of a column of time

constexpr std::string_view kWordsOfTime[] = {"date",  "day",    "epoch", "hour", "minute",
                                             "month", "period", "time",  "week", "year"};

bool NamesTime(std::string_view name) {
  std::string lower;
  for (char c : name) lower += ToLower(c);
  return std::any_of(std::begin(kWordsOfTime), std::end(kWordsOfTime),
                     [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

// Whether the file stands in the order of the column, or in the opposite one. A year in which a
// house was built, or a customer was born, does not sort a file; a time of recording often does.
bool SortsTheFile(const Column& column) {
  return std::is_sorted(column.numbers.begin(), column.numbers.end()) ||
         std::is_sorted(column.numbers.rbegin(), column.numbers.rend());
}

bool IsTime(const Column& column, std::span<const size_t> rows) {
  if (column.type == ColumnType::kText || column.type == ColumnType::kBoolean) return false;
  std::set<double> times;
  for (size_t row : rows) {
    if (IsMissing(column, row)) return false;
    if (times.size() < kLeastTimes) times.insert(column.numbers[row]);
  }
  if (times.size() < kLeastTimes) return false;
  if (column.type == ColumnType::kDate) return true;
  return NamesTime(column.name) && SortsTheFile(column);
}

// The stretch of each row.
std::vector<size_t> StretchesOf(const std::vector<double>& times) {
  std::vector<size_t> order(times.size()), stretch(times.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return times[a] < times[b]; });
  for (size_t i = 0; i < order.size(); ++i) stretch[order[i]] = i * kStretches / order.size();
  return stretch;
}

// The share of the variance of the indicators of classes, or of ranks, between the stretches, if it
// is more than chance: chi-squared of the table of classes, or the statistic of Kruskal and Wallis.
std::optional<double> ShareBetween(const std::vector<size_t>& stretch,
                                   const std::vector<double>& target, bool classes, double chance) {
  const double n = static_cast<double>(target.size());
  std::vector<double> rows(kStretches);
  for (size_t s : stretch) ++rows[s];
  if (classes) {
    std::map<double, std::vector<double>> counts;
    for (size_t i = 0; i < target.size(); ++i) {
      counts.try_emplace(target[i], kStretches).first->second[stretch[i]]++;
    }
    double chi_squared = 0;
    for (const auto& [c, own] : counts) {
      const double total = std::accumulate(own.begin(), own.end(), 0.0);
      for (size_t s = 0; s < kStretches; ++s) {
        const double expected = total * rows[s] / n;
        chi_squared += (own[s] - expected) * (own[s] - expected) / expected;
      }
    }
    const double others = static_cast<double>(counts.size()) - 1;
    const double freedom = others * (kStretches - 1);
    if (others < 1 || chi_squared <= ChiSquaredCritical(freedom, chance)) return std::nullopt;
    return (chi_squared - freedom) / (n * std::min(others, kStretches - 1.0));
  }
  double mean = std::accumulate(target.begin(), target.end(), 0.0) / n, total = 0, between = 0;
  std::vector<double> sums(kStretches);
  for (size_t i = 0; i < target.size(); ++i) {
    sums[stretch[i]] += target[i] - mean;
    total += (target[i] - mean) * (target[i] - mean);
  }
  for (size_t s = 0; s < kStretches; ++s) between += sums[s] * sums[s] / rows[s];
  const double share = total > 0 ? between / total : 0;
  if ((n - 1) * share <= ChiSquaredCritical(kStretches - 1, chance)) return std::nullopt;
  return share - (kStretches - 1) / (n - 1);  // what chance gives
}

}  // namespace

void FindTime(const CheckedData& data, std::vector<Warning>* warnings) {
  const RowParts& parts = data.parts;
  const bool at_random = data.request.split_by.kind == SplitRule::Kind::kRandom;
  const bool split = parts.valid.table == &data.table() || parts.test.table == &data.table();
  const std::vector<size_t> rows = SampleRows(parts.train.rows, kMostRows);
  if (!at_random || !split || rows.size() < kStretches * kRowsOfStretch) return;
  std::vector<const Column*> times;
  for (size_t c : data.features) {
    const Column& column = data.table().columns[c];
    if (IsTime(column, rows)) times.push_back(&column);
  }
  if (times.empty()) return;
  const bool classes = data.task == Task::kClassification;
  std::vector<double> target;
  if (classes) {
    const std::vector<int32_t> strata = StrataOfRows(data.table(), data.target, data.task);
    for (size_t row : rows) target.push_back(strata[row]);
  } else {
    for (size_t row : rows) target.push_back(data.target_column().numbers[row]);
    target = RanksOf(target);
  }
  for (const Column* column : times) {
    std::vector<double> own;
    for (size_t row : rows) own.push_back(column->numbers[row]);
    const std::optional<double> share = ShareBetween(
        StretchesOf(own), target, classes, kChanceOfFalseAlarm / static_cast<double>(times.size()));
    if (share.value_or(0) < kLeastShare) continue;
    warnings->push_back(
        {.kind = "time",
         .columns = {column->name},
         .figure = *share,
         .text = "'" + data.request.target + "' changes along '" + column->name + "' (" +
                 Format("%.0f %%", 100 * *share) +
                 " of its variance lies between tenths of it), and rows are split at random: what "
                 "is measured is for rows of the same time, not of the future",
         .flag = FieldRef("split", "time:" + column->name)});
  }
}

}  // namespace slm
