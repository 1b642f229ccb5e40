#include "slm/mask_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/products.h"
#include "slm/cross_fit.h"
#include "slm/label_variance.h"

namespace slm {

namespace {

constexpr size_t kMostRows = 500;    // for correlations: a standard error of 0.04
constexpr size_t kMostTaken = 500;   // those after them are discounted enough
constexpr size_t kPoolForEach = 10;  // features that may be taken, for each that is
constexpr size_t kLeastPool = 1000;

// The features with the highest scores, and the rows of each that correlations are told from.
struct Pool {
  Pool(const Dataset& data, const Strongest& strongest, int k)
      : features(strongest.score.size()),
        taken(std::min({static_cast<size_t>(k), features.size(), kMostTaken})),
        rows(std::min(kMostRows, data.rows())) {
    std::iota(features.begin(), features.end(), size_t{0});
    std::stable_sort(features.begin(), features.end(),
                     [&](size_t a, size_t b) { return strongest.score[a] > strongest.score[b]; });
    features.resize(std::min(features.size(), std::max(kLeastPool, kPoolForEach * taken)));
    units.resize(features.size() * rows);
    for (size_t i = 0; i < features.size(); ++i) {
      CopyUnit(data.x, strongest.column[features[i]], rows, units.data() + i * rows);
    }
  }

  const double* unit(size_t i) const { return units.data() + i * rows; }

  std::vector<size_t> features;
  size_t taken;  // how many of them are taken
  size_t rows;
  std::vector<double> units;
};

// The share of the variance that the label explains, of columns of the pool and of what is left of
// them beside another one.
class ExplainedShares {
 public:
  ExplainedShares(const Dataset& data, const Pool& pool)
      : parts_(data.y.task == Task::kClassification ? static_cast<size_t>(data.y.classes) : 1),
        sums_(pool.features.size() * parts_),
        least_left_(1 / static_cast<double>(pool.rows)) {
    // Orthonormal directions of the label: a constant on each class, or the value itself. Unit
    // columns are centred, so that the mean of the value does not matter but for its length.
    std::vector<size_t> part(pool.rows);
    std::vector<double> value(pool.rows, 1.0), square(parts_);
    double mean = 0;
    for (size_t i = 0; i < pool.rows; ++i) {
      const size_t row = i * data.rows() / pool.rows;
      if (data.y.task == Task::kClassification) {
        part[i] = static_cast<size_t>(data.y.index[row]);
      } else {
        value[i] = data.y.value[row];
        mean += value[i] / static_cast<double>(pool.rows);
      }
    }
    for (size_t i = 0; i < pool.rows; ++i) {
      value[i] -= mean;
      square[part[i]] += value[i] * value[i];
    }
    for (size_t i = 0; i < pool.rows; ++i) {
      if (square[part[i]] > 0) value[i] /= std::sqrt(square[part[i]]);
    }
    for (size_t j = 0; j < pool.features.size(); ++j) {
      for (size_t i = 0; i < pool.rows; ++i) {
        sums_[j * parts_ + part[i]] += value[i] * pool.unit(j)[i];
      }
    }
  }

  double Of(size_t i) const { return Explained(i, i, 0); }

  // Of column i less its projection on column j, with which it has the correlation r.
  double Beside(size_t i, size_t j, double r) const {
    return Explained(i, j, r) / (1 - r * r + least_left_);
  }

 private:
  double Explained(size_t i, size_t j, double r) const {
    double square = 0;
    for (size_t g = 0; g < parts_; ++g) {
      const double sum = sums_[i * parts_ + g] - r * sums_[j * parts_ + g];
      square += sum * sum;
    }
    return square;
  }

  size_t parts_;
  std::vector<double> sums_;
  double least_left_;  // what is left of a copy is rounding
};

// Takes features of the pool in order of their scores. Each one taken lowers the scores of those
// that are not: lower(feature, taken, correlation of the two, score), by places in the pool.
template <class Lower>
std::vector<double> LowerInTurn(const Pool& pool, std::vector<double> scores,
                                const Context* context, const Lower& lower) {
  const std::vector<size_t>& features = pool.features;
  std::vector<char> is_taken(features.size());
  for (size_t round = 0; round < pool.taken; ++round) {
    if (context != nullptr && context->ShouldStop()) break;
    size_t best = features.size();
    for (size_t i = 0; i < features.size(); ++i) {
      if (is_taken[i]) continue;
      if (best == features.size() || scores[features[i]] > scores[features[best]]) best = i;
    }
    is_taken[best] = 1;
    for (size_t i = 0; i < features.size(); ++i) {
      if (is_taken[i]) continue;
      const double r = Dot(pool.unit(i), pool.unit(best), pool.rows);
      scores[features[i]] = lower(i, best, r, scores[features[i]]);
    }
  }
  return scores;
}

}  // namespace

std::vector<double> AnovaScores(const FeatureLayout& layout, const Dataset& data,
                                const Context* context) {
  return StrongestColumns(layout, data, context).score;
}

std::vector<double> DistinctScores(const FeatureLayout& layout, const Dataset& data, int k,
                                   const Context* context) {
  Strongest strongest = StrongestColumns(layout, data, context);
  const Pool pool(data, strongest, k);
  auto lower = [](size_t, size_t, double r, double score) {
    return score * std::max(0.0, 1 - r * r);
  };
  return LowerInTurn(pool, std::move(strongest.score), context, lower);
}

std::vector<double> ConditionalScores(const FeatureLayout& layout, const Dataset& data, int k,
                                      const Context* context) {
  Strongest strongest = StrongestColumns(layout, data, context);
  const Pool pool(data, strongest, k);
  const ExplainedShares shares(data, pool);
  auto odds = [](double share) { return share / std::max(1 - share, 1e-12); };  // as F has them
  auto lower = [&, alone = strongest.score](size_t i, size_t taken, double r, double score) {
    const double share = shares.Of(i), left = shares.Beside(i, taken, r);
    if (!(left < share)) return score;
    return std::min(score, alone[pool.features[i]] * odds(left) / odds(share));
  };
  return LowerInTurn(pool, std::move(strongest.score), context, lower);
}

std::vector<double> FilterScores(const Problem& problem, int k, const Context* context) {
  const auto scores = FewRows(problem) ? ConditionalScores : DistinctScores;
  return scores(problem.layout, problem.train, k, context);
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
