#include "slm/mask_start.h"

#include <algorithm>
#include <cmath>

namespace slm {
namespace {

// F from the share of the variance that the label explains.
double FromExplained(double between, double within, double groups, double rows) {
  if (rows <= groups || groups < 2) return 0;
  const double floor = 1e-12 * (between + within);
  return (between / (groups - 1)) / (std::max(within, floor) / (rows - groups));
}

}  // namespace

std::vector<double> AnovaScores(const FeatureLayout& layout, const Dataset& data) {
  const size_t columns = layout.columns(), rows = data.rows();
  const bool classes = data.y.task == Task::kClassification;
  const size_t groups = classes ? static_cast<size_t>(data.y.classes) : 1;
  // Weighted sums by class for classification; with the target for regression.
  std::vector<double> sums(groups * columns), squares(columns), products(columns), total(groups);
  double y_sum = 0, y_square = 0;
  for (size_t i = 0; i < rows; ++i) {
    const double w = data.weight.empty() ? 1 : data.weight[i];
    const size_t group = classes ? static_cast<size_t>(data.y.index[i]) : 0;
    const double y = classes ? 0 : data.y.value[i];
    total[group] += w;
    y_sum += w * y;
    y_square += w * y * y;
    double* sum = sums.data() + group * columns;
    const float* x = data.x.row(i);
    for (size_t c = 0; c < columns; ++c) {
      const double v = x[c];
      sum[c] += w * v;
      squares[c] += w * v * v;
      products[c] += w * v * y;
    }
  }
  double weight = 0, present = 0;
  for (double t : total) {
    weight += t;
    present += t > 0 ? 1 : 0;
  }
  std::vector<double> column_score(columns);
  for (size_t c = 0; c < columns; ++c) {
    double sum = 0, grouped = 0;
    for (size_t g = 0; g < groups; ++g) {
      const double s = sums[g * columns + c];
      sum += s;
      if (total[g] > 0) grouped += s * s / total[g];
    }
    const double variance = squares[c] - sum * sum / weight;
    if (!(variance > 0)) continue;
    if (classes) {
      const double between = grouped - sum * sum / weight;
      column_score[c] = FromExplained(between, variance - between, present, weight);
    } else {
      const double covariance = products[c] - sum * y_sum / weight;
      const double y_variance = y_square - y_sum * y_sum / weight;
      const double explained = y_variance > 0 ? covariance * covariance / y_variance : 0;
      column_score[c] = FromExplained(explained, variance - explained, 2, weight);
    }
  }
  std::vector<double> scores(layout.features());
  for (size_t j = 0; j < scores.size(); ++j) {
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
      scores[j] = std::max(scores[j], column_score[static_cast<size_t>(c)]);
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
