#pragma once

// The mean of a few repetitions, and how far they lie apart. Where a metric is undefined (NaN) a
// repetition says nothing.

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace slm {

struct Spread {
  size_t count = 0;
  double mean = 0;
  double sd = 0;  // of the sample; 0 for one value

  // Nothing where there is nothing to measure.
  std::optional<double> Mean() const { return count == 0 ? std::nullopt : std::optional(mean); }
  std::optional<double> Sd() const { return count == 0 ? std::nullopt : std::optional(sd); }
  // Of the mean.
  double Error() const { return count == 0 ? 0 : sd / std::sqrt(static_cast<double>(count)); }
};

inline Spread SpreadOf(const std::vector<double>& values) {
  Spread spread;
  double sum = 0, squares = 0;
  for (double x : values) {
    if (std::isnan(x)) continue;
    ++spread.count;
    sum += x;
  }
  if (spread.count == 0) return spread;
  const double n = static_cast<double>(spread.count);
  spread.mean = sum / n;
  for (double x : values) squares += std::isnan(x) ? 0 : (x - spread.mean) * (x - spread.mean);
  if (spread.count > 1) spread.sd = std::sqrt(squares / (n - 1));
  return spread;
}

}  // namespace slm
