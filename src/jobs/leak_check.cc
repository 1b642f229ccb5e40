// Leaks: a column that holds the target under another name, or was written after it.
//
// Each column alone predicts every training row from the other rows: from those of the same value
// where there are enough of them, else from the rows next to it in the order of the column. A
// column of values that hardly repeat, such as a name, predicts nothing in this way, however well
// it could be learned by heart.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/format.h"
#include "data/encoding/encoder.h"
#include "jobs/warnings.h"
#include "numerics/tails.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Rows of a first look at each column, and of the second at those that look bad.
constexpr size_t kFirstRows = 1000, kSecondRows = 10000;
constexpr double kWorthASecondLook = 0.9;
// A leak takes away so large a share of the error of a constant prediction ...
constexpr double kLeak = 0.98;
// ... and at least this one with confidence, over all columns, in view of how few rows there are.
constexpr double kLeakWithConfidence = 0.8;
constexpr double kChanceOfFalseAlarm = 0.01;
// A value of fewer rows than this is judged with its neighbours in the order of the column.
constexpr size_t kRowsOfValue = 5;
constexpr size_t kNeighbours = 2;  // on each side
// Rows that must agree with a map from values to targets, beyond those that it was made from.
constexpr size_t kConfirmingRows = 20;
constexpr size_t kRowsInOrder = 12;  // 2 / 12! by chance

// The target of the sampled rows: a class, or the rank of a value from 0 to 1.
struct SampledTarget {
  std::vector<size_t> rows;
  std::vector<int32_t> classes;  // empty for values
  std::vector<double> ranks;     // empty for classes
  double constant_error = 0;     // mean over rows: share of other classes, or variance of ranks
  int32_t majority = 0;
  double mean = 0;  // of ranks

  bool has_classes() const { return ranks.empty(); }
};

void SetConstant(SampledTarget* target) {
  const double n = static_cast<double>(target->rows.size());
  if (target->has_classes()) {
    std::map<int32_t, double> counts;
    for (int32_t c : target->classes) ++counts[c];
    const auto largest =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    target->majority = largest->first;
    target->constant_error = 1 - largest->second / n;
    return;
  }
  target->mean = std::accumulate(target->ranks.begin(), target->ranks.end(), 0.0) / n;
  target->constant_error = 0;
  for (double rank : target->ranks) {
    target->constant_error += (rank - target->mean) * (rank - target->mean) / n;
  }
}

SampledTarget Sample(const CheckedData& data, const std::vector<int32_t>& classes, size_t most) {
  SampledTarget target{.rows = SampleRows(data.parts.train.rows, most), .classes = {}, .ranks = {}};
  std::vector<double> values;
  for (size_t row : target.rows) {
    if (classes.empty()) {
      values.push_back(data.target_column().numbers[row]);
    } else {
      target.classes.push_back(classes[row]);
    }
  }
  target.ranks = RanksOf(values);
  SetConstant(&target);
  return target;
}

// The sampled rows of a column in the order of its values, missing cells first.
std::vector<size_t> OrderBy(const std::vector<double>& keys) {
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  return order;
}

std::vector<double> KeysOf(const Column& column, std::span<const size_t> rows) {
  std::vector<double> keys;
  keys.reserve(rows.size());
  for (size_t row : rows) {
    if (column.type == ColumnType::kText) {
      keys.push_back(column.codes[row]);
    } else {
      const double x = column.numbers[row];
      keys.push_back(std::isnan(x) ? -std::numeric_limits<double>::infinity() : x);
    }
  }
  return keys;
}

// Sum and sum of squares of the loss of each row, predicted from the others.
struct Losses {
  double sum = 0, squares = 0;
  void Add(double loss, double times = 1) {
    sum += times * loss;
    squares += times * loss * loss;
  }
};

class OneColumn {
 public:
  OneColumn(const SampledTarget& target, std::vector<double> keys, bool ordered)
      : target_(target), keys_(std::move(keys)), ordered_(ordered), order_(OrderBy(keys_)) {}

  Losses Predict() {
    Losses losses;
    for (size_t i = 0; i < order_.size();) {
      const size_t end = EndOfValue(i);
      const bool alone = end - i == 1 && !ordered_;
      if (ordered_ && end - i < kRowsOfValue) {
        for (; i < end; ++i) losses.Add(LossByNeighbours(i));
      } else if (alone) {
        losses.Add(LossOfConstant(order_[i]));
      } else {
        target_.has_classes() ? AddClassesOfValue(i, end, &losses)
                              : AddRanksOfValue(i, end, &losses);
      }
      i = end;
    }
    return losses;
  }

