#include "targets/class_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/row_reduction.h"
#include "targets/measure.h"

namespace slm {
namespace {

double Accuracy(const Matrix& scores, const Dataset& data, double) {
  return MeasureScores(scores, data).quality;
}

double LogLoss(const Matrix& scores, const Dataset& data, double) {
  return MeasureScores(scores, data).loss;
}

// By class, how much weight is predicted, there, and both.
struct ClassCounts {
  std::vector<double> predicted, there, both;
};

void AddSums(ClassCounts& sum, const ClassCounts& other) {
  slm::AddSums(sum.predicted, other.predicted);
  slm::AddSums(sum.there, other.there);
  slm::AddSums(sum.both, other.both);
}

ClassCounts CountClasses(const Matrix& scores, const Dataset& data) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  const std::vector<double> none(classes);
  return SumOverRange(data.rows(), ClassCounts{none, none, none},
                      [&](ClassCounts& counts, size_t begin, size_t end) {
                        for (size_t i = begin; i < end; ++i) {
                          const float* row = scores.row(i);
                          const size_t guess =
                              static_cast<size_t>(std::max_element(row, row + classes) - row);
                          const size_t label = static_cast<size_t>(data.y.index[i]);
                          const double weight = WeightOf(data, i);
                          counts.predicted[guess] += weight;
                          counts.there[label] += weight;
                          if (guess == label) counts.both[label] += weight;
                        }
                      });
}

// Over the classes from `first` on, as far as they have a value; NaN if none has one.
template <class OfClass>
double MeanOverClasses(size_t classes, size_t first, OfClass measure) {
  double sum = 0, present = 0;
  for (size_t c = first; c < classes; ++c) {
    const std::optional<double> value = measure(c);
    if (!value) continue;
    sum += *value;
    ++present;
  }
  return present > 0 ? sum / present : std::numeric_limits<double>::quiet_NaN();
}

// The mean over classes of the share of its rows that are found.
double BalancedAccuracy(const Matrix& scores, const Dataset& data, double) {
  const ClassCounts counts = CountClasses(scores, data);
  return MeanOverClasses(counts.there.size(), 0, [&](size_t c) -> std::optional<double> {
    if (counts.there[c] <= 0) return std::nullopt;
    return counts.both[c] / counts.there[c];
  });
}

// So many classes at most are summed anew for each of them, which leaves the odds of two classes
// exactly the difference of their scores. For more, that would take the square of their number.
constexpr size_t kFewClasses = 32;
constexpr double kTinySum = 1e-250;  // of exponentials; smaller ones have lost digits

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

// Numbers in the order of the log-odds of a class: these themselves for a few classes; for many the
// log-probability, moved to end at zero for even odds, and log-odds above that, which one class of
// a row can have at most.
class OrderOfOdds {
 public:
  OrderOfOdds(const Matrix& scores, size_t classes) : scores_(scores), classes_(classes) {
    if (classes <= kFewClasses) return;
    rows_.reserve(scores.rows());
    for (size_t i = 0; i < scores.rows(); ++i) {
      const float* row = scores.row(i);
      const size_t best = static_cast<size_t>(std::max_element(row, row + classes) - row);
      const double top = static_cast<double>(row[best]);
      double rest = 0;
      for (size_t c = 0; c < classes; ++c) {
        if (c != best) rest += std::exp(static_cast<double>(row[c]) - top);
      }
      const double odds = rest > kTinySum ? -std::log(rest) : LogOdds(row, classes, best);
      rows_.push_back({best, odds, top + std::log1p(rest) - std::numbers::ln2});
    }
  }

  double operator()(size_t row, size_t c) const {
    const float* scores = scores_.row(row);
    if (rows_.empty()) return LogOdds(scores, classes_, c);
    const Row& own = rows_[row];
    if (c == own.best && own.odds > 0) return own.odds;
    return std::min(0.0, static_cast<double>(scores[c]) - own.even);
  }

 private:
  struct Row {
    size_t best;
    double odds;  // of the best
    double even;  // the score of even odds
  };

