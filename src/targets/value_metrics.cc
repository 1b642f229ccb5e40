#include "targets/value_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/row_reduction.h"
#include "targets/measure.h"

namespace slm {
namespace {

double MeanAbsoluteError(const Matrix& scores, const Dataset& data, double unit) {
  return unit * MeasureScores(scores, data).loss;
}

// The error that half of the rows, by weight, stay below; the mean of the two in the middle.
double MedianAbsoluteError(const Matrix& scores, const Dataset& data, double unit) {
  struct Weighted {
    double error, weight;
  };
  std::vector<Weighted> rows(data.rows());
  double half = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {std::abs(data.y.value[i] - static_cast<double>(scores(i, 0))), WeightOf(data, i)};
    half += rows[i].weight / 2;
  }
  std::erase_if(rows, [](const Weighted& row) { return row.weight <= 0; });
  std::sort(rows.begin(), rows.end(),
            [](const Weighted& a, const Weighted& b) { return a.error < b.error; });
  double below = 0;
  size_t at = 0;
  while (at + 1 < rows.size() && below + rows[at].weight < half) below += rows[at++].weight;
  const bool between = at + 1 < rows.size() && below + rows[at].weight == half;
  return unit * (between ? (rows[at].error + rows[at + 1].error) / 2 : rows[at].error);
}

struct SquareSums {
  double error = 0, spread = 0, weight = 0;
};

void AddSums(SquareSums& sum, const SquareSums& other) {
  sum.error += other.error;
  sum.spread += other.spread;
  sum.weight += other.weight;
}

SquareSums Squares(const Matrix& scores, const Dataset& data) {
  using Sums = std::vector<double>;  // of weights, and of values times weight
  const Sums all = SumOverRange(data.rows(), Sums(2), [&](Sums& sum, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      sum[0] += WeightOf(data, i);
      sum[1] += WeightOf(data, i) * data.y.value[i];
    }
  });
  const double mean = all[1] / all[0];
  SquareSums squares =
      SumOverRange(data.rows(), SquareSums{}, [&](SquareSums& sum, size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          double y = data.y.value[i], error = y - static_cast<double>(scores(i, 0));
          sum.error += WeightOf(data, i) * error * error;
          sum.spread += WeightOf(data, i) * (y - mean) * (y - mean);
        }
      });
  squares.weight = all[0];
  return squares;
}

double RootMeanSquareError(const Matrix& scores, const Dataset& data, double unit) {
  SquareSums sums = Squares(scores, data);
  return unit * std::sqrt(sums.error / sums.weight);
}

double R2(const Matrix& scores, const Dataset& data, double) {
  SquareSums sums = Squares(scores, data);
  // Rows of one value leave nothing to explain.
  return sums.spread > 0 ? 1 - sums.error / sums.spread : std::numeric_limits<double>::quiet_NaN();
}

// By squared errors, as the metric is; of rows of one value by these alone.
double ExplainedSquares(const Matrix& scores, const Dataset& data) {
  const SquareSums sums = Squares(scores, data);
  return sums.spread > 0 ? 1 - sums.error / sums.spread : -sums.error;
}
constexpr ChoiceMeasure kBySquares = {"r2", ExplainedSquares, 0.99};  // errors of a tenth

// Sorted by name.
constexpr Metric kMetrics[] = {
    {"mae", false, Metric::Kind::kNumber, Metric::Constant::kMedian, MeanAbsoluteError, "r2"},
    {"median_ae", false, Metric::Kind::kNumber, Metric::Constant::kMedian, MedianAbsoluteError,
     "r2"},
    {"r2", true, Metric::Kind::kNumber, Metric::Constant::kMean, R2, "mae", &kBySquares},
    {"rmse", false, Metric::Kind::kNumber, Metric::Constant::kMean, RootMeanSquareError, "r2",
     &kBySquares},
};

}  // namespace

std::span<const Metric> ValueMetrics() { return kMetrics; }

}  // namespace slm
