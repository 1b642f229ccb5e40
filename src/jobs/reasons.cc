#include "jobs/reasons.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "jobs/association.h"
#include "numerics/label_variance.h"

namespace slm {
namespace {

constexpr double kRedundant = 0.7;  // half of the variance is shared
constexpr size_t kMostRows = 1000, kLeastRows = 100;
constexpr double kMostProducts = 4e9;
constexpr double kPatience = 0.3;  // seconds of it that are spent even where time is over

// What an F statistic of `means` groups in many rows stays below in 95 % of cases if the target
// does not matter: chi-squared over its degrees of freedom, by Wilson and Hilferty.
double CriticalF(double means) {
  const double freedom = std::max(1.0, means - 1);
  const double part = 2 / (9 * freedom);
  return std::pow(1 - part + 1.6448536269514722 * std::sqrt(part), 3);
}

// So many of the rows, evenly spread.
std::vector<size_t> SpreadRows(std::span<const size_t> rows, size_t count) {
  std::vector<size_t> spread;
  for (size_t i = 0; i < count; ++i) spread.push_back(rows[i * rows.size() / count]);
  return spread;
}

// Finds the chosen column that goes along with another most.
class Nearness {
 public:
  Nearness(const Preparation& prepared, std::span<const int> chosen, size_t rows)
      : prepared_(prepared), rows_(SpreadRows(prepared.training_rows(), rows)) {
    for (int feature : chosen) {
      for (ComparedColumn& column : ColumnsOf(static_cast<size_t>(feature))) {
        chosen_.emplace_back(static_cast<size_t>(feature), std::move(column));
      }
    }
  }

  void Find(size_t feature, Unchosen* one) const {
    for (const ComparedColumn& own : ColumnsOf(feature)) {
      for (const auto& [other, column] : chosen_) {
        const std::optional<Association> found = Compare(own, column);
        if (!found || std::abs(found->value) <= std::abs(one->correlation.value_or(0))) continue;
        one->nearest = prepared_.problem().layout.names[other];
        one->correlation = found->value;
        one->measure = found->measure;
      }
    }
  }

 private:
  std::vector<ComparedColumn> ColumnsOf(size_t feature) const {
    std::vector<ComparedColumn> columns;
    for (const FeatureEncoding& column : prepared_.encoder().ColumnsOf(feature)) {
      columns.emplace_back(prepared_.table().columns[column.source_column], rows_);
    }
    return columns;
  }

  const Preparation& prepared_;
  const std::vector<size_t> rows_;
  std::vector<std::pair<size_t, ComparedColumn>> chosen_;  // with their features
};

}  // namespace

std::vector<Unchosen> ExplainRest(const Preparation& prepared, const Choice& choice,
                                  const Context& context) {
  const Problem& problem = prepared.problem();
  const std::vector<std::string>& names = problem.layout.names;
  const size_t features = names.size(), k = choice.features.size();
  // Reasons are given even where time is over, but no longer by what goes along with what.
  const Clock::time_point start = Clock::now();
  const Context working{.pool = context.pool};
  std::atomic<bool> over = false;
  const Strongest strongest = StrongestColumns(problem.layout, problem.train, &working);
  const Labels& labels = problem.train.y;
  const double critical = CriticalF(labels.has_classes() ? static_cast<double>(labels.classes) : 2);

  const double pairs = static_cast<double>(features) * static_cast<double>(std::max<size_t>(k, 1));
  const size_t affordable = static_cast<size_t>(kMostProducts / pairs);
  const size_t rows = std::min(problem.train.rows(), std::clamp(affordable, kLeastRows, kMostRows));
  std::vector<uint8_t> chosen(features);
  for (int j : choice.features) chosen[static_cast<size_t>(j)] = 1;
  const Nearness nearness(prepared, choice.features, rows);
  std::vector<Unchosen> by_feature(features);
  context.pool->ParallelFor(features, [&](size_t j) {
    if (chosen[j] != 0) return;
    Unchosen& one = by_feature[j];
    one.name = names[j];
    if (!over && SecondsSince(start) > kPatience && context.ShouldStop()) over = true;
    if (!over) nearness.Find(j, &one);
    one.reason = std::abs(one.correlation.value_or(0)) >= kRedundant ? "redundant"
                 : strongest.score[j] < critical                     ? "weak"
                                                                     : "outcompeted";
  });

  // A duplicate has the substitute of its twin.
  const std::vector<DroppedColumn>& dropped = prepared.summary().dropped;
  std::unordered_map<std::string_view, size_t> by_name;
  if (std::any_of(dropped.begin(), dropped.end(), [](const DroppedColumn& one) {
        return one.reason.kind == DropKind::kDuplicate;
      })) {
    for (size_t j = 0; j < features; ++j) by_name[names[j]] = j;
  }
  std::vector<Unchosen> rest;
  rest.reserve(dropped.size() + features - k);
  for (const DroppedColumn& column : dropped) {
    Unchosen one{.name = column.name,
                 .reason = column.reason.Text(),
                 .nearest = {},
                 .correlation = {},
                 .measure = {}};
    if (column.reason.kind == DropKind::kDuplicate) {
      const auto twin = by_name.find(column.reason.detail);
      if (twin != by_name.end() && chosen[twin->second] != 0) {
        one.nearest = names[twin->second];
        one.correlation = 1;
        one.measure = "equal cells";
      } else if (twin != by_name.end()) {
        one.nearest = by_feature[twin->second].nearest;
        one.correlation = by_feature[twin->second].correlation;
        one.measure = by_feature[twin->second].measure;
      }
    }
    rest.push_back(std::move(one));
  }
  for (size_t j = 0; j < features; ++j) {
    if (chosen[j] == 0) rest.push_back(std::move(by_feature[j]));
  }
  return rest;
}

}  // namespace slm
