#include "slm/mask_start.h"

#include <algorithm>
#include <cmath>

#include "slm/label_variance.h"

namespace slm {

std::vector<double> AnovaScores(const FeatureLayout& layout, const Dataset& data,
                                const Context* context) {
  const LabelVariance variance(data);
  const std::vector<VarianceParts> parts = variance.OfColumns(context);
  std::vector<double> scores(layout.features());
  for (size_t j = 0; j < scores.size(); ++j) {
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
      scores[j] = std::max(scores[j], variance.F(parts[static_cast<size_t>(c)]));
    }
  }
  return scores;
}

std::vector<float> FilterStart(std::span<const double> scores, double strength) {
  const double n = static_cast<double>(scores.size());
  double mean = 0, square = 0;
  for (double s : scores) mean += std::sqrt(s) / n;
  for (double s : scores) square += (std::sqrt(s) - mean) * (std::sqrt(s) - mean) / n;
  const double factor = square > 0 ? strength / std::sqrt(square) : 0;
  std::vector<float> start;
  start.reserve(scores.size());
  for (double s : scores) start.push_back(static_cast<float>(1 + factor * (std::sqrt(s) - mean)));
  return start;
}

}  // namespace slm
