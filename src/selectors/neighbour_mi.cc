#include "selectors/neighbour_mi.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "selectors/float_order.h"

namespace slm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kRowsBetweenStops = 4096;

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

// The k smallest distances seen.
class Nearest {
 public:
  explicit Nearest(size_t k) : distances_(k) {}
  void Clear() { std::fill(distances_.begin(), distances_.end(), kInfinity); }
  double farthest() const { return distances_.back(); }
  void Add(double distance) {
    size_t at = distances_.size() - 1;
    for (; at > 0 && distances_[at - 1] > distance; --at) distances_[at] = distances_[at - 1];
    distances_[at] = distance;
  }

 private:
  std::vector<double> distances_;  // ascending
};

// The first index of [low, high) for which the predicate, true up to some index, is false.
template <class Predicate>
size_t FirstNot(size_t low, size_t high, Predicate predicate) {
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (predicate(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
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

  Nearest nearest(k);
  double sum = 0;
  for (size_t p = 0; p < n; ++p) {
    if (p % kRowsBetweenStops == 0 && stop_ && stop_()) return 0;
    // Outwards from p, the nearer side first, until x alone is too far.
    nearest.Clear();
    size_t left = p, right = p + 1;  // [left, right) has been seen
    for (;;) {
      const double to_left = left > 0 ? x[p] - x[left - 1] : kInfinity;
      const double to_right = right < n ? x[right] - x[p] : kInfinity;
      const bool go_left = to_left <= to_right;
      const double in_x = go_left ? to_left : to_right;
      if (in_x >= nearest.farthest()) break;
      const double in_y = std::abs(y[go_left ? left - 1 : right] - y[p]);
      if (in_y < nearest.farthest()) {
        nearest.Add(std::max(in_x, in_y));
      } else if (in_x == 0) {  // y only grows more distant in the rest of the run
        if (go_left) {
          left = same_x.first[p] + 1;
        } else {
          right = same_x.last[p];
        }
      }
      if (go_left) {
        --left;
      } else {
        ++right;
      }
    }
    const double radius = nearest.farthest();
    const double y_p = y[p];
    // Differences are formed as above, so that the neighbour itself is never counted as nearer.
    auto below_y = [&](size_t i) { return y_sorted[i] < y_p && y_p - y_sorted[i] >= radius; };
    auto near_y = [&](size_t i) { return y_sorted[i] <= y_p || y_sorted[i] - y_p < radius; };
    const size_t first_y = FirstNot(0, n, below_y), last_y = FirstNot(first_y, n, near_y);
    if (radius == 0) {
      sum += Psi(same_both.length(p)) - Psi(same_x.length(p)) - Psi(last_y - first_y);
      continue;
    }
    const size_t first_x = FirstNot(left, p, [&](size_t i) { return x[p] - x[i] >= radius; });
    const size_t last_x = FirstNot(p + 1, right, [&](size_t i) { return x[i] - x[p] < radius; });
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
