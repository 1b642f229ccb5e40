// Leaks of several columns: a target that is their sum with weights (total = net + tax), or a
// product of their powers (amount = price * quantity), but for rounding.
//
// On a sample of the training rows columns are taken one by one, each time the one that leaves the
// least of the target's variance (orthogonal least squares): two passes over the table unless they
// explain a good part of it. The first may be one that is merely close to the target, so a few more
// are taken than a formula may have, and those that it does not need are dropped. What follows from
// the rest must follow in all training rows, too. For products the same is done with logarithms.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/format.h"
#include "base/text.h"
#include "jobs/formula.h"
#include "jobs/warnings.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostTerms = 4;  // of a formula
constexpr size_t kMostSteps = kMostTerms + 3;
constexpr size_t kMostFormulas = 3;
// The share of the variance that is gone after two columns, or no more are looked at.
constexpr double kWorthAnotherColumn = 0.4;
constexpr double kWorthAFit = 0.8;
double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Subtract(double times, const std::vector<double>& from, std::vector<double>* a) {
  for (size_t i = 0; i < from.size(); ++i) (*a)[i] -= times * from[i];
}

// Weights and a constant by least squares: columns made orthogonal one after the other, twice, so
// that hardly a digit is lost. Empty if one of them follows from the others.
std::vector<double> LeastSquares(std::vector<std::vector<double>> columns, std::vector<double> y) {
  const size_t n = y.size(), count = columns.size();
  auto center = [&](std::vector<double>* values) {
    double mean = 0;
    for (double x : *values) mean += x / static_cast<double>(n);
    for (double& x : *values) x -= mean;
    return mean;
  };
  std::vector<double> means, weights(count);
  std::vector<std::vector<double>> r(count, std::vector<double>(count));
  const double mean = center(&y);
  for (size_t j = 0; j < count; ++j) {
    means.push_back(center(&columns[j]));
    const double before = Dot(columns[j], columns[j]);
    for (int twice = 0; twice < 2; ++twice) {
      for (size_t i = 0; i < j; ++i) {
        const double part = Dot(columns[i], columns[j]);
        r[i][j] += part;
        Subtract(part, columns[i], &columns[j]);
      }
    }
    const double left = Dot(columns[j], columns[j]);
    if (!(left > 1e-20 * before)) return {};
    r[j][j] = std::sqrt(left);
    for (double& x : columns[j]) x /= r[j][j];
    weights[j] = Dot(columns[j], y);
    Subtract(weights[j], columns[j], &y);
  }
  for (size_t j = count; j-- > 0;) {
    for (size_t i = j + 1; i < count; ++i) weights[j] -= r[j][i] * weights[i];
    weights[j] /= r[j][j];
  }
  double constant = mean;
  for (size_t j = 0; j < count; ++j) constant -= weights[j] * means[j];
  weights.push_back(constant);
  return weights;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Rounded(double x, int digits) {
  double rounded = x;
  ParseNumber(Format("%." + std::to_string(digits - 1) + "e", x), &rounded);
  return rounded;
}

class FormulaSearch {
 public:
  FormulaSearch(const CheckedData& data, const FormulaTarget& target, bool product,
                ThreadPool& pool)
      : data_(data), target_(target), product_(product), pool_(pool) {
    columns_.resize(data.features.size());
    for (size_t row : target.sample()) y_.push_back(Scaled(target.At(row)));
    Center(&y_);
  }

  void Exclude(const std::string& name) {
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (ColumnAt(j).name == name) columns_[j].excluded = true;
    }
  }

  std::optional<Formula> Find() {
    std::vector<double> rest = y_;
    std::vector<std::vector<double>> basis;
    std::vector<const Column*> chosen;
    const double all = Dot(y_, y_);
    if (!(all > 0)) return {};
    Begin();
    for (size_t step = 1; step <= kMostSteps; ++step) {
      const std::optional<size_t> best = Best();
      if (!best) return {};
      columns_[*best].open = false;
      chosen.push_back(&ColumnAt(*best));
      std::vector<double> next = ValuesOf(*best);
      for (int twice = 0; twice < 2; ++twice) {
        for (const std::vector<double>& q : basis) Subtract(Dot(q, next), q, &next);
      }
      const double length = std::sqrt(Dot(next, next));
      if (!(length > 0)) continue;
      for (double& x : next) x /= length;
      Subtract(Dot(next, rest), next, &rest);
      const double gone = 1 - Dot(rest, rest) / all;
      if (gone >= kWorthAFit) {
        if (std::optional<Formula> formula = Fit(chosen)) return Simplest(*formula);
      }
      if (step >= 2 && gone < kWorthAnotherColumn) return {};
      Update(next, rest);
      basis.push_back(std::move(next));
    }
    return {};
  }

 private:
  struct Candidate {
    bool excluded = false;
    bool open = false;
    double mean = 0;
    double length = 0, left = 0;  // squared: of the column, and of what the chosen ones leave of it
    double part = 0;              // of it in what is left of the target
  };

  const Column& ColumnAt(size_t j) const { return data_.table().columns[data_.features[j]]; }
  double Scaled(double x) const { return product_ ? std::log(x) : x; }

  static void Center(std::vector<double>* values) {
    double mean = 0;
    for (double x : *values) mean += x / static_cast<double>(values->size());
    for (double& x : *values) x -= mean;
  }

  // About the mean, which stands for missing cells.
  double ValueAt(size_t j, size_t i) const {
    const double x = ColumnAt(j).numbers[target_.sample()[i]];
    return std::isnan(x) ? 0 : Scaled(x) - columns_[j].mean;
  }

  std::vector<double> ValuesOf(size_t j) const {
    std::vector<double> values(y_.size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = ValueAt(j, i);
    return values;
  }

  void Begin() {
    pool_.ParallelFor(columns_.size(), [&](size_t j) {
      Candidate& one = columns_[j];
      const Column& column = ColumnAt(j);
      one.open = !one.excluded && column.type != ColumnType::kText &&
                 (!product_ || column.type == ColumnType::kNumeric);
      if (!one.open) return;
      size_t present = 0;
      double sum = 0;
      for (size_t row : target_.sample()) {
        const double x = column.numbers[row];
        if (std::isnan(x)) continue;
        if (product_ && x <= 0) one.open = false;
        if (!one.open) return;
        sum += Scaled(x);
        ++present;
      }
      one.mean = present == 0 ? 0 : sum / static_cast<double>(present);
      one.length = one.part = 0;
      for (size_t i = 0; i < y_.size(); ++i) {
        const double x = ValueAt(j, i);
        one.length += x * x;
        one.part += x * y_[i];
      }
      one.left = one.length;
      one.open = 2 * present >= y_.size() && one.length > 0;
    });
  }

  void Update(const std::vector<double>& q, const std::vector<double>& rest) {
    pool_.ParallelFor(columns_.size(), [&](size_t j) {
      Candidate& one = columns_[j];
      if (!one.open) return;
      double along = 0;
      one.part = 0;
      for (size_t i = 0; i < q.size(); ++i) {
        const double x = ValueAt(j, i);
        along += q[i] * x;
        one.part += rest[i] * x;
      }
      one.left -= along * along;
      if (one.left < 1e-10 * one.length) one.open = false;
    });
  }

  std::optional<size_t> Best() const {
    std::optional<size_t> best;
    double most = 0;
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (!columns_[j].open) continue;
      const double gain = columns_[j].part * columns_[j].part / columns_[j].left;
      if (gain > most) {
        most = gain;
        best = j;
      }
    }
    return best;
  }

  // The weights, from the rows that agree with each other, if the target follows from the columns.
  std::optional<Formula> Fit(const std::vector<const Column*>& columns) const {
    Formula formula{.columns = columns, .weights = {}, .product = product_};
    std::vector<size_t> rows;
    for (size_t row : target_.sample()) {
      if (formula.HasCells(row)) rows.push_back(row);
    }
    for (int round = 0; round < 4; ++round) {
      if (rows.size() < RowsForFormula(columns.size())) return {};
      std::vector<double> y;
      std::vector<std::vector<double>> x(columns.size());
      for (size_t row : rows) {
        y.push_back(Scaled(target_.At(row)));
        for (size_t t = 0; t < x.size(); ++t) x[t].push_back(Scaled(columns[t]->numbers[row]));
      }
      formula.weights = LeastSquares(std::move(x), std::move(y));
      if (formula.weights.empty()) return {};
      formula.constant = product_ ? std::exp(formula.weights.back()) : formula.weights.back();
      formula.weights.pop_back();
      if (std::optional<Formula> round_numbers = WithRoundNumbers(formula)) return round_numbers;
      std::vector<double> errors;
      for (size_t row : rows) errors.push_back(std::abs(target_.At(row) - formula.Value(row)));
      const double most = 3 * Median(errors);
      std::vector<size_t> agreeing;
      for (size_t i = 0; i < rows.size(); ++i) {
        if (errors[i] <= most) agreeing.push_back(rows[i]);
      }
      if (agreeing.size() == rows.size()) return {};
      rows = std::move(agreeing);
    }
    return {};
  }

  // With the fewest digits with which it holds in as many rows; powers are halves.
  std::optional<Formula> WithRoundNumbers(const Formula& found) const {
    Formula formula = found;
    if (product_) {
      for (double& power : formula.weights) {
        const double half = std::round(2 * power) / 2;
        if (std::abs(half - power) > 0.01 || half == 0 || std::abs(half) > 3) return {};
        power = half;
      }
      formula.constant = Median(Constants(formula));
    }
    Agreement best = target_.Check(formula, target_.sample());
    std::vector<Formula> simpler;
    constexpr int kMostDigits = 6;
    for (int digits = 1; digits <= kMostDigits; ++digits) {
      Formula one = formula;
      if (!product_) {
        for (double& weight : one.weights) weight = Rounded(weight, digits);
      }
      const double constant = Median(Constants(one));
      one.constant = product_ ? 1 : 0;
      simpler.push_back(one);
      const double unit = target_.fineness().quantum;
      one.constant = product_    ? Rounded(constant, digits)
                     : unit == 0 ? Rounded(constant, 10)
                                 : Rounded(std::round(constant / unit) * unit, 10);
      simpler.push_back(one);
    }
    size_t most = best.holds;
    std::vector<size_t> holds;
    for (const Formula& one : simpler) {
      holds.push_back(target_.Check(one, target_.sample()).holds);
      most = std::max(most, holds.back());
    }
    for (size_t i = 0; i < simpler.size(); ++i) {
      if (holds[i] < most) continue;
      formula = simpler[i];
      break;
    }
    best = target_.Check(formula, target_.sample());
    if (!best.Follows(formula.columns.size(), target_.sample().size())) return {};
    return formula;
  }

  // What the constant would be in each row.
  std::vector<double> Constants(const Formula& formula) const {
    std::vector<double> constants;
    for (size_t row : target_.sample()) {
      if (!formula.HasCells(row)) continue;
      const double value = formula.WithoutConstant(row), y = target_.At(row);
      constants.push_back(product_ ? y / value : y - value);
    }
    return constants;
  }

  // Without the columns that the formula does not need.
  Formula Simplest(Formula formula) const {
    for (size_t t = 0; t < formula.columns.size() && formula.columns.size() > 1;) {
      std::vector<const Column*> others = formula.columns;
      others.erase(others.begin() + static_cast<int64_t>(t));
      const std::optional<Formula> less = Fit(others);
      if (less && target_.Check(*less, target_.sample()).share() >=
                      target_.Check(formula, target_.sample()).share()) {
        formula = *less;
        t = 0;
      } else {
        ++t;
      }
    }
    std::vector<const Column*> in_order = formula.columns;
    std::sort(in_order.begin(), in_order.end());  // as in the table
    return Fit(in_order).value_or(formula);
  }

  const CheckedData& data_;
  const FormulaTarget& target_;
  const bool product_;
  ThreadPool& pool_;
  std::vector<double> y_;
  std::vector<Candidate> columns_;  // one for each feature
};

