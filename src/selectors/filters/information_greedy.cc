#include "selectors/filters/information_greedy.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/thread_pool.h"

namespace slm {
namespace {

// Features whose bounds are improved side by side. Part of the result's definition (bounds of
// features not taken depend on it), so it is no function of the threads.
constexpr size_t kSideBySide = 8;

void Report(const Context& context, size_t taken, int k) {
  if (context.observer == nullptr) return;
  context.observer->OnProgress({.phase = "features",
                                .step = static_cast<int>(taken),
                                .steps = k,
                                .active_features = static_cast<int>(taken)});
}

auto BestFirst(std::span<const double> scores) {
  return [scores](int a, int b) {
    const double of_a = scores[static_cast<size_t>(a)], of_b = scores[static_cast<size_t>(b)];
    return of_a != of_b ? of_a > of_b : a < b;
  };
}

// What is not taken yet.
class Remaining {
 public:
  explicit Remaining(std::span<const int> candidates)
      : features_(candidates.begin(), candidates.end()) {}

  const std::vector<int>& features() const { return features_; }

  void Sort(std::span<const double> scores) {
    std::sort(features_.begin(), features_.end(), BestFirst(scores));
  }

  int Take(std::span<const double> scores) {
    const auto best = std::min_element(features_.begin(), features_.end(), BestFirst(scores));
    const int feature = *best;
    features_.erase(best);
    return feature;
  }

 private:
  std::vector<int> features_;
};

}  // namespace

std::vector<int> AllFeatures(size_t n) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

GreedyOrder GreedyBySum(
    const BinnedProblem& problem, std::span<const int> candidates, int k,
    const std::function<double(std::span<const uint32_t>, size_t, size_t)>& pair,
    const std::function<double(size_t, double, size_t)>& score, const Context& context) {
  GreedyOrder order;
  order.scores.assign(problem.features(), 0.0);
  std::vector<double> sums(problem.features());
  Remaining remaining(candidates);
  for (int f : candidates) {
    order.scores[static_cast<size_t>(f)] = score(static_cast<size_t>(f), 0, 0);
  }
  bool stopped = false;
  while (order.features.size() < static_cast<size_t>(k)) {
    const size_t s = static_cast<size_t>(remaining.Take(order.scores));
    order.features.push_back(static_cast<int>(s));
    Report(context, order.features.size(), k);
    stopped = stopped || context.ShouldStop();
    if (stopped || order.features.size() == static_cast<size_t>(k)) continue;
    const std::vector<uint32_t> keys = problem.Keys(s);
    context.pool->ParallelFor(remaining.features().size(), [&](size_t i) {
      if (context.ShouldStop()) return;
      const size_t f = static_cast<size_t>(remaining.features()[i]);
      sums[f] += pair(keys, s, f);
      order.scores[f] = score(f, sums[f], order.features.size());
    });
  }
  return order;
}

GreedyOrder GreedyByMinimum(const BinnedProblem& problem, int k,
                            const std::function<double(size_t)>& offset, const Context& context) {
  const size_t features = problem.features();
  GreedyOrder order;
  for (size_t f = 0; f < features; ++f) order.scores.push_back(problem.Relevance(f));
  const std::vector<int> all = AllFeatures(features);
  Remaining remaining(all);
  order.features.push_back(remaining.Take(order.scores));
  // The relevance of a feature is no bound of its minimum: given others it may tell more.
  for (int f : remaining.features()) {
    order.scores[static_cast<size_t>(f)] = std::numeric_limits<double>::infinity();
  }
  std::vector<size_t> seen(features);  // how many of those taken the bound knows
  // Lowers the bound of f, until it knows all of them or cannot win.
  auto improve = [&](size_t f, double to_beat) {
    const std::vector<uint32_t> keys = problem.KeysWithLabel(f);
    double& bound = order.scores[f];
    while (seen[f] < order.features.size() && bound >= to_beat && !context.ShouldStop()) {
      const size_t s = static_cast<size_t>(order.features[seen[f]++]);
      bound = std::min(bound, problem.ConditionalRelevance(keys, f, s) + offset(s));
    }
  };
  // The first round is about every feature.
  context.pool->ParallelFor(remaining.features().size(), [&](size_t i) {
    improve(static_cast<size_t>(remaining.features()[i]), -std::numeric_limits<double>::infinity());
  });
  while (order.features.size() < static_cast<size_t>(k)) {
    remaining.Sort(order.scores);
    const std::vector<int>& by_bound = remaining.features();
    double best = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < by_bound.size() && !context.ShouldStop();) {
      if (order.scores[static_cast<size_t>(by_bound[i])] < best) break;
      const size_t count = std::min(kSideBySide, by_bound.size() - i);
      context.pool->ParallelFor(
          count, [&](size_t b) { improve(static_cast<size_t>(by_bound[i + b]), best); });
      for (size_t b = 0; b < count; ++b) {
        const size_t f = static_cast<size_t>(by_bound[i + b]);
        if (seen[f] == order.features.size()) best = std::max(best, order.scores[f]);
      }
      i += count;
    }
    order.features.push_back(remaining.Take(order.scores));
    Report(context, order.features.size(), k);
  }
  // Features that a stop kept from being looked at have no finite bound yet.
  for (size_t f = 0; f < features; ++f) {
    if (!std::isfinite(order.scores[f])) order.scores[f] = problem.Relevance(f);
  }
  return order;
}

}  // namespace slm
