#include "slm/mask_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/products.h"
#include "slm/label_variance.h"

namespace slm {

namespace {

constexpr size_t kMostRows = 500;    // for correlations: a standard error of 0.04
constexpr size_t kMostTaken = 500;   // those after them are discounted enough
constexpr size_t kPoolForEach = 10;  // features that may be taken, for each that is
constexpr size_t kLeastPool = 1000;

// The encoded column of each feature with the highest score, and that score.
struct Strongest {
  std::vector<int32_t> column;
  std::vector<double> score;
};

Strongest StrongestColumns(const FeatureLayout& layout, const Dataset& data,
                           const Context* context) {
  const LabelVariance variance(data);
  const std::vector<VarianceParts> parts = variance.OfColumns(context);
  Strongest strongest{std::vector<int32_t>(layout.features()),
                      std::vector<double>(layout.features())};
  for (size_t j = 0; j < layout.features(); ++j) {
    strongest.column[j] = layout.offsets[j];
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
      const double score = variance.F(parts[static_cast<size_t>(c)]);
      if (score <= strongest.score[j]) continue;
      strongest.score[j] = score;
      strongest.column[j] = c;
    }
  }
  return strongest;
}

// Some rows of a column, centred and of length one; all zero for a constant.
void CopyUnit(const Matrix& x, int32_t column, size_t rows, double* out) {
  double mean = 0, square = 0;
  for (size_t i = 0; i < rows; ++i) {
    out[i] = x(i * x.rows() / rows, static_cast<size_t>(column));
    mean += out[i] / static_cast<double>(rows);
  }
  for (size_t i = 0; i < rows; ++i) {
    out[i] -= mean;
    square += out[i] * out[i];
  }
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  for (size_t i = 0; i < rows; ++i) out[i] *= scale;
}

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
  std::vector<double> units(pool.size() * rows);
  for (size_t i = 0; i < pool.size(); ++i) {
    CopyUnit(data.x, strongest.column[pool[i]], rows, units.data() + i * rows);
  }
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
