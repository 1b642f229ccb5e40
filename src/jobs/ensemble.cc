#include "jobs/ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "jobs/choice_archive.h"
#include "selectors/choose.h"

namespace slm {
namespace {

std::vector<int> Ascending(std::vector<int> features) {
  std::sort(features.begin(), features.end());
  return features;
}

}  // namespace

EnsembleChoice SelectByMean(const Problem& problem, int k, uint64_t seed, int members,
                            Selector& selector, const Context& context) {
  const size_t d = problem.layout.features();
  std::vector<double> weights(d), scores(d);
  std::vector<int> counts(d);
  std::vector<uint8_t> weighed(d);
  std::vector<Choice> done;
  for (int i = 0; i < members; ++i) {
    Choice choice = SelectOrFind("select " + std::to_string(k) + " member " + std::to_string(i),
                                 selector, problem, k, seed + static_cast<uint64_t>(i), context);
    if (i > 0 && context.ShouldStop()) break;  // cut short: not what it would have chosen
    for (size_t j = 0; j < d; ++j) {
      weights[j] += std::isnan(choice.weights[j]) ? 0 : choice.weights[j];
      weighed[j] |= static_cast<uint8_t>(!std::isnan(choice.weights[j]));
      scores[j] += choice.scores[j];
    }
    for (int feature : choice.features) ++counts[static_cast<size_t>(feature)];
    done.push_back(std::move(choice));
  }

  // Features that nobody chose come last, whatever weights say of them.
  std::vector<int> order(d);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const size_t x = static_cast<size_t>(a), y = static_cast<size_t>(b);
    if ((counts[x] > 0) != (counts[y] > 0)) return counts[x] > 0;
    if (weights[x] != weights[y]) return weights[x] > weights[y];
    return scores[x] > scores[y];
  });
  order.resize(static_cast<size_t>(k));
  HoldKept(problem.keep, &order);

  const double n = static_cast<double>(done.size());
  EnsembleChoice ensemble;
  Choice& choice = ensemble.choice;
  choice.weights.resize(d);
  for (size_t j = 0; j < d; ++j) choice.scores.push_back(static_cast<float>(scores[j] / n));
  for (int feature : order) {
    const size_t j = static_cast<size_t>(feature);
    choice.weights[j] = weighed[j] != 0 ? static_cast<float>(weights[j] / n)
                                        : std::numeric_limits<float>::quiet_NaN();
    ensemble.frequency.push_back(counts[j] / n);
  }
  const std::vector<int> chosen = Ascending(order);
  for (Choice& member : done) {
    if (Ascending(member.features) != chosen) continue;
    choice.model = std::move(member.model);
    break;
  }
  choice.features = std::move(order);
  return ensemble;
}

}  // namespace slm
