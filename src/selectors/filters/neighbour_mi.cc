#include "selectors/filters/neighbour_mi.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/float_order.h"
#include "numerics/plane_tree.h"

namespace slm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Scaled to a standard deviation of one, in the given order; empty for a constant.
std::vector<double> Scaled(std::span<const float> values, std::span<const uint32_t> order) {
  const double n = static_cast<double>(values.size());
  double mean = 0, square = 0;
  for (float v : values) mean += v / n;
  for (float v : values) square += (v - mean) * (v - mean) / n;
  if (!(square > 0)) return {};
  std::vector<double> out;
  out.reserve(order.size());
  for (uint32_t row : order) out.push_back(values[row] / std::sqrt(square));
  return out;
}

// For each place of a sorted list, where its run of equal items begins and ends.
struct Runs {
  std::vector<uint32_t> first, last;  // last is still inside

  template <class Equal>
  Runs(size_t n, Equal equal_to_previous) : first(n), last(n) {
    for (size_t i = 1; i < n; ++i) {
      first[i] = equal_to_previous(i) ? first[i - 1] : static_cast<uint32_t>(i);
    }
    for (size_t i = n; i-- > 0;) {
      last[i] = i + 1 < n && first[i + 1] == first[i] ? last[i + 1] : static_cast<uint32_t>(i);
    }
  }
  size_t length(size_t i) const { return last[i] - first[i] + 1; }
};

// The first index of [low, high) for which the predicate, true up to some index, is false. Without
// branches: none of them could be foreseen.
template <class Predicate>
size_t FirstNot(size_t low, size_t high, Predicate predicate) {
  size_t count = high - low;
  while (count > 1) {
    const size_t half = count / 2;
    low += half * static_cast<size_t>(predicate(low + half - 1));
    count -= half;
  }
  return count == 1 && predicate(low) ? low + 1 : low;
}

}  // namespace

NeighbourMi::NeighbourMi(size_t rows, int neighbours, std::function<bool()> stop)
    : neighbours_(static_cast<size_t>(neighbours)), stop_(std::move(stop)), digamma_(rows + 2) {
  digamma_[1] = -std::numbers::egamma;
  for (size_t n = 2; n < digamma_.size(); ++n) {
    digamma_[n] = digamma_[n - 1] + 1 / static_cast<double>(n - 1);
  }
}

double NeighbourMi::OfNumbers(std::span<const float> x_in, std::span<const float> y_in) const {
  const size_t n = x_in.size();
  if (n < 2) return 0;
  const size_t k = std::min(neighbours_, n - 1);
  const std::vector<uint32_t> by_y = AscendingOrder(y_in);
  // By x, and by y where x is equal.
  const std::vector<uint32_t> order = AscendingOrder(x_in, by_y);
  const std::vector<double> x = Scaled(x_in, order), y = Scaled(y_in, order);
  const std::vector<double> y_sorted = Scaled(y_in, by_y);
  if (x.empty() || y.empty()) return 0;
  const Runs same_x(n, [&](size_t i) { return x[i] == x[i - 1]; });
  const Runs same_both(n, [&](size_t i) { return x[i] == x[i - 1] && y[i] == y[i - 1]; });

  const std::vector<double> radii =
      PlaneTree(x, y).KthDistances(k, [this] { return stop_ && stop_(); });
  if (stop_ && stop_()) return 0;
  double sum = 0;
  for (size_t p = 0; p < n; ++p) {
    const double radius = radii[p];
    const double y_p = y[p];
    if (radius == 0) {
      const auto [first, last] = std::equal_range(y_sorted.begin(), y_sorted.end(), y_p);
      sum +=
          Psi(same_both.length(p)) - Psi(same_x.length(p)) - Psi(static_cast<size_t>(last - first));
      continue;
    }
    // Differences are formed as in the search, so that the neighbour itself is never counted as
    // nearer.
    const size_t first_y = FirstNot(0, n, [&](size_t i) { return y_p - y_sorted[i] >= radius; });
    const size_t last_y =
        FirstNot(first_y, n, [&](size_t i) { return y_sorted[i] - y_p < radius; });
    const size_t first_x = FirstNot(0, p, [&](size_t i) { return x[p] - x[i] >= radius; });
    const size_t last_x = FirstNot(p + 1, n, [&](size_t i) { return x[i] - x[p] < radius; });
    sum += Psi(k) - Psi(last_x - first_x) - Psi(last_y - first_y);
  }
  return std::max(0.0, Psi(n) + sum / static_cast<double>(n));
}

double NeighbourMi::OfNumberAndClass(std::span<const float> x, std::span<const uint32_t> classes,
                                     size_t count) const {
  std::vector<uint32_t> sizes(count);
  for (uint32_t c : classes) ++sizes[c];
  // Sorted by x: all rows, and for each class the places of its rows in that list.
  std::vector<double> values;
  std::vector<uint32_t> begin(count + 1), places;
  for (size_t c = 0; c < count; ++c) begin[c + 1] = begin[c] + (sizes[c] > 1 ? sizes[c] : 0);
  const size_t n = begin[count];
  if (n < 2) return 0;
  values.reserve(n);
  places.resize(n);
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t row : AscendingOrder(x)) {
    const uint32_t c = classes[row];
    if (sizes[c] < 2) continue;
    places[next[c]++] = static_cast<uint32_t>(values.size());
    values.push_back(x[row]);
  }

  double sum = 0;
  for (size_t c = 0; c < count; ++c) {
    if (stop_ && stop_()) return 0;
    const std::span<const uint32_t> own(places.data() + begin[c], begin[c + 1] - begin[c]);
    if (own.empty()) continue;
    const size_t k = std::min(neighbours_, own.size() - 1);
    auto value = [&](size_t i) { return values[own[i]]; };
    // Rows of the class in the closed ball are [low, high). Both its ends move up with its centre,
    // since the distance to the k-th neighbour changes no faster than the place.
    size_t low = 0, high = 0;
    for (size_t p = 0; p < own.size(); ++p) {
      const double centre = value(p);
      double radius = kInfinity;
      for (size_t left = p > k ? p - k : 0; left <= p && left + k < own.size(); ++left) {
        radius = std::min(radius, std::max(centre - value(left), value(left + k) - centre));
      }
      // Differences of floats are exact in double, and so are the ends.
      const double bottom = centre - radius, top = centre + radius;
      while (value(low) < bottom) ++low;
      while (high < own.size() && value(high) <= top) ++high;
      const size_t first = FirstNot(low > 0 ? own[low - 1] + 1 : 0, own[low],
                                    [&](size_t i) { return values[i] < bottom; });
      const size_t last = FirstNot(own[high - 1] + 1, high < own.size() ? own[high] : n,
                                   [&](size_t i) { return values[i] <= top; });
      sum += Psi(high - low - 1) - Psi(last - first - 1);
    }
    sum -= static_cast<double>(own.size()) * Psi(own.size());
  }
  return std::max(0.0, Psi(n) + sum / static_cast<double>(n));
}

}  // namespace slm
