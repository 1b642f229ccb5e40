// A number, standardised by its training rows, so that losses, rates and penalties mean the same
// whatever its unit.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "slm/errors.h"
#include "targets/target.h"
#include "targets/value_metrics.h"

namespace slm {
namespace {

class Values : public Target {
 public:
  Task task() const override { return Task::kRegression; }
  std::string_view name() const override { return "regression"; }
  std::string_view labels() const override { return "values"; }

  bool Claims(const Table&, const Column& column) const override {
    return column.type != ColumnType::kText;
  }

  void Require(const Column& column) const override {
    if (column.type != ColumnType::kText) return;
    throw DataError("the target " + Quoted(column.name) + " is text, such as " +
                    (column.levels.empty() ? "''" : Quoted(column.levels[0])) +
                    ", and cannot be regressed on; choose another target or classification");
  }

  void Fit(const Column& column, std::span<const size_t> rows,
           TargetEncoding* encoding) const override {
    double sum = 0, squares = 0;
    for (size_t row : rows) sum += column.numbers[row];
    encoding->mean = sum / static_cast<double>(rows.size());
    for (size_t row : rows) {
      double centred = column.numbers[row] - encoding->mean;
      squares += centred * centred;
    }
    encoding->sd = std::sqrt(squares / static_cast<double>(rows.size()));
    const bool constant = std::all_of(rows.begin(), rows.end(), [&](size_t row) {
      return column.numbers[row] == column.numbers[rows[0]];
    });
    if (constant || !(encoding->sd > 0) || !std::isfinite(encoding->sd)) {
      throw DataError(
          "the target " + Quoted(column.name) + " has the same value, " +
          FormatNumber(encoding->mean) +
          ", in all training rows, or values beyond the range of numbers; choose another");
    }
  }

  Labels Encode(const TargetEncoding& encoding, const Table&, const Column& column,
                std::span<const size_t> rows) const override {
    Labels labels;
    for (size_t row : rows) {
      labels.value.push_back(
          static_cast<float>((column.numbers[row] - encoding.mean) / encoding.sd));
    }
    return labels;
  }

  std::vector<int32_t> Strata(const Column&) const override { return {}; }

  size_t Outputs(const TargetEncoding&) const override { return 1; }

  Predictions Decode(const TargetEncoding& encoding, const Matrix& scores) const override {
    Predictions out;
    for (size_t i = 0; i < scores.rows(); ++i) {
      out.values.push_back(static_cast<double>(scores(i, 0)) * encoding.sd + encoding.mean);
    }
    return out;
  }

  std::span<const Metric> metrics() const override { return ValueMetrics(); }
  std::string_view default_metric() const override { return "mae"; }
};

}  // namespace

const Target& ValueTarget() {
  static const Values target;
  return target;
}

}  // namespace slm
