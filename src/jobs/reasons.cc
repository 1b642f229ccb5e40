#include "jobs/reasons.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

#include "base/thread_pool.h"
#include "kernels/products.h"
#include "numerics/label_variance.h"

namespace slm {
namespace {

constexpr double kRedundant = 0.7;  // half of the variance is shared
constexpr size_t kMostRows = 1000, kLeastRows = 100;
constexpr double kMostProducts = 4e9;
constexpr size_t kFeaturesOfTask = 64;

// What an F statistic of `means` groups in many rows stays below in 95 % of cases if the target
// does not matter: chi-squared over its degrees of freedom, by Wilson and Hilferty.
double CriticalF(double means) {
  const double freedom = std::max(1.0, means - 1);
  const double part = 2 / (9 * freedom);
  return std::pow(1 - part + 1.6448536269514722 * std::sqrt(part), 3);
}

}  // namespace

std::vector<Unchosen> ExplainRest(const Preparation& prepared, const Choice& choice,
                                  const Context& context) {
  const Problem& problem = prepared.problem();
  const std::vector<std::string>& names = problem.layout.names;
  const size_t features = names.size(), k = choice.features.size();
  const Context working{.pool = context.pool};  // reasons are given even where time is over
  const Strongest strongest = StrongestColumns(problem.layout, problem.train, &working);
  const Labels& labels = problem.train.y;
  const double critical = CriticalF(labels.has_classes() ? static_cast<double>(labels.classes) : 2);

  const double pairs = static_cast<double>(features) * static_cast<double>(k);
  const size_t affordable = static_cast<size_t>(kMostProducts / pairs);
  const size_t rows = std::min(problem.train.rows(), std::clamp(affordable, kLeastRows, kMostRows));
  std::vector<uint8_t> chosen(features);
  std::vector<int32_t> chosen_columns;
  for (size_t i = 0; i < k; ++i) {
    const size_t j = static_cast<size_t>(choice.features[i]);
    chosen[j] = 1;
    chosen_columns.push_back(strongest.column[j]);
  }
  const std::vector<double> units = UnitColumns(*problem.train.x, chosen_columns, rows);
  std::vector<Unchosen> by_feature(features);
  context.pool->ParallelFor((features + kFeaturesOfTask - 1) / kFeaturesOfTask, [&](size_t task) {
    const size_t begin = task * kFeaturesOfTask, end = std::min(features, begin + kFeaturesOfTask);
    const std::vector<double> own = UnitColumns(
        *problem.train.x, std::span(strongest.column).subspan(begin, end - begin), rows);
    for (size_t j = begin; j < end; ++j) {
      if (chosen[j] != 0) continue;
      Unchosen& one = by_feature[j];
      double best = 0;
      for (size_t i = 0; i < k; ++i) {
        const double r = Dot(own.data() + (j - begin) * rows, units.data() + i * rows, rows);
        if (!one.nearest.empty() && std::abs(r) <= std::abs(best)) continue;
        best = r;
        one.nearest = names[static_cast<size_t>(choice.features[i])];
      }
      one.name = names[j];
      one.correlation = std::clamp(best, -1.0, 1.0);
      one.reason = std::abs(best) >= kRedundant    ? "redundant"
                   : strongest.score[j] < critical ? "weak"
                                                   : "outcompeted";
    }
  });

  // A duplicate has the substitute of its twin.
  std::map<std::string_view, size_t> by_name;
  for (size_t j = 0; j < features; ++j) by_name[names[j]] = j;
  std::vector<Unchosen> rest;
  for (const DroppedColumn& column : prepared.summary().dropped) {
    Unchosen one{
        .name = column.name, .reason = column.reason.Text(), .nearest = {}, .correlation = {}};
    if (column.reason.kind == DropKind::kDuplicate) {
      const auto twin = by_name.find(column.reason.detail);
      if (twin != by_name.end() && chosen[twin->second] != 0) {
        one.nearest = names[twin->second];
        one.correlation = 1;
      } else if (twin != by_name.end()) {
        one.nearest = by_feature[twin->second].nearest;
        one.correlation = by_feature[twin->second].correlation;
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
