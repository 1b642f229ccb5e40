#include "targets/interval.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace slm {
namespace {

constexpr size_t kGroups = 20;
// Rows times classes beyond which so many evaluations would take a time that is felt.
constexpr size_t kMostScores = 2'000'000;
constexpr double kNormal = 1.959963984540054;  // 97.5 % of the standard normal
constexpr uint64_t kIntervalStream = 0x5b7;

// 97.5 % of Student's t with so many degrees of freedom, by the expansion of Cornish and Fisher;
// exact for one and two, where the expansion is not good enough.
double StudentQuantile(size_t freedom) {
  if (freedom == 1) return 12.706204736174705;
  if (freedom == 2) return 4.302652729749464;
  const double z = kNormal, n = static_cast<double>(freedom);
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

// The group of each row: at random, because rows of a file may be sorted.
std::vector<size_t> DrawGroups(size_t rows, size_t groups) {
  std::vector<size_t> order(rows), group(rows);
  std::iota(order.begin(), order.end(), size_t{0});
  RandomStream(0, kIntervalStream).Shuffle(std::span(order));
  for (size_t i = 0; i < rows; ++i) group[order[i]] = i % groups;
  return group;
}

// The standard error of the metric; empty where it is undefined without some of the rows.
std::optional<double> ErrorOf(const Metric& metric, const Matrix& scores, const Dataset& data,
                              double unit, size_t groups) {
  const size_t rows = data.rows();
  const std::vector<size_t> group = DrawGroups(rows, groups);
  Dataset rest = data;
  std::vector<double> values;
  for (size_t g = 0; g < groups; ++g) {
    double sum = 0;
    rest.weight.assign(rows, 0);
    for (size_t i = 0; i < rows; ++i) sum += group[i] == g ? 0 : WeightOf(data, i);
    if (!(sum > 0)) return std::nullopt;
    const double scale = static_cast<double>(rows) / sum;  // to a mean of 1
    for (size_t i = 0; i < rows; ++i) {
      if (group[i] != g) rest.weight[i] = static_cast<float>(scale * WeightOf(data, i));
    }
    values.push_back(metric.measure(scores, rest, unit));
    if (!std::isfinite(values.back())) return std::nullopt;
  }
  const double n = static_cast<double>(groups);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt((n - 1) / n * squares);
}

// Rows that say as much as these with their weights do.
double EffectiveRows(const Dataset& data) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    sum += WeightOf(data, i);
    squares += WeightOf(data, i) * WeightOf(data, i);
  }
  return sum * sum / squares;
}

// The rows of the smallest class that occurs; a metric that weighs classes knows no more than they
// tell.
double RowsOfRarest(const Dataset& data) {
  std::vector<double> counts(static_cast<size_t>(data.y.classes));
  for (int32_t c : data.y.index) ++counts[static_cast<size_t>(c)];
  double rarest = static_cast<double>(data.rows());
  for (double count : counts) {
    if (count > 0) rarest = std::min(rarest, count);
  }
  return rarest;
}

std::array<double, 2> Wilson(double share, double rows) {
  const double z2 = kNormal * kNormal;
  const double centre = (share + z2 / (2 * rows)) / (1 + z2 / rows);
  const double half =
      kNormal / (1 + z2 / rows) * std::sqrt(share * (1 - share) / rows + z2 / (4 * rows * rows));
  // Exact at the ends, where rounding would leave a trace.
  return {share <= 0 ? 0 : std::max(0.0, centre - half),
          share >= 1 ? 1 : std::min(1.0, centre + half)};
}

}  // namespace

std::optional<std::array<double, 2>> IntervalOf(const Metric& metric, double value,
                                                const Matrix& scores, const Dataset& data,
                                                double unit) {
  if (!std::isfinite(value) || data.rows() < 2) return std::nullopt;
  if (metric.kind == Metric::Kind::kShareOfRows) return Wilson(value, EffectiveRows(data));
  if (data.rows() * data.y.outputs() > kMostScores) return std::nullopt;
  const size_t groups = std::min(kGroups, data.rows());
  const std::optional<double> error = ErrorOf(metric, scores, data, unit, groups);
  if (!error) return std::nullopt;
  if (metric.kind == Metric::Kind::kShare) {
    const double spread = value * (1 - value);
    const double known = *error > 0 ? spread / (*error * *error) : RowsOfRarest(data);
    return Wilson(value, std::clamp(known, 1.0, static_cast<double>(data.rows())));
  }
  const double half = StudentQuantile(groups - 1) * *error;
  const bool error_of_values = !metric.larger_is_better;  // which is never below 0
  return std::array{error_of_values ? std::max(0.0, value - half) : value - half, value + half};
}

}  // namespace slm