  const Matrix& scores_;
  const size_t classes_;
  std::vector<Row> rows_;  // of many classes
};

// Rows of one log-odds, or between two of them, by how much of them is inside the class.
struct Tied {
  double inside = 0, outside = 0;
};

// The rows by their log-odds of each class, ascending: those outside between two rows inside are
// one entry, whatever their order. One pass over the scores serves all classes.
class RankedClasses {
 public:
  RankedClasses(const Matrix& scores, const Dataset& data)
      : first_(static_cast<size_t>(data.y.classes) + 1) {
    const size_t count = classes();
    const OrderOfOdds order(scores, count);
    auto own = [&](size_t row) { return static_cast<size_t>(data.y.index[row]); };
    SortLevels(order, data);
    ranked_.resize(2 * levels_.size() + count);
    for (size_t i = 0; i < data.rows(); ++i) {
      const double weight = WeightOf(data, i);
      for (size_t c = 0; c < count; ++c) {
        if (first_[c] == first_[c + 1]) continue;
        Tied& at = ranked_[Begin(c) + PlaceOf(order(i, c), c)];
        (c == own(i) ? at.inside : at.outside) += weight;
      }
    }
  }

  size_t classes() const { return first_.size() - 1; }
  // Without rows inside for a class that has none.
  std::span<const Tied> operator[](size_t c) const {
    return std::span(ranked_).subspan(Begin(c), Begin(c + 1) - Begin(c));
  }

