#include "selectors/networks/hier_prox.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/hierarchy.h"

namespace slm {
namespace {

// Sums run in sixteen lanes, an order that the compiler can turn into vectors without changing it.
struct Lanes {
  float sum[kLanes] = {};

  double Total() const {
    double total = 0;
    for (float lane : sum) total += lane;
    return total;
  }
};

double Norm(std::span<const float> v) {
  Lanes squares;
  for (size_t i = 0; i < v.size(); i += kLanes) {
    for (size_t l = 0; l < kLanes; ++l) squares.sum[l] += v[i + l] * v[i + l];
  }
  return std::sqrt(squares.Total());
}

float LargestMagnitude(std::span<const float> u) {
  float top[kLanes] = {};
  for (size_t i = 0; i < u.size(); i += kLanes) {
    for (size_t l = 0; l < kLanes; ++l) {
      const float magnitude = std::abs(u[i + l]);
      top[l] = magnitude > top[l] ? magnitude : top[l];
    }
  }
  return *std::max_element(std::begin(top), std::end(top));
}

}  // namespace

float HierProx(std::span<float> v, std::span<float> u, double lambda, double hierarchy,
               float guess) {
  return ShrinkHierarchy({.skip = v.data(),
                          .skip_size = v.size(),
                          .hidden = u.data(),
                          .hidden_size = u.size(),
                          .lambda = lambda,
                          .hierarchy = hierarchy,
                          .guess = guess});
}

namespace {

constexpr int kMostApplications = 10000;
constexpr double kStill = 1e-5;     // no skip weight moves by more: the repetition has ended
constexpr double kFirst = 1e-6;     // the first lambda that is tried
constexpr int kStopInterval = 100;  // applications between two looks at the clock

// A feature under repeated application: its largest `capped` hidden weights have met the bound and
// are all equal to it; the others are as they were.
struct Shrinking {
  std::vector<double> hidden;  // magnitudes, largest first
  double norm;                 // of the skip weights
  double share;                // of the largest skip weight in the norm
  double bound;
  size_t capped;

  Shrinking(const FeatureWeights& weights, double hierarchy) {
    norm = Norm(weights.skip);
    share = norm > 0 ? LargestMagnitude(weights.skip) / norm : 0;
    if (hierarchy > 0) {
      for (float u : weights.hidden) {
        if (u != 0) hidden.push_back(std::abs(u));
      }
    }
    std::sort(hidden.begin(), hidden.end(), std::greater<>());
    bound = hidden.empty() ? 0 : hidden[0];
    capped = std::min<size_t>(1, hidden.size());
  }

  // Applies the operator once and returns by how much the norm fell.
  double Apply(double lambda, double hierarchy) {
    const double before = norm;
    const double slack = hierarchy * (norm - lambda);
    if (norm > lambda && slack >= bound) {
      norm -= lambda;
      return before - norm;
    }
    const double square = hierarchy * hierarchy;
    double sum = static_cast<double>(capped) * bound;
    double w = (slack + square * sum) / (1 + static_cast<double>(capped) * square);
    while (capped < hidden.size() && hidden[capped] > w) {
      sum += hidden[capped++];
      w = (slack + square * sum) / (1 + static_cast<double>(capped) * square);
    }
    bound = std::max(0.0, w);
    norm = bound > 0 ? bound / hierarchy : 0;
    return before - norm;
  }
};

bool Removes(std::vector<Shrinking> features, double lambda, double hierarchy,
             const Context& context) {
  for (int i = 0; i < kMostApplications; ++i) {
    double moved = 0;
    bool gone = false;
    for (Shrinking& feature : features) {
      if (feature.norm > 0) {
        moved = std::max(moved, feature.share * feature.Apply(lambda, hierarchy));
      }
      gone |= feature.norm == 0;
    }
    if (moved < kStill) return false;
    if (gone || (i % kStopInterval == 0 && context.ShouldStop())) return true;
  }
  return false;
}

}  // namespace

double LargestHarmlessLambda(std::span<const FeatureWeights> features, double hierarchy,
                             const Context& context) {
  std::vector<Shrinking> start;
  start.reserve(features.size());
  for (const FeatureWeights& weights : features) start.emplace_back(weights, hierarchy);
  // Beyond the largest norm one application removes everything, even where all norms are so small
  // that nothing seems to move.
  double largest = 0;
  for (const Shrinking& feature : start) largest = std::max(largest, feature.norm);
  double lambda = kFirst;
  while (lambda < largest && !Removes(start, 2 * lambda, hierarchy, context)) lambda *= 2;
  return lambda;
}

}  // namespace slm
