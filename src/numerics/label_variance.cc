#include "numerics/label_variance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/thread_pool.h"
#include "kernels/row_sums.h"

namespace slm {
namespace {

// Sums by class of so many columns stay in the first cache for some dozen classes.
constexpr size_t kColumnBlock = 128;

}  // namespace

LabelVariance::LabelVariance(const Dataset& data)
    : data_(data),
      by_class_(data.y.has_classes()),
      class_weights_(by_class_ ? static_cast<size_t>(data.y.classes) : 1),
      begin_(class_weights_.size() + 1),
      rows_(data.rows()) {
  auto group = [&](size_t i) { return by_class_ ? static_cast<size_t>(data.y.index[i]) : 0; };
  for (size_t i = 0; i < data.rows(); ++i) {
    const double w = Weight(i), y = by_class_ ? 0 : data.y.value[i];
    class_weights_[group(i)] += w;
    ++begin_[group(i) + 1];
    y_sum_ += w * y;
    y_square_ += w * y * y;
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<size_t> next = begin_;
  for (size_t i = 0; i < data.rows(); ++i) rows_[next[group(i)]++] = static_cast<uint32_t>(i);
  double present = 0;
  for (double w : class_weights_) {
    weight_ += w;
    present += w > 0 ? 1 : 0;
  }
  fitted_ = by_class_ ? present : 2;
}

std::vector<VarianceParts> LabelVariance::OfColumns(const Context* context) const {
  std::vector<VarianceParts> parts(data_.x->columns());
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
  const MatrixView<const float> x = data_.x->InMemory();
  std::vector<double> sums(groups * columns), squares(columns), products(by_class_ ? 0 : columns);
  for (size_t g = 0; g < groups; ++g) {
    const std::span<const uint32_t> own(rows_.data() + begin_[g], begin_[g + 1] - begin_[g]);
    for (size_t i = 0; i < own.size(); i += 4) {
      FourRows four = {};
      for (size_t r = 0; r < 4; ++r) {
        const size_t row = own[std::min(i + r, own.size() - 1)];
        four.x[r] = x.row(row) + first;
        if (i + r >= own.size()) continue;
        four.weight[r] = Weight(row);
        if (!by_class_) four.weighted_y[r] = four.weight[r] * data_.y.value[row];
      }
      SLM_DISPATCH(AddFourRows, four, columns, &sums[g * columns], squares.data());
      if (!by_class_) SLM_DISPATCH(AddFourProducts, four, columns, products.data());
    }
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

Strongest StrongestColumns(const FeatureLayout& layout, const Dataset& data,
                           const Context* context) {
  const LabelVariance variance(data);
  const std::vector<VarianceParts> parts = variance.OfColumns(context);
  Strongest strongest{std::vector<int32_t>(layout.features()),
                      std::vector<double>(layout.features())};
  for (size_t j = 0; j < layout.features(); ++j) {
    strongest.column[j] = layout.offsets[j];
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
      const double score = variance.F(parts[static_cast<size_t>(c)]);
      if (score <= strongest.score[j]) continue;
      strongest.score[j] = score;
      strongest.column[j] = c;
    }
  }
  return strongest;
}

void CopyUnit(MatrixView<const float> x, int32_t column, size_t rows, double* out) {
  double mean = 0, square = 0;
  for (size_t i = 0; i < rows; ++i) {
    out[i] = x(i * x.rows / rows, static_cast<size_t>(column));
    mean += out[i] / static_cast<double>(rows);
  }
  for (size_t i = 0; i < rows; ++i) {
    out[i] -= mean;
    square += out[i] * out[i];
  }
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  for (size_t i = 0; i < rows; ++i) out[i] *= scale;
}

}  // namespace slm
