#include "jobs/formula.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/format.h"
#include "base/text.h"

namespace slm {
namespace {

constexpr size_t kFormulaRows = 1000;  // of the sample
// The formula holds in so many rows, of all and of those with another than the most common value,
constexpr double kHolds = 0.95;
// which are so many for each of its numbers, and so many in all.
constexpr size_t kRowsOfNumber = 10;
constexpr size_t kFewestRows = 20;
// What rounding may hide, in standard deviations of the target. More, and only what is exact
// counts.
constexpr double kMostRounding = 0.05;
// Relative errors of doubles and floats after a few operations.
constexpr double kDoubleError = 1e-9;
constexpr double kFloatError = 2.5e-7;
// Floats are often written with fifteen digits, which most programs use for any number.
constexpr double kOfFifteenDigits = 1e-14;

Fineness FinenessOf(const Column& column, std::span<const size_t> rows) {
  Fineness fineness;
  constexpr int kNoEnd = 13;
  int digits = 1, decimals = 0;
  bool single = true;
  for (size_t row : rows) {
    const double x = column.numbers[row];
    if (std::isnan(x) || x == 0) continue;
    const double nearest = static_cast<double>(static_cast<float>(x));
    single = single && std::abs(nearest - x) <= kOfFifteenDigits * std::abs(x);
    const std::string text = Format("%.14e", std::abs(x));  // 1.23400000000000e+02
    const size_t e = text.find('e');
    const size_t last = text.find_last_not_of('0', e - 1);
    const int own = last <= 1 ? 1 : static_cast<int>(last);
    int exponent = 0;
    ParseNumber(std::string_view(text).substr(e + (text[e + 1] == '+' ? 2 : 1)), &exponent);
    digits = std::max(digits, own);
    decimals = std::max(decimals, own - 1 - exponent);
  }
  fineness.whole = decimals == 0;
  if (digits >= kNoEnd) {
    fineness.single = single && !fineness.whole;
    return fineness;
  }
  fineness.quantum = std::pow(10.0, -decimals);
  fineness.digits = digits;
  return fineness;
}

}  // namespace

double Fineness::Rounding(double x) const {
  if (quantum == 0 || x == 0) return quantum / 2;
  const int places = static_cast<int>(std::floor(std::log10(std::abs(x)))) + 1 - digits;
  return std::max(quantum, std::pow(10.0, places)) / 2;
}

bool Formula::HasCells(size_t row) const {
  return std::none_of(columns.begin(), columns.end(),
                      [&](const Column* one) { return std::isnan(one->numbers[row]); });
}

double Formula::Term(size_t t, size_t row) const {
  const double x = columns[t]->numbers[row];
  return product ? std::pow(x, weights[t]) : weights[t] * x;
}

double Formula::WithoutConstant(size_t row) const {
  double value = product ? 1 : 0;
  for (size_t t = 0; t < columns.size(); ++t) {
    value = product ? value * Term(t, row) : value + Term(t, row);
  }
  return value;
}

double Formula::Value(size_t row) const {
  const double value = WithoutConstant(row);
  return product ? constant * value : constant + value;
}

std::string WrittenFormula(const Formula& formula) {
  std::string out;
  auto number = [](double x) { return Format("%.6g", x); };
  if (formula.product) {
    if (formula.constant != 1) out = number(formula.constant);
    for (size_t t = 0; t < formula.columns.size(); ++t) {
      out += (out.empty() ? "" : " * ") + Quoted(formula.columns[t]->name);
      if (formula.weights[t] != 1) out += "^" + number(formula.weights[t]);
    }
    return out;
  }
  auto sign = [&](double x) {
    return std::string(out.empty() ? (x < 0 ? "-" : "") : x < 0 ? " - " : " + ");
  };
  for (size_t t = 0; t < formula.columns.size(); ++t) {
    const double weight = formula.weights[t];
    out += sign(weight);
    if (std::abs(weight) != 1) out += number(std::abs(weight)) + " * ";
    out += Quoted(formula.columns[t]->name);
  }
  if (formula.constant != 0) out += sign(formula.constant) + number(std::abs(formula.constant));
  return out;
}

size_t RowsForFormula(size_t terms) { return std::max(kFewestRows, kRowsOfNumber * (terms + 1)); }

bool Agreement::Follows(size_t terms, size_t all) const {
  return 2 * rows >= all && rare_holds >= RowsForFormula(terms) && share() >= kHolds &&
         static_cast<double>(rare_holds) >= kHolds * static_cast<double>(rare);
}

FormulaTarget::FormulaTarget(const CheckedData& data)
    : column_(data.target_column()),
      rows_(SampleRows(data.parts.train.rows, kFormulaRows)),
      fineness_(FinenessOf(column_, rows_)) {
  double sum = 0, squares = 0;
  std::map<double, size_t> counts;
  for (size_t row : rows_) {
    const double y = column_.numbers[row];
    sum += y;
    const size_t times = ++counts[y];
    if (times > counts[most_common_] || counts.size() == 1) most_common_ = y;
  }
  const double n = static_cast<double>(rows_.size());
  for (size_t row : rows_) squares += std::pow(column_.numbers[row] - sum / n, 2);
  deviation_ = std::sqrt(squares / n);
}

Agreement FormulaTarget::Check(const Formula& formula, std::span<const size_t> rows) const {
  std::vector<Fineness> fineness;
  bool single = fineness_.single;
  for (const Column* one : formula.columns) {
    fineness.push_back(FinenessOf(*one, rows_));
    single = single || fineness.back().single;
  }
  Agreement agreement;
  for (size_t row : rows) {
    if (!formula.HasCells(row)) continue;
    const double y = At(row), value = formula.Value(row);
    double size = std::abs(y) + std::abs(formula.constant), rounding = fineness_.Rounding(y);
    for (size_t t = 0; t < fineness.size(); ++t) {
      const double x = formula.columns[t]->numbers[row];
      if (!formula.product) {
        size += std::abs(formula.Term(t, row));
        rounding += std::abs(formula.weights[t]) * fineness[t].Rounding(x);
      } else if (!fineness[t].whole) {  // whole factors are counts
        rounding += std::abs(value * formula.weights[t] / x) * fineness[t].Rounding(x);
      }
    }
    if (formula.product) size = std::abs(y);
    if (rounding > kMostRounding * deviation_) rounding = 0;
    const double error = std::abs(y - value);
    const double noise = (single ? kFloatError : kDoubleError) * size;
    const bool holds = error <= noise + (1 + 1e-6) * rounding;
    const bool rare = y != most_common_;
    ++agreement.rows;
    agreement.holds += holds;
    agreement.exact += error <= noise;
    agreement.rare += rare;
    agreement.rare_holds += rare && holds;
  }
  return agreement;
}

}  // namespace slm
