#include "kernels/pair_term_reference.h"

#include <algorithm>
#include <vector>

namespace slm {

double PairTermReference(std::span<const ValueCodes> codes, std::span<const int32_t> features,
                         std::span<const int32_t> rows, std::span<const double> p,
                         std::span<const double> r, std::span<const double> w, size_t block,
                         std::span<double> dr, std::span<double> dp) {
  size_t b = rows.size();
  if (block == 0) block = b;
  std::fill(dr.begin(), dr.end(), 0.0);
  std::fill(dp.begin(), dp.end(), 0.0);
  double value = 0, normaliser = 0;
  std::vector<size_t> differing;
  for (size_t i = 0; i < b; ++i) {
    for (size_t k = i + 1; k < b && k / block == i / block; ++k) {
      double w_pair = w.empty() ? 1.0 : w[i] * w[k];
      normaliser += w_pair;
      differing.clear();
      for (size_t a = 0; a < features.size(); ++a) {
        const ValueCodes& column = codes[static_cast<size_t>(features[a])];
        bool equal =
            column.kind != ValueCodes::Kind::kFree &&
            column.at(static_cast<size_t>(rows[i])) == column.at(static_cast<size_t>(rows[k]));
        if (!equal) differing.push_back(a);
      }
      // The product over the differing columns without one of them, or without none.
      auto product_without = [&](size_t left_out) {
        double product = 1;
        for (size_t a : differing) product *= a == left_out ? 1.0 : 1.0 - p[a];
        return product;
      };
      double weight = w_pair * product_without(features.size());
      double difference = r[i] - r[k];
      value += weight * difference * difference;
      dr[i] += 2 * weight * difference;
      dr[k] -= 2 * weight * difference;
      for (size_t a : differing) {
        double without = p[a] < 1 ? weight / (1 - p[a]) : w_pair * product_without(a);
        dp[a] -= without * difference * difference;
      }
    }
  }
  double scale = normaliser > 0 ? 1 / normaliser : 0;
  for (double& d : dr) d *= scale;
  for (double& d : dp) d *= scale;
  return value * scale;
}

}  // namespace slm