  // Equal cells where and only where targets are equal, on enough rows to mean something; of values
  // in order, or in the opposite one.
  bool OneToOne() const {
    const size_t n = order_.size();
    if (!target_.has_classes()) return n >= kRowsInOrder && (InOrder(1) || InOrder(-1));
    std::map<double, int32_t> class_of;
    std::map<int32_t, double> value_of;
    for (size_t i = 0; i < n; ++i) {
      const int32_t c = target_.classes[i];
      if (class_of.emplace(keys_[i], c).first->second != c) return false;
      if (value_of.emplace(c, keys_[i]).first->second != keys_[i]) return false;
    }
    return value_of.size() > 1 && n >= value_of.size() + kConfirmingRows;
  }

 private:
  size_t EndOfValue(size_t begin) const {
    size_t end = begin;
    while (end < order_.size() && keys_[order_[end]] == keys_[order_[begin]]) ++end;
    return end;
  }

  bool InOrder(double sign) const {
    if (!ordered_) return false;
    for (size_t i = 1; i < order_.size(); ++i) {
      const double step = sign * (target_.ranks[order_[i]] - target_.ranks[order_[i - 1]]);
      const bool same = keys_[order_[i]] == keys_[order_[i - 1]];
      if (same ? step != 0 : step <= 0) return false;
    }
    return true;
  }

  double LossOfConstant(size_t row) const {
    if (target_.has_classes()) return target_.classes[row] == target_.majority ? 0 : 1;
    const double error = target_.ranks[row] - target_.mean;
    return error * error;
  }

  // By the majority of the neighbours, the nearest one where it is not clear, or by their mean.
  double LossByNeighbours(size_t at) const {
    const size_t first = at - std::min(at, kNeighbours);
    const size_t last = std::min(order_.size() - 1, at + kNeighbours);
    if (!target_.has_classes()) {
      double sum = 0, count = 0;
      for (size_t i = first; i <= last; ++i) {
        if (i == at) continue;
        sum += target_.ranks[order_[i]];
        ++count;
      }
      if (count == 0) return LossOfConstant(order_[at]);
      const double error = target_.ranks[order_[at]] - sum / count;
      return error * error;
    }
    if (first == last) return LossOfConstant(order_[at]);
    size_t nearest = at == 0 ? at + 1 : at - 1;
    if (at < last && Distance(at + 1, at) < Distance(nearest, at)) nearest = at + 1;
    auto votes = [&](int32_t c) {
      int count = 0;
      for (size_t i = first; i <= last; ++i) count += i != at && target_.classes[order_[i]] == c;
      return count;
    };
    int32_t winner = target_.classes[order_[nearest]];
    for (size_t i = first; i <= last; ++i) {
      const int32_t c = target_.classes[order_[i]];
      if (i != at && votes(c) > votes(winner)) winner = c;
    }
    return winner == target_.classes[order_[at]] ? 0 : 1;
  }

  double Distance(size_t a, size_t b) const {
    return std::abs(keys_[order_[a]] - keys_[order_[b]]);
  }

  // Without a row of it, the largest class of a value loses one; only where it stays the largest
  // are its rows right.
  void AddClassesOfValue(size_t begin, size_t end, Losses* losses) const {
    std::map<int32_t, size_t> counts;
    for (size_t i = begin; i < end; ++i) ++counts[target_.classes[order_[i]]];
    size_t top = 0, second = 0;
    for (const auto& [c, count] : counts) {
      second = std::max(second, std::min(top, count));
      top = std::max(top, count);
    }
    const size_t right = top > second + 1 ? top : 0;
    losses->Add(1, static_cast<double>(end - begin - right));
  }

  void AddRanksOfValue(size_t begin, size_t end, Losses* losses) const {
    double sum = 0;
    for (size_t i = begin; i < end; ++i) sum += target_.ranks[order_[i]];
    const double others = static_cast<double>(end - begin - 1);
    for (size_t i = begin; i < end; ++i) {
      const double own = target_.ranks[order_[i]];
      const double error = own - (sum - own) / others;
      losses->Add(error * error);
    }
  }

  const SampledTarget& target_;
  const std::vector<double> keys_;
  const bool ordered_;  // neighbours in the order of keys mean something
  const std::vector<size_t> order_;
};

struct LeakFigure {
  bool one_to_one = false;
  double skill = 0;     // share of the constant's error that is gone
  double at_least = 0;  // with confidence
};

// The rows whose cell is there, if they are most of them: where it was not yet written, a column
// that gives the target away is often missing.
const SampledTarget& WithCell(const Column& column, const SampledTarget& target,
                              SampledTarget* own) {
  const auto is_missing = [&](size_t row) { return IsMissing(column, row); };
  if (std::none_of(target.rows.begin(), target.rows.end(), is_missing)) return target;
  SampledTarget& present = *own;
  for (size_t i = 0; i < target.rows.size(); ++i) {
    if (IsMissing(column, target.rows[i])) continue;
    present.rows.push_back(target.rows[i]);
    if (target.has_classes()) {
      present.classes.push_back(target.classes[i]);
    } else {
      present.ranks.push_back(target.ranks[i]);
    }
  }
  if (2 * present.rows.size() < target.rows.size()) return target;
  SetConstant(&present);
  return present;
}

