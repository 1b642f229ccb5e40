#include "search/filter_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/products.h"
#include "numerics/label_variance.h"

namespace slm {

namespace {

constexpr size_t kMostRows = 500;    // for correlations: a standard error of 0.04
constexpr size_t kMostTaken = 500;   // those after them are discounted enough
constexpr size_t kPoolForEach = 10;  // features that may be taken, for each that is
constexpr size_t kLeastPool = 1000;

}  // namespace

std::vector<double> AnovaScores(const FeatureLayout& layout, const Dataset& data,
                                const Context* context) {
  return StrongestColumns(layout, data, context).score;
}

std::vector<double> DistinctScores(const FeatureLayout& layout, const Dataset& data, int k,
                                   const Context* context) {
  Strongest strongest = StrongestColumns(layout, data, context);
  std::vector<double>& scores = strongest.score;
  const size_t taken = std::min({static_cast<size_t>(k), scores.size(), kMostTaken});
  std::vector<size_t> pool(scores.size());
  std::iota(pool.begin(), pool.end(), size_t{0});
  std::stable_sort(pool.begin(), pool.end(),
                   [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  pool.resize(std::min(pool.size(), std::max(kLeastPool, kPoolForEach * taken)));

  const size_t rows = std::min(kMostRows, data.rows());
  std::vector<int32_t> columns;
  for (size_t j : pool) columns.push_back(strongest.column[j]);
  const std::vector<double> units = UnitColumns(*data.x, columns, rows);
  std::vector<char> is_taken(pool.size());
  for (size_t round = 0; round < taken; ++round) {
    if (context != nullptr && context->ShouldStop()) break;
    size_t best = pool.size();
    for (size_t i = 0; i < pool.size(); ++i) {
      if (!is_taken[i] && (best == pool.size() || scores[pool[i]] > scores[pool[best]])) best = i;
    }
    is_taken[best] = 1;
    for (size_t i = 0; i < pool.size(); ++i) {
      if (is_taken[i]) continue;
      const double r = Dot(units.data() + i * rows, units.data() + best * rows, rows);
      scores[pool[i]] *= std::max(0.0, 1 - r * r);
    }
  }
  return scores;
}

std::vector<float> FilterStart(std::span<const double> scores, double strength) {
  const double n = static_cast<double>(scores.size());
  double mean = 0, square = 0;
  for (double s : scores) mean += std::sqrt(s) / n;
  for (double s : scores) square += (std::sqrt(s) - mean) * (std::sqrt(s) - mean) / n;
  const double factor = square > 0 ? strength / std::sqrt(square) : 0;
  std::vector<float> start;
  start.reserve(scores.size());
  for (double s : scores) start.push_back(static_cast<float>(1 + factor * (std::sqrt(s) - mean)));
  return start;
}

}  // namespace slm
