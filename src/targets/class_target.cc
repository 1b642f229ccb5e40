// One of several classes: texts, booleans, or numbers of few values.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/text.h"
#include "kernels/vector_ops.h"
#include "slm/errors.h"
#include "targets/class_metrics.h"
#include "targets/target.h"

namespace slm {
namespace {

// Integers of at most so many distinct values, each so often on average, are classes; where there
// are more than a few, only if they look like labels.
constexpr size_t kMostClassesOfNumbers = 50;
constexpr size_t kRowsOfClassOfNumbers = 10;
constexpr size_t kFewClassesOfNumbers = 10;
constexpr size_t kRarestLabel = 5;  // times as rare as the average of the labels

size_t RankOf(const std::vector<double>& sorted, double value) {
  return static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                             sorted.begin());
}

std::vector<double> Distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// As the file has it.
std::string NameOf(const Column& column, double value) {
  const std::vector<Spelling>& spellings = column.reading->spellings;
  const auto at = std::lower_bound(spellings.begin(), spellings.end(), value,
                                   [](const Spelling& a, double b) { return a.value < b; });
  if (at != spellings.end() && at->value == value) return at->text;
  if (column.type == ColumnType::kBoolean) return value != 0 ? "true" : "false";
  return FormatNumber(value == 0 ? 0.0 : value);
}

// Whether whole numbers of many values look like the labels of classes: 0 or 1 to n without a gap,
// none of them rare. Counts and ages have gaps and tails.
bool AreLabels(const std::map<double, size_t>& counts, size_t cells) {
  const double first = counts.begin()->first;
  if (first != 0 && first != 1) return false;
  if (counts.rbegin()->first - first + 1 != static_cast<double>(counts.size())) return false;
  const size_t usual = cells / counts.size();
  return std::all_of(counts.begin(), counts.end(), [&](const auto& one) {
    return one.second * kRarestLabel >= usual && one.second >= kRowsOfClassOfNumbers;
  });
}

// How often each value of a column of few whole numbers occurs; empty for any other.
std::map<double, size_t> CountWholes(const Column& column) {
  std::map<double, size_t> counts;
  for (double x : column.numbers) {
    if (std::isnan(x)) continue;
    if (x != std::floor(x)) return {};
    ++counts[x == 0 ? 0.0 : x];
    if (counts.size() > kMostClassesOfNumbers) return {};
  }
  return counts;
}

class ClassesTarget : public Target {
 public:
  Task task() const override { return Task::kClassification; }
  std::string_view name() const override { return "classification"; }
  std::string_view labels() const override { return "classes"; }

  // Text, booleans, and integers of few values (two in all, or each ten times on average; labels
  // from 0 or 1 on if they are more than ten).
  bool Claims(const Table& table, const Column& column) const override {
    if (column.type == ColumnType::kText || column.type == ColumnType::kBoolean) return true;
    if (column.type == ColumnType::kDate) return false;
    const std::map<double, size_t> counts = CountWholes(column);
    if (counts.empty()) return false;
    if (counts.size() <= 2) return true;
    if (counts.size() * kRowsOfClassOfNumbers > table.rows) return false;
    return counts.size() <= kFewClassesOfNumbers || AreLabels(counts, table.rows);
  }

  void Fit(const Column& column, std::span<const size_t> rows,
           TargetEncoding* encoding) const override {
    if (column.type == ColumnType::kText) {
      std::vector<uint8_t> seen(column.levels.size());
      for (size_t row : rows) seen[static_cast<size_t>(column.codes[row])] = 1;
      for (size_t l = 0; l < seen.size(); ++l) {
        if (seen[l] != 0) encoding->classes.push_back(column.levels[l]);
      }
    } else {
      std::vector<double> values;
      for (size_t row : rows) values.push_back(column.numbers[row]);
      encoding->class_values = Distinct(std::move(values));
      for (double x : encoding->class_values) {
        encoding->classes.push_back(NameOf(column, x));
      }
    }
    if (encoding->classes.size() < 2) {
      throw DataError("the target " + Quoted(column.name) + " has one class only" +
                      (encoding->classes.empty() ? "" : ", " + Quoted(encoding->classes[0])) +
                      "; there is nothing to tell apart, so choose another target or more rows");
    }
  }

