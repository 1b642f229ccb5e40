#include "selectors/linear/feature_factors.h"

namespace slm {

FeatureFactors::FeatureFactors(const FeatureLayout& layout, const Moments& moments,
                               double dependent, ThreadPool& pool)
    : layout_(layout), moments_(moments), blocks_(layout.features()) {
  const std::vector<std::vector<double>> grams = moments.Blocks(layout.offsets);
  pool.ParallelFor(layout.features(), [&](size_t j) {
    const size_t begin = static_cast<size_t>(layout.offsets[j]);
    const size_t width = static_cast<size_t>(layout.offsets[j + 1]) - begin;
    if (width == 1) return;
    const std::vector<double>& gram = grams[j];
    Block& block = blocks_[j];
    for (size_t a = 0; a < width; ++a) {
      std::vector<double> row;
      for (size_t c : block.columns) row.push_back(gram[a * width + c - begin]);
      row.push_back(gram[a * width + a]);
      if (block.factor.Append(row, dependent)) block.columns.push_back(begin + a);
    }
  });
}

double FeatureFactors::Explained(size_t j, const double* residual, size_t outputs) const {
  const size_t begin = static_cast<size_t>(layout_.offsets[j]);
  double sum = 0;
  if (static_cast<size_t>(layout_.offsets[j + 1]) == begin + 1) {
    const double variance = moments_.variance(begin);
    if (!(variance > 0)) return 0;
    for (size_t o = 0; o < outputs; ++o) {
      const double along = residual[o * moments_.stride() + begin];
      sum += along * along / variance;
    }
    return sum;
  }
  const Block& block = blocks_[j];
  std::vector<double> part(block.columns.size());
  for (size_t o = 0; o < outputs; ++o) {
    for (size_t a = 0; a < part.size(); ++a) {
      part[a] = residual[o * moments_.stride() + block.columns[a]];
    }
    block.factor.SolveLower(part.data());
    sum += Dot(part.data(), part.data(), part.size());
  }
  return sum;
}

}  // namespace slm