 private:
  // The distinct log-odds of the rows inside each class, one class after the other.
  void SortLevels(const OrderOfOdds& order, const Dataset& data) {
    std::vector<std::pair<int32_t, double>> all;
    for (size_t i = 0; i < data.rows(); ++i) {
      all.emplace_back(data.y.index[i], order(i, static_cast<size_t>(data.y.index[i])));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const auto& [c, level] : all) {
      levels_.push_back(level);
      ++first_[static_cast<size_t>(c) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  size_t Begin(size_t c) const { return 2 * first_[c] + c; }

  // Odd at a level, even between two.
  size_t PlaceOf(double key, size_t c) const {
    const double* begin = levels_.data() + first_[c];
    const double* end = levels_.data() + first_[c + 1];
    size_t below = 0, tied = 0;
    if (end - begin > kFewLevels) {
      const double* at = std::lower_bound(begin, end, key);
      below = static_cast<size_t>(at - begin);
      tied = at != end && *at == key ? 1 : 0;
    } else {
      for (const double* level = begin; level < end; ++level) {
        below += *level < key ? 1 : 0;
        tied += *level == key ? 1 : 0;
      }
    }
    return 2 * below + tied;
  }

  static constexpr std::ptrdiff_t kFewLevels = 16;  // are counted sooner than searched

  std::vector<size_t> first_;  // level of each class
  std::vector<double> levels_;
  std::vector<Tied> ranked_;  // one more than twice the levels of each class
};

// The share of pairs of a row inside the class and one outside that the scores put in order, ties
// counting half; nothing if one of the two is missing.
std::optional<double> AreaOfClass(std::span<const Tied> ranked) {
  double inside = 0, below = 0, ordered = 0;
  for (const Tied& tied : ranked) {
    ordered += tied.inside * (below + tied.outside / 2);
    inside += tied.inside;
    below += tied.outside;
  }
  if (inside <= 0 || below <= 0) return std::nullopt;
  return ordered / (inside * below);
}

// The mean, over the rows of the class, of the share of it among all rows that score as high or
// higher; nothing if it has no rows.
std::optional<double> PrecisionOfClass(std::span<const Tied> ranked) {
  double inside = 0, outside = 0, sum = 0;
  for (auto tied = ranked.rbegin(); tied != ranked.rend(); ++tied) {
    inside += tied->inside;
    outside += tied->outside;
    if (tied->inside > 0) sum += tied->inside * inside / (inside + outside);
  }
  if (inside <= 0) return std::nullopt;
  return sum / inside;
}

// Of two classes the later one is what is looked for; of many, each in turn.
size_t FirstLookedFor(const Dataset& data) { return data.y.classes == 2 ? 1 : 0; }

// Area under the ROC curve; with more than two classes the mean over classes of each against the
// rest. Rows of a single class leave nothing to put in order, so it is undefined for them.
double AreaUnderCurve(const Matrix& scores, const Dataset& data, double) {
  const RankedClasses ranked(scores, data);
  return MeanOverClasses(ranked.classes(), 0, [&](size_t c) { return AreaOfClass(ranked[c]); });
}

// The area under precision against recall, as a sum of steps.
double AveragePrecision(const Matrix& scores, const Dataset& data, double) {
  const RankedClasses ranked(scores, data);
  return MeanOverClasses(ranked.classes(), FirstLookedFor(data),
                         [&](size_t c) { return PrecisionOfClass(ranked[c]); });
}

// The harmonic mean of precision and recall, over the classes that are there or predicted.
double F1(const Matrix& scores, const Dataset& data, double) {
  const ClassCounts counts = CountClasses(scores, data);
  auto of_class = [&](size_t c) -> std::optional<double> {
    const double either = counts.predicted[c] + counts.there[c];
    if (either <= 0) return std::nullopt;
    return 2 * counts.both[c] / either;
  };
  return MeanOverClasses(counts.there.size(), FirstLookedFor(data), of_class);
}

// The share of the entropy of the classes that the probabilities explain: 1 for a predictor that is
// always certain and right, 0 for one that knows the shares of the classes alone. Unlike an area
// under a curve it moves with every row, not only with the few of a rare class.
double ExplainedEntropy(const Matrix& scores, const Dataset& data) {
  std::vector<double> weights(static_cast<size_t>(data.y.classes));
  double total = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    weights[static_cast<size_t>(data.y.index[i])] += WeightOf(data, i);
    total += WeightOf(data, i);
  }
  double entropy = 0;
  for (double weight : weights) {
    if (weight > 0) entropy -= weight / total * std::log(weight / total);
  }
  const double loss = MeasureScores(scores, data).loss;
  return entropy > 0 ? 1 - loss / entropy : -loss;
}

// Metrics of predicted classes that count a rare class as much as a frequent one rest on a handful
// of its rows; half of what is compared is smoother.
template <double (*kMetric)(const Matrix&, const Dataset&, double)>
double HalfExplained(const Matrix& scores, const Dataset& data) {
  const double value = kMetric(scores, data, 1);
  const double explained = ExplainedEntropy(scores, data);
  return std::isfinite(value) ? (value + explained) / 2 : explained;
}

// Two classes of one size, told apart with an accuracy of 0.9 that is known, leave half of their
// entropy.
constexpr ChoiceMeasure kByEntropy = {"explained entropy", ExplainedEntropy, 0.5};
constexpr ChoiceMeasure kByBalancedAccuracy = {"mean of balanced accuracy and explained entropy",
                                               HalfExplained<BalancedAccuracy>, 0.7};
constexpr ChoiceMeasure kByF1 = {"mean of f1 and explained entropy", HalfExplained<F1>, 0.7};

constexpr Metric OfClasses(std::string_view name, Metric::Kind kind,
                           double (*measure)(const Matrix&, const Dataset&, double),
                           const ChoiceMeasure* choice, bool rare_classes_count) {
  return {.name = name,
          .larger_is_better = kind != Metric::Kind::kNumber,
          .kind = kind,
          .baseline = Metric::Constant::kMajority,
          .measure = measure,
          .choice = choice,
          .rare_classes_count = rare_classes_count};
}

// Sorted by name.
constexpr Metric kMetrics[] = {
    OfClasses("accuracy", Metric::Kind::kShareOfRows, Accuracy, nullptr, false),
    OfClasses("auc", Metric::Kind::kShare, AreaUnderCurve, &kByEntropy, true),
    OfClasses("average_precision", Metric::Kind::kShare, AveragePrecision, &kByEntropy, true),
    OfClasses("balanced_accuracy", Metric::Kind::kShare, BalancedAccuracy, &kByBalancedAccuracy,
              true),
    OfClasses("f1", Metric::Kind::kShare, F1, &kByF1, true),
    OfClasses("log_loss", Metric::Kind::kNumber, LogLoss, &kByEntropy, false),
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
