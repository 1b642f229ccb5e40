#pragma once

// Sparsemax and the mask in double, by full sorts and the paper's own formulas: what mask/mask.h is
// held against.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "slm/options.h"

namespace slm {

// Martins and Astudillo 2016, Algorithm 1.
inline std::vector<double> ReferenceSparsemax(const std::vector<double>& z) {
  std::vector<double> sorted = z;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, threshold = 0;
  for (size_t k = 1; k <= sorted.size(); ++k) {
    sum += sorted[k - 1];
    if (1 + static_cast<double>(k) * sorted[k - 1] > sum) {
      threshold = (sum - 1) / static_cast<double>(k);
    }
  }
  std::vector<double> p;
  for (double x : z) p.push_back(std::max(0.0, x - threshold));
  return p;
}

// g(k) = sum_{i <= k} v(i) - k v(k) for k = 1 ... d, at [k - 1].
inline std::vector<double> SortedGaps(std::vector<double> v) {
  std::sort(v.begin(), v.end(), std::greater<>());
  std::vector<double> g;
  double sum = 0;
  for (size_t k = 1; k <= v.size(); ++k) {
    sum += v[k - 1];
    g.push_back(sum - static_cast<double>(k) * v[k - 1]);
  }
  return g;
}

struct ReferenceMask {
  std::vector<size_t> support;  // best first
  std::vector<double> p;        // of every feature
  double m = 1;
};

// For arguments without a tie at the cut. With `fixed_scale` m is that number instead of the
// rule's, which makes a derivative one "with m constant".
inline ReferenceMask MakeReferenceMask(const std::vector<double>& v, size_t count, MaskScale rule,
                                       std::optional<double> fixed_scale = std::nullopt) {
  ReferenceMask mask;
  mask.support.resize(v.size());
  std::iota(mask.support.begin(), mask.support.end(), size_t{0});
  std::stable_sort(mask.support.begin(), mask.support.end(),
                   [&](size_t a, size_t b) { return v[a] > v[b]; });
  mask.support.resize(count);
  mask.p.resize(v.size());
  if (rule == MaskScale::kSoftmaxTopK) {
    // Softmax of everything, the F largest of it, and another normalisation.
    double all = 0, kept = 0;
    for (double x : v) all += std::exp(x);
    for (size_t j : mask.support) kept += std::exp(v[j]) / all;
    for (size_t j : mask.support) mask.p[j] = std::exp(v[j]) / all / kept;
    return mask;
  }
  const std::vector<double> g = SortedGaps(v);
  const double left = count < v.size() ? 1 / g[count] : 0;
  const double right =
      g[count - 1] > 0 ? 1 / g[count - 1] : std::numeric_limits<double>::infinity();
  // A thousandth inside the open right end.
  const double nearest = std::max(left, right > 1 ? 1.0 : 0.999 * right);
  const bool left_end = rule == MaskScale::kLeftEnd && count < v.size();
  mask.m = fixed_scale.value_or(left_end ? left : nearest);
  double mean = 0;
  for (size_t j : mask.support) mean += v[j] / static_cast<double>(count);
  for (size_t j : mask.support) {
    mask.p[j] = mask.m * (v[j] - mean) + 1 / static_cast<double>(count);
  }
  return mask;
}

}  // namespace slm