  Labels Encode(const TargetEncoding& encoding, const Table& table, const Column& column,
                std::span<const size_t> rows) const override {
    Labels labels;
    labels.classes = static_cast<int>(encoding.classes.size());
    auto unseen = [&](size_t row, const std::string& name) {
      return DataError(table.Where(row) + ": the class " + Quoted(name) + " of the target " +
                       Quoted(encoding.name) +
                       " never occurs in the training rows; add rows of it to " +
                       "training or remove this one");
    };
    for (size_t row : rows) {
      size_t index;
      if (encoding.type == ColumnType::kText) {
        const std::string& level = column.levels[static_cast<size_t>(column.codes[row])];
        auto found = std::lower_bound(encoding.classes.begin(), encoding.classes.end(), level);
        if (found == encoding.classes.end() || *found != level) throw unseen(row, level);
        index = static_cast<size_t>(found - encoding.classes.begin());
      } else {
        double value = column.numbers[row];
        index = RankOf(encoding.class_values, value);
        if (index == encoding.class_values.size() || encoding.class_values[index] != value) {
          throw unseen(row, NameOf(column, value));
        }
      }
      labels.index.push_back(static_cast<int32_t>(index));
    }
    return labels;
  }

  // The classes of the whole table.
  std::vector<int32_t> Strata(const Column& column) const override {
    if (column.type == ColumnType::kText) return column.codes;
    const std::vector<double> values = Distinct(column.numbers);
    std::vector<int32_t> classes;
    for (double x : column.numbers) classes.push_back(static_cast<int32_t>(RankOf(values, x)));
    return classes;
  }

  std::vector<ClassOfTable> Classes(const Column& column) const override {
    std::map<int32_t, ClassOfTable> classes;
    const std::vector<int32_t> strata = Strata(column);
    for (size_t row = 0; row < strata.size(); ++row) {
      ClassOfTable& own = classes[strata[row]];
      if (own.rows++ > 0) continue;
      own.stratum = strata[row];
      own.name = column.type == ColumnType::kText ? column.levels[static_cast<size_t>(strata[row])]
                                                  : NameOf(column, column.numbers[row]);
    }
    std::vector<ClassOfTable> all;
    for (auto& [stratum, own] : classes) all.push_back(std::move(own));
    return all;
  }

  size_t Outputs(const TargetEncoding& encoding) const override { return encoding.classes.size(); }

  Predictions Decode(const TargetEncoding& encoding, const Matrix& scores) const override {
    const size_t rows = scores.rows(), classes = encoding.classes.size();
    Predictions out;
    out.probabilities = Matrix(rows, classes);
    std::vector<float> max(rows), sum(rows), square_sum(rows);
    Softmax({.z = scores.data(),
             .z_stride = scores.stride(),
             .rows = rows,
             .classes = classes,
             .r = out.probabilities.data(),
             .r_stride = out.probabilities.stride(),
             .max = max.data(),
             .sum = sum.data(),
             .square_sum = square_sum.data()});
    out.classes.resize(rows);
    for (size_t i = 0; i < rows; ++i) {
      // Among equal scores the first class is the answer, as in every metric.
      const float* row = scores.row(i);
      out.classes[i] = static_cast<int32_t>(std::max_element(row, row + classes) - row);
    }
    return out;
  }

  std::span<const Metric> metrics() const override { return ClassMetrics(); }
  std::string_view default_metric() const override { return "accuracy"; }

  // Where a class is rare, accuracy rewards always predicting the others.
  DefaultMetric MetricFor(const Table& table, const Column& column) const override {
    const std::vector<int32_t> classes = Strata(column);
    const std::optional<RareClass> rare = FindRareClass(classes);
    if (!rare) return {default_metric(), ""};
    const size_t row = static_cast<size_t>(std::find(classes.begin(), classes.end(), rare->index) -
                                           classes.begin());
    const std::string name = column.type == ColumnType::kText
                                 ? column.levels[static_cast<size_t>(rare->index)]
                                 : NameOf(column, column.numbers[row]);
    return {"auc",
            "the class '" + name + "' has " + std::to_string(rare->rows) + " of " +
                std::to_string(table.rows) +
                " rows, so auc is measured; --metric accuracy measures the share of rows that are "
                "right"};
  }
};

}  // namespace

const Target& ClassTarget() {
  static const ClassesTarget target;
  return target;
}

}  // namespace slm
