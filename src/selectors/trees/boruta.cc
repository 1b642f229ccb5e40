#include "selectors/trees/boruta.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "numerics/shadows.h"
#include "selectors/choose.h"

namespace slm {
namespace {

constexpr size_t kFewestShadows = 5;  // a maximum over fewer is too easy to beat
constexpr uint64_t kShadowStream = 0x626f72757461;

// By linear interpolation between the sorted values.
double Percentile(std::vector<double> values, double percentile) {
  std::sort(values.begin(), values.end());
  const double at = percentile / 100 * static_cast<double>(values.size() - 1);
  const size_t below = static_cast<size_t>(at), above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

}  // namespace

Boruta::Boruta(const Problem& problem, const BorutaOptions& options, uint64_t seed,
               const Context& context)
    : problem_(problem),
      layout_(problem.layout),
      options_(options),
      random_(seed, kShadowStream),
      context_(context),
      x_(problem.train.x->InMemory()),
      test_(layout_.features(), options.test),
      history_(layout_.features()) {
  for (size_t i = 0; i < problem.train.rows(); ++i) {
    if (problem.train.RowWeight(i) > 0) rows_.push_back(static_cast<uint32_t>(i));
  }
}

void Boruta::Run() {
  while (test_.rounds() < options_.rounds && test_.Open() > 0 && !context_.ShouldStop()) {
    if (!Round()) break;
    if (context_.observer != nullptr) {
      context_.observer->OnProgress({.phase = "rounds",
                                     .step = test_.rounds(),
                                     .steps = options_.rounds,
                                     .active_features = static_cast<int>(Alive().size())});
    }
  }
}

std::vector<size_t> Boruta::Alive() const {
  std::vector<size_t> alive;
  for (size_t j = 0; j < layout_.features(); ++j) {
    if (test_.verdict(j) != HitVerdict::kRejected) alive.push_back(j);
  }
  return alive;
}

size_t Boruta::Width(size_t feature) const {
  return static_cast<size_t>(layout_.offsets[feature + 1] - layout_.offsets[feature]);
}

// False if it was cut short.
bool Boruta::Round() {
  const std::vector<size_t> alive = Alive();
  std::vector<size_t> both = alive;  // the features, then their shadows
  do {
    both.insert(both.end(), alive.begin(), alive.end());
  } while (both.size() < alive.size() + kFewestShadows);
  size_t own_width = 0, width = 0;
  for (size_t j : alive) own_width += Width(j);
  for (size_t j : both) width += Width(j);
  Matrix x(x_.rows, width);
  size_t at = 0;
  for (size_t j : alive) {
    for (size_t c = 0; c < Width(j); ++c, ++at) {
      const size_t from = static_cast<size_t>(layout_.offsets[j]) + c;
      for (size_t i = 0; i < x_.rows; ++i) x(i, at) = x_(i, from);
    }
  }
  const RandomStream random = random_.Substream(static_cast<uint64_t>(test_.rounds()));
  FillShadows(x_, layout_, std::span(both).subspan(alive.size()), rows_, random, *context_.pool,
              {x.data() + own_width, x.rows(), width - own_width, x.stride()});
  const Forest forest(x.view(), problem_.train.y, problem_.train.weight, context_);
  std::vector<int32_t> columns(width);
  std::iota(columns.begin(), columns.end(), 0);
  RandomStream seeds = random.Substream(both.size());
  const ForestResult result = forest.Grow(options_.forest, columns, seeds.Bits(), false, context_);
  std::vector<double> importance;
  at = 0;
  for (size_t j : both) {
    double sum = 0;
    for (size_t c = 0; c < Width(j); ++c, ++at) sum += result.importance[at];
    importance.push_back(sum);
  }
  for (size_t i = 0; i < alive.size(); ++i) history_[alive[i]].push_back(importance[i]);
  if (context_.ShouldStop()) return false;
  const double bar =
      Percentile({importance.begin() + static_cast<std::ptrdiff_t>(alive.size()), importance.end()},
                 options_.percentile);
  std::vector<bool> hit(layout_.features());
  for (size_t i = 0; i < alive.size(); ++i) hit[alive[i]] = importance[i] > bar;
  test_.AddRound(hit);
  return true;
}

Choice Boruta::Choose(size_t k) const {
  const auto place = [&](size_t j) {
    return test_.verdict(j) == HitVerdict::kConfirmed ? 0
           : test_.verdict(j) == HitVerdict::kOpen    ? 1
                                                      : 2;
  };
  std::vector<double> scores(layout_.features()), median(scores.size()), mean(scores.size());
  std::vector<int> order(scores.size());
  for (size_t j = 0; j < scores.size(); ++j) {
    order[j] = static_cast<int>(j);
    if (!history_[j].empty()) {
      median[j] = Percentile(history_[j], 50);
      mean[j] = std::accumulate(history_[j].begin(), history_[j].end(), 0.0) /
                static_cast<double>(history_[j].size());
    }
    if (test_.rounds() > 0) scores[j] = static_cast<double>(test_.hits(j)) / test_.rounds();
  }
  std::stable_sort(order.begin(), order.end(), [&](int left, int right) {
    const size_t a = static_cast<size_t>(left), b = static_cast<size_t>(right);
    if (place(a) != place(b)) return place(a) < place(b);
    if (test_.hits(a) != test_.hits(b)) return test_.hits(a) > test_.hits(b);
    if (median[a] != median[b]) return median[a] > median[b];
    return mean[a] > mean[b];  // where columns are many, most medians are 0
  });
  order.resize(k);
  return ChooseInOrder(order, scores);
}

}  // namespace slm
