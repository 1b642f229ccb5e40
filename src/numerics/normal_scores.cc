#include "numerics/normal_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numerics/tails.h"

namespace slm {
namespace {

// What normal variables are expected to be by rank, of so many.
std::vector<double> ScoresOfRanks(size_t n) {
  std::vector<double> scores(n);
  for (size_t r = 0; r < n / 2; ++r) {
    scores[n - 1 - r] = NormalCritical((static_cast<double>(r) + 0.5) / static_cast<double>(n));
    scores[r] = -scores[n - 1 - r];
  }
  return scores;
}

std::vector<double> ValuesOf(const Matrix& x, size_t column, bool two_valued,
                             const std::vector<double>& scores) {
  std::vector<double> values(x.rows());
  if (two_valued) {
    for (size_t i = 0; i < x.rows(); ++i) values[i] = double{x(i, column)};
    return values;
  }
  const std::vector<int32_t> order = RowsByValue(x, column);
  for (size_t begin = 0, end; begin < order.size(); begin = end) {
    const float value = x(static_cast<size_t>(order[begin]), column);
    double sum = 0;
    for (end = begin; end < order.size(); ++end) {
      if (x(static_cast<size_t>(order[end]), column) != value) break;
      sum += scores[end];
    }
    const double mean = sum / static_cast<double>(end - begin);
    for (size_t i = begin; i < end; ++i) values[static_cast<size_t>(order[i])] = mean;
  }
  return values;
}

}  // namespace

std::vector<int32_t> RowsByValue(const Matrix& x, size_t column) {
  std::vector<int32_t> order(x.rows());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return x(static_cast<size_t>(a), column) < x(static_cast<size_t>(b), column);
  });
  return order;
}

bool HasTwoValues(const Matrix& x, size_t column, float* low, float* high) {
  *low = *high = x(0, column);
  for (size_t i = 1; i < x.rows(); ++i) {
    const float value = x(i, column);
    if (value == *low || value == *high) continue;
    if (*low != *high) return false;
    (value < *low ? *low : *high) = value;
  }
  return *low != *high;
}

NormalScores NormalScores::Fit(const Matrix& x, ThreadPool& pool) {
  const std::vector<double> scores = ScoresOfRanks(x.rows());
  NormalScores fitted;
  fitted.columns_.resize(x.cols());
  pool.ParallelFor(x.cols(), [&](size_t c) {
    Column& own = fitted.columns_[c];
    own.two_valued = HasTwoValues(x, c, &own.low, &own.high);
    const std::vector<double> values = ValuesOf(x, c, own.two_valued, scores);
    const double n = static_cast<double>(x.rows());
    own.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double square = 0;
    for (double v : values) square += (v - own.mean) * (v - own.mean) / n;
    own.scale = square > 0 ? 1 / std::sqrt(square) : 0;
  });
  return fitted;
}

Matrix NormalScores::Apply(const Matrix& x, ThreadPool& pool) const {
  const std::vector<double> scores = ScoresOfRanks(x.rows());
  Matrix z(x.rows(), x.cols());
  pool.ParallelFor(x.cols(), [&](size_t c) {
    const std::vector<double> values = ValuesOf(x, c, columns_[c].two_valued, scores);
    for (size_t i = 0; i < x.rows(); ++i) {
      z(i, c) = static_cast<float>((values[i] - columns_[c].mean) * columns_[c].scale);
    }
  });
  return z;
}

}  // namespace slm
