#include "targets/class_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "targets/measure.h"

namespace slm {
namespace {

double Accuracy(const Matrix& scores, const Dataset& data, double) {
  return MeasureScores(scores, data).quality;
}

double LogLoss(const Matrix& scores, const Dataset& data, double) {
  return MeasureScores(scores, data).loss;
}

// The mean over classes of the share of its rows that are found.
double BalancedAccuracy(const Matrix& scores, const Dataset& data, double) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  std::vector<double> found(classes), all(classes);
  for (size_t i = 0; i < data.rows(); ++i) {
    const float* row = scores.row(i);
    size_t label = static_cast<size_t>(data.y.index[i]);
    bool right = std::max_element(row, row + classes) == row + label;
    all[label] += WeightOf(data, i);
    found[label] += right ? WeightOf(data, i) : 0;
  }
  double sum = 0, present = 0;
  for (size_t c = 0; c < classes; ++c) {
    if (all[c] <= 0) continue;
    sum += found[c] / all[c];
    ++present;
  }
  return sum / present;
}

// The log-odds of a class: the order of its probability, without the ties of probabilities that
// round to one.
double LogOdds(const float* row, size_t classes, size_t of) {
  double top = -std::numeric_limits<double>::infinity(), rest = 0;
  for (size_t c = 0; c < classes; ++c) {
    if (c != of) top = std::max(top, static_cast<double>(row[c]));
  }
  for (size_t c = 0; c < classes; ++c) {
    if (c != of) rest += std::exp(static_cast<double>(row[c]) - top);
  }
  return static_cast<double>(row[of]) - top - std::log(rest);
}

// Rows of one log-odds, by how much of them is inside the class.
struct Tied {
  double inside = 0, outside = 0;
};

// The rows by their log-odds of the class, ascending.
std::vector<Tied> RankedBy(const Matrix& scores, const Dataset& data, size_t of) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  std::vector<std::pair<double, size_t>> order(data.rows());
  for (size_t i = 0; i < order.size(); ++i) order[i] = {LogOdds(scores.row(i), classes, of), i};
  std::sort(order.begin(), order.end());
  std::vector<Tied> ranked;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || order[i].first != order[i - 1].first) ranked.emplace_back();
    const size_t row = order[i].second;
    const bool inside = static_cast<size_t>(data.y.index[row]) == of;
    (inside ? ranked.back().inside : ranked.back().outside) += WeightOf(data, row);
  }
  return ranked;
}

// The share of pairs of a row inside the class and one outside that the scores put in order, ties
// counting half; nothing if one of the two is missing.
std::optional<double> AreaOfClass(const Matrix& scores, const Dataset& data, size_t of) {
  double inside = 0, below = 0, ordered = 0;
  for (const Tied& tied : RankedBy(scores, data, of)) {
    ordered += tied.inside * (below + tied.outside / 2);
    inside += tied.inside;
    below += tied.outside;
  }
  if (inside <= 0 || below <= 0) return std::nullopt;
  return ordered / (inside * below);
}

// The mean, over the rows of the class, of the share of it among all rows that score as high or
// higher; nothing if it has no rows.
std::optional<double> PrecisionOfClass(const Matrix& scores, const Dataset& data, size_t of) {
  const std::vector<Tied> ranked = RankedBy(scores, data, of);
  double inside = 0, outside = 0, sum = 0;
  for (auto tied = ranked.rbegin(); tied != ranked.rend(); ++tied) {
    inside += tied->inside;
    outside += tied->outside;
    if (tied->inside > 0) sum += tied->inside * inside / (inside + outside);
  }
  if (inside <= 0) return std::nullopt;
  return sum / inside;
}

using OfClass = std::optional<double> (*)(const Matrix& scores, const Dataset& data, size_t of);

// Over the classes from `first` on, as far as they have a value.
double MeanOverClasses(OfClass measure, const Matrix& scores, const Dataset& data, size_t first,
                       double otherwise) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  double sum = 0, present = 0;
  for (size_t c = first; c < classes; ++c) {
    const std::optional<double> value = measure(scores, data, c);
    if (!value) continue;
    sum += *value;
    ++present;
  }
  return present > 0 ? sum / present : otherwise;
}

// Of two classes the later one is what is looked for; of many, each in turn.
size_t FirstLookedFor(const Dataset& data) { return data.y.classes == 2 ? 1 : 0; }

// Area under the ROC curve; with more than two classes the mean over classes of each against the
// rest. Rows of a single class leave nothing to put in order, which is no better than chance.
double AreaUnderCurve(const Matrix& scores, const Dataset& data, double) {
  return MeanOverClasses(AreaOfClass, scores, data, 0, 0.5);
}

// The area under precision against recall, as a sum of steps.
double AveragePrecision(const Matrix& scores, const Dataset& data, double) {
  return MeanOverClasses(PrecisionOfClass, scores, data, FirstLookedFor(data), 0);
}

// The harmonic mean of precision and recall; nothing for a class that is neither there nor
// predicted.
std::optional<double> F1OfClass(const Matrix& scores, const Dataset& data, size_t of) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  double both = 0, predicted = 0, there = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    const float* row = scores.row(i);
    const bool hit = static_cast<size_t>(std::max_element(row, row + classes) - row) == of;
    const bool inside = static_cast<size_t>(data.y.index[i]) == of;
    const double weight = WeightOf(data, i);
    predicted += hit ? weight : 0;
    there += inside ? weight : 0;
    both += hit && inside ? weight : 0;
  }
  if (predicted + there <= 0) return std::nullopt;
  return 2 * both / (predicted + there);
}

double F1(const Matrix& scores, const Dataset& data, double) {
  return MeanOverClasses(F1OfClass, scores, data, FirstLookedFor(data), 0);
}

// Sorted by name.
constexpr Metric kMetrics[] = {
    {"accuracy", true, Accuracy},
    {"auc", true, AreaUnderCurve},
    {"average_precision", true, AveragePrecision},
    {"balanced_accuracy", true, BalancedAccuracy},
    {"f1", true, F1},
    {"log_loss", false, LogLoss},
};

// A class with a smaller share than this of the rows it would have if all were of one size is rare.
constexpr double kRareShare = 0.2;

}  // namespace

std::optional<RareClass> FindRareClass(std::span<const int32_t> classes) {
  std::vector<size_t> counts;
  for (int32_t c : classes) {
    if (static_cast<size_t>(c) >= counts.size()) counts.resize(static_cast<size_t>(c) + 1);
    ++counts[static_cast<size_t>(c)];
  }
  double present = 0;
  RareClass rarest;
  for (size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) continue;
    ++present;
    if (rarest.rows == 0 || counts[c] < rarest.rows) rarest = {static_cast<int32_t>(c), counts[c]};
  }
  const double even = static_cast<double>(classes.size()) / present;
  if (present < 2 || static_cast<double>(rarest.rows) >= kRareShare * even) return std::nullopt;
  return rarest;
}

std::span<const Metric> ClassMetrics() { return kMetrics; }

}  // namespace slm
