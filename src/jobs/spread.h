#pragma once

// The mean of a few repetitions, and how far they lie apart.

#include <cmath>
#include <cstddef>
#include <numeric>
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
  Spread spread{.count = values.size()};
  if (values.empty()) return spread;
  const double n = static_cast<double>(values.size());
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (double x : values) squares += (x - spread.mean) * (x - spread.mean);
  if (values.size() > 1) spread.sd = std::sqrt(squares / (n - 1));
  return spread;
}

}  // namespace slm
