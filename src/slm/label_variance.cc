#include "slm/label_variance.h"

#include <algorithm>

#include "base/thread_pool.h"

namespace slm {
namespace {

// Sums by class of so many columns stay in the first cache for some dozen classes.
constexpr size_t kColumnBlock = 128;

}  // namespace

LabelVariance::LabelVariance(const Dataset& data)
    : data_(data),
      by_class_(data.y.task == Task::kClassification),
      class_weights_(by_class_ ? static_cast<size_t>(data.y.classes) : 1) {
  for (size_t i = 0; i < data.rows(); ++i) {
    const double w = data.weight.empty() ? 1 : data.weight[i];
    const double y = by_class_ ? 0 : data.y.value[i];
    class_weights_[by_class_ ? static_cast<size_t>(data.y.index[i]) : 0] += w;
    y_sum_ += w * y;
    y_square_ += w * y * y;
  }
  double present = 0;
  for (double w : class_weights_) {
    weight_ += w;
    present += w > 0 ? 1 : 0;
  }
  fitted_ = by_class_ ? present : 2;
}

std::vector<VarianceParts> LabelVariance::OfColumns(const Context* context) const {
  std::vector<VarianceParts> parts(data_.x.cols());
  const size_t blocks = (parts.size() + kColumnBlock - 1) / kColumnBlock;
  auto fill = [&](size_t block) {
    if (context != nullptr && context->ShouldStop()) return;
    const size_t first = block * kColumnBlock;
    OfBlock(first, std::span(parts).subspan(first, std::min(kColumnBlock, parts.size() - first)));
  };
  if (context != nullptr) {
    context->pool->ParallelFor(blocks, fill);
  } else {
    for (size_t block = 0; block < blocks; ++block) fill(block);
  }
  return parts;
}

void LabelVariance::OfBlock(size_t first, std::span<VarianceParts> parts) const {
  const size_t columns = parts.size(), groups = class_weights_.size();
  std::vector<double> sums(groups * columns), squares(columns), products(by_class_ ? 0 : columns);
  for (size_t i = 0; i < data_.rows(); ++i) {
    const float* x = data_.x.row(i) + first;
    double* sum = sums.data() + (by_class_ ? static_cast<size_t>(data_.y.index[i]) * columns : 0);
    const double w = data_.weight.empty() ? 1 : data_.weight[i];
    for (size_t c = 0; c < columns; ++c) {
      const double v = x[c], wv = w * v;
      sum[c] += wv;
      squares[c] += wv * v;
    }
    if (by_class_) continue;
    const double y = data_.y.value[i];
    for (size_t c = 0; c < columns; ++c) products[c] += w * x[c] * y;
  }
  for (size_t c = 0; c < columns; ++c) {
    double sum = 0, grouped = 0;
    for (size_t g = 0; g < groups; ++g) {
      const double s = sums[g * columns + c];
      sum += s;
      if (class_weights_[g] > 0) grouped += s * s / class_weights_[g];
    }
    parts[c] = {};
    const double variance = squares[c] - sum * sum / weight_;
    if (!(variance > 0)) continue;
    double explained = grouped - sum * sum / weight_;
    if (!by_class_) {
      const double covariance = products[c] - sum * y_sum_ / weight_;
      const double y_variance = y_square_ - y_sum_ * y_sum_ / weight_;
      explained = y_variance > 0 ? covariance * covariance / y_variance : 0;
    }
    parts[c] = {explained, variance - explained};
  }
}

double LabelVariance::F(const VarianceParts& parts) const {
  if (weight_ <= fitted_ || fitted_ < 2) return 0;
  const double floor = 1e-12 * (parts.explained + parts.residual);
  if (!(floor > 0)) return 0;
  return (parts.explained / (fitted_ - 1)) /
         (std::max(parts.residual, floor) / (weight_ - fitted_));
}

}  // namespace slm