LeakFigure Look(const Column& column, const SampledTarget& all, double z) {
  SampledTarget own{.rows = {}, .classes = {}, .ranks = {}};
  const SampledTarget& target = WithCell(column, all, &own);
  if (!(target.constant_error > 0)) return {};
  const bool ordered = column.type != ColumnType::kText;
  OneColumn one(target, KeysOf(column, target.rows), ordered);
  const double n = static_cast<double>(target.rows.size());
  const Losses losses = one.Predict();
  const double mean = losses.sum / n;
  double most;
  if (target.has_classes()) {  // Wilson's upper bound
    const double z2 = z * z;
    most = (mean + z2 / (2 * n) + z * std::sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))) /
           (1 + z2 / n);
  } else {
    const double variance = std::max(0.0, losses.squares / n - mean * mean);
    most = mean + z * std::sqrt(variance / n);
  }
  return {.one_to_one = one.OneToOne(),
          .skill = 1 - mean / target.constant_error,
          .at_least = 1 - most / target.constant_error};
}

bool IsLeak(const LeakFigure& figure) {
  return figure.one_to_one || (figure.skill >= kLeak && figure.at_least >= kLeakWithConfidence);
}

bool EqualsTarget(const CheckedData& data, const Column& column) {
  const Column& target = data.target_column();
  const bool text = column.type == ColumnType::kText;
  if (text != (target.type == ColumnType::kText)) return false;
  return std::all_of(data.parts.train.rows.begin(), data.parts.train.rows.end(), [&](size_t row) {
    if (!text) return column.numbers[row] == target.numbers[row];
    const int32_t code = column.codes[row];
    return code >= 0 && column.levels[static_cast<size_t>(code)] ==
                            target.levels[static_cast<size_t>(target.codes[row])];
  });
}

std::string Percent(double share) { return Format("%.4g %%", 100 * share); }

Warning Describe(const CheckedData& data, const Column& column, const LeakFigure& figure) {
  const std::string& target = data.request.target;
  std::string what;
  if (EqualsTarget(data, column)) {
    what = "equals the target '" + target + "' in every training row";
  } else if (figure.one_to_one) {
    what = "stands one to one for the target '" + target + "'";
  } else if (data.task == Task::kClassification) {
    what = "alone predicts '" + target + "' almost perfectly: it avoids " + Percent(figure.skill) +
           " of the errors of always predicting the majority class";
  } else {
    what = "alone predicts '" + target + "' almost perfectly: it explains " +
           Percent(figure.skill) + " of the variance of its ranks";
  }
  return {.kind = "leak",
          .columns = {column.name},
          .figure = figure.one_to_one ? 1 : figure.skill,
          .text = "'" + column.name + "' " + what +
                  "; if it is not known when predictions are made, leave it out",
          .flag = FieldRef("leaks", "drop")};
}

}  // namespace

bool MayBeChosen(const CheckedData& data, const Column& column) {
  const std::vector<std::string>& keep = data.request.keep;
  const bool kept = std::find(keep.begin(), keep.end(), column.name) != keep.end();
  return CanBeFeature(column, data.parts.train.rows, kept || !data.request.ignore_identifiers);
}

void FindLeaks(const CheckedData& data, ThreadPool& pool, std::vector<Warning>* warnings) {
  std::vector<int32_t> classes;
  if (data.task == Task::kClassification) {
    classes = StrataOfRows(data.table(), data.target, data.task);
  }
  if (data.parts.train.rows.size() < 2 || data.features.empty()) return;
  const SampledTarget few = Sample(data, classes, kFirstRows);
  const SampledTarget many = Sample(data, classes, kSecondRows);
  if (!(few.constant_error > 0) || !(many.constant_error > 0)) return;
  const double z = NormalCritical(kChanceOfFalseAlarm / static_cast<double>(data.features.size()));
  std::vector<std::optional<LeakFigure>> found(data.features.size());
  pool.ParallelFor(found.size(), [&](size_t i) {
    const Column& column = data.table().columns[data.features[i]];
    LeakFigure figure = Look(column, few, z);
    if (!figure.one_to_one && figure.skill < kWorthASecondLook) return;
    if (many.rows.size() > few.rows.size()) figure = Look(column, many, z);
    if (IsLeak(figure)) found[i] = figure;
  });
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) continue;
    const Column& column = data.table().columns[data.features[i]];
    if (MayBeChosen(data, column)) warnings->push_back(Describe(data, column, *found[i]));
  }
}

}  // namespace slm