Warning DescribeFormula(const CheckedData& data, const Formula& formula,
                        const Agreement& agreement) {
  Warning warning{.kind = "leak",
                  .columns = {},
                  .figure = agreement.share(),
                  .text = {},
                  .flag = FieldRef("leaks", "drop")};
  for (const Column* one : formula.columns) warning.columns.push_back(one->name);
  const std::string rows =
      agreement.holds == agreement.rows
          ? "every training row"
          : Format("%.4g %% of the training rows", std::min(99.99, 100 * agreement.share()));
  const bool missing = agreement.rows < data.parts.train.rows.size();
  warning.text = Quoted(data.request.target) + " = " + WrittenFormula(formula) + " in " + rows;
  if (missing) warning.text += " with these cells";
  if (agreement.exact < agreement.holds) warning.text += ", but for rounding";
  warning.text += "; if they are not known when predictions are made, leave them out";
  return warning;
}

}  // namespace

void FindFormulas(const CheckedData& data, ThreadPool& pool, std::vector<Warning>* warnings) {
  const Column& target = data.target_column();
  const std::vector<size_t>& rows = data.parts.train.rows;
  if (data.task != Task::kRegression || target.type == ColumnType::kText ||
      rows.size() < RowsForFormula(1)) {
    return;
  }
  std::vector<std::string>
      known;  // columns that alone are the target in other words, or in a formula
  for (const Warning& warning : *warnings) {
    if (warning.figure == 1) known.push_back(warning.columns[0]);
  }
  const FormulaTarget values(data);
  if (!(values.deviation() > 0)) return;
  const bool positive =
      std::all_of(rows.begin(), rows.end(), [&](size_t row) { return target.numbers[row] > 0; });
  size_t found = 0;
  for (const bool product : {false, true}) {
    if (product && (!positive || target.type != ColumnType::kNumeric)) continue;
    FormulaSearch search(data, values, product, pool);
    for (const std::string& name : known) search.Exclude(name);
    // A column that must not be in it, or alone is enough, costs a search.
    for (size_t tries = 0; tries < 2 * kMostFormulas && found < kMostFormulas; ++tries) {
      const std::optional<Formula> formula = search.Find();
      if (!formula) break;
      const std::vector<const Column*>& columns = formula->columns;
      bool used = true;
      for (const Column* one : columns) {
        if (MayBeChosen(data, *one)) continue;
        search.Exclude(one->name);
        used = false;
      }
      if (!used) continue;
      for (const Column* one : columns) {
        search.Exclude(one->name);
        known.push_back(one->name);
      }
      const Agreement agreement = values.Check(*formula, rows);
      if (columns.size() > kMostTerms || !agreement.Follows(columns.size(), rows.size()) ||
          (product && columns.size() == 1)) {
        continue;
      }
      warnings->push_back(DescribeFormula(data, *formula, agreement));
      ++found;
    }
  }
}

}  // namespace slm
