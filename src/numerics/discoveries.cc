#include "numerics/discoveries.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace slm {
namespace {

struct Estimate {
  double t = 0, rate = 0;
};

// At every |W_j| > 0, descending.
std::vector<Estimate> Estimates(std::span<const double> w) {
  std::vector<double> sorted(w.begin(), w.end());
  std::sort(sorted.begin(), sorted.end(),
            [](double a, double b) { return std::abs(a) > std::abs(b); });
  std::vector<Estimate> estimates;
  size_t above = 0, below = 0;
  for (size_t i = 0; i < sorted.size() && sorted[i] != 0; ++i) {
    ++(sorted[i] > 0 ? above : below);
    const double t = std::abs(sorted[i]);
    if (i + 1 < sorted.size() && std::abs(sorted[i + 1]) == t) continue;  // ties count together
    const double rate =
        static_cast<double>(1 + below) / static_cast<double>(std::max<size_t>(1, above));
    estimates.push_back({t, rate});
  }
  return estimates;
}

}  // namespace

double KnockoffThreshold(std::span<const double> w, double q) {
  double threshold = std::numeric_limits<double>::infinity();
  for (const Estimate& one : Estimates(w)) {
    if (one.rate <= q) threshold = one.t;
  }
  return threshold;
}

std::vector<double> KnockoffQValues(std::span<const double> w) {
  std::vector<Estimate> estimates = Estimates(w);
  // The least over all smaller t.
  double least = 1;
  for (size_t i = estimates.size(); i-- > 0;)
    least = estimates[i].rate = std::min(least, estimates[i].rate);
  std::vector<double> q_values(w.size(), 1);
  for (size_t j = 0; j < w.size(); ++j) {
    if (!(w[j] > 0)) continue;
    const auto own = std::lower_bound(estimates.begin(), estimates.end(), w[j],
                                      [](const Estimate& one, double t) { return one.t > t; });
    q_values[j] = own->rate;
  }
  return q_values;
}

std::vector<double> AdjustedForRate(std::span<const double> p_values, size_t tests) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double least = 1;
  for (size_t i = order.size(); i-- > 0;) {
    least = std::min(least,
                     p_values[order[i]] * static_cast<double>(tests) / static_cast<double>(i + 1));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace slm
