#include "numerics/label_variance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/row_reduction.h"
#include "base/thread_pool.h"
#include "kernels/row_sums.h"

namespace slm {
namespace {

// Sums by class of so many columns stay in the first cache for some dozen classes.
constexpr size_t kStrip = 128;

}  // namespace

// Rows of a block by their group: rows[begin[g]] is the first of group g.
struct LabelVariance::GroupedRows {
  std::vector<size_t> begin;
  std::vector<uint32_t> rows;
};

LabelVariance::LabelVariance(const Dataset& data)
    : data_(data),
      by_class_(data.y.has_classes()),
      class_weights_(by_class_ ? static_cast<size_t>(data.y.classes) : 1) {
  const size_t groups = class_weights_.size();
  // The weight of each group, then the sum of y and that of its squares.
  const std::vector<double> sums =
      SumOverRange(data.rows(), std::vector<double>(groups + 2),
                   [&](std::vector<double>& own, size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) {
                       const double w = Weight(i), y = by_class_ ? 0 : data.y.value[i];
                       own[Group(i)] += w;
                       own[groups] += w * y;
                       own[groups + 1] += w * y * y;
                     }
                   });
  std::copy_n(sums.begin(), groups, class_weights_.begin());
  y_sum_ = sums[groups];
  y_square_ = sums[groups + 1];
  double present = 0;
  for (double w : class_weights_) {
    weight_ += w;
    present += w > 0 ? 1 : 0;
  }
  fitted_ = by_class_ ? present : 2;
}

std::vector<VarianceParts> LabelVariance::OfColumns(const Context* context) const {
  const size_t columns = data_.x->columns(), strips = (columns + kStrip - 1) / kStrip;
  const size_t per_column = class_weights_.size() + (by_class_ ? 1 : 2);
  auto width = [&](size_t strip) { return std::min(kStrip, columns - strip * kStrip); };
  // Sums of a strip lie together.
  auto of_strip = [&](auto& sums, size_t strip) {
    return std::span(sums).subspan(strip * kStrip * per_column, width(strip) * per_column);
  };
  std::vector<char> missed(strips);
  const std::vector<double> sums = SumOverRows(
      *data_.x, std::vector<double>(columns * per_column),
      [&](std::vector<double>& own, size_t first, MatrixView<const float> block) {
        const GroupedRows grouped = GroupRows(first, block.rows);
        auto add = [&](size_t strip) {
          if (missed[strip] != 0 || (context != nullptr && context->ShouldStop())) {
            missed[strip] = 1;
            return;
          }
          AddStrip(grouped, first, block, strip * kStrip, width(strip), of_strip(own, strip));
        };
        if (context != nullptr) {
          context->pool->ParallelFor(strips, add);
        } else {
          for (size_t strip = 0; strip < strips; ++strip) add(strip);
        }
      });
  std::vector<VarianceParts> parts(columns);
  for (size_t strip = 0; strip < strips; ++strip) {
    if (missed[strip] != 0) continue;
    Finish(of_strip(sums, strip), std::span(parts).subspan(strip * kStrip, width(strip)));
  }
  return parts;
}

LabelVariance::GroupedRows LabelVariance::GroupRows(size_t first, size_t rows) const {
  GroupedRows out{std::vector<size_t>(class_weights_.size() + 1), std::vector<uint32_t>(rows)};
  for (size_t i = 0; i < rows; ++i) ++out.begin[Group(first + i) + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  std::vector<size_t> next = out.begin;
  for (size_t i = 0; i < rows; ++i) out.rows[next[Group(first + i)]++] = static_cast<uint32_t>(i);
  return out;
}

// Of each group the sums of its columns, then the squares and, for values, the products with y.
void LabelVariance::AddStrip(const GroupedRows& grouped, size_t first,
                             MatrixView<const float> block, size_t column, size_t columns,
                             std::span<double> sums) const {
  const size_t groups = class_weights_.size();
  double* squares = sums.data() + groups * columns;
  double* products = squares + columns;
  for (size_t g = 0; g < groups; ++g) {
    const std::span<const uint32_t> own(grouped.rows.data() + grouped.begin[g],
                                        grouped.begin[g + 1] - grouped.begin[g]);
    for (size_t i = 0; i < own.size(); i += 4) {
      FourRows four = {};
      for (size_t r = 0; r < 4; ++r) {
        const size_t row = own[std::min(i + r, own.size() - 1)];
        four.x[r] = block.row(row) + column;
        if (i + r >= own.size()) continue;
        four.weight[r] = Weight(first + row);
        if (!by_class_) four.weighted_y[r] = four.weight[r] * data_.y.value[first + row];
      }
      SLM_DISPATCH(AddFourRows, four, columns, &sums[g * columns], squares);
      if (!by_class_) SLM_DISPATCH(AddFourProducts, four, columns, products);
    }
  }
}

void LabelVariance::Finish(std::span<const double> sums, std::span<VarianceParts> parts) const {
  const size_t columns = parts.size(), groups = class_weights_.size();
  const double* squares = sums.data() + groups * columns;
  const double* products = squares + columns;
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

std::vector<double> UnitColumns(const RowSource& source, std::span<const int32_t> columns,
                                size_t rows) {
  constexpr size_t kTogether = 256;  // bounds what is gathered at a time
  std::vector<int32_t> sample;
  for (size_t i = 0; i < rows; ++i) {
    sample.push_back(static_cast<int32_t>(i * source.rows() / rows));
  }
  std::vector<double> units(columns.size() * rows);
  for (size_t first = 0; first < columns.size(); first += kTogether) {
    const ColumnSet some(columns.subspan(first, std::min(kTogether, columns.size() - first)),
                         source.columns());
    Matrix x(rows, some.size());
    source.Gather(sample, some, x.view());
    for (size_t a = 0; a < some.size(); ++a) {
      double* out = units.data() + (first + a) * rows;
      double mean = 0, square = 0;
      for (size_t i = 0; i < rows; ++i) {
        out[i] = x(i, a);
        mean += out[i] / static_cast<double>(rows);
      }
      for (size_t i = 0; i < rows; ++i) {
        out[i] -= mean;
        square += out[i] * out[i];
      }
      const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
      for (size_t i = 0; i < rows; ++i) out[i] *= scale;
    }
  }
  return units;
}

}  // namespace slm
