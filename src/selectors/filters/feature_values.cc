#include "selectors/filters/feature_values.h"

#include <algorithm>
#include <numeric>

#include "kernels/gemm.h"
#include "numerics/float_order.h"

namespace slm {

FeatureColumns::FeatureColumns(const Problem& problem) : offsets_(problem.layout.offsets) {
  const Dataset& data = problem.train;
  for (size_t i = 0; i < data.rows(); ++i) {
    if (data.weight.empty() || data.weight[i] > 0) rows_.push_back(static_cast<uint32_t>(i));
  }
  const MatrixView<const float> x = data.x->InMemory();
  columns_ = Matrix(x.cols, rows_.size());
  if (rows_.size() == data.rows()) {
    Transpose(x.data, x.stride, x.rows, x.cols, columns_.data(), columns_.stride());
    return;
  }
  for (size_t i = 0; i < rows_.size(); ++i) {
    const float* row = x.row(rows_[i]);
    for (size_t c = 0; c < x.cols; ++c) columns_(c, i) = row[c];
  }
}

FeatureValues FeatureColumns::Feature(size_t j, size_t discrete_levels) const {
  FeatureValues feature;
  feature.codes.assign(rows(), 0);
  for (int32_t c = offsets_[j]; c < offsets_[j + 1]; ++c) {
    const std::span<const float> column(columns_.row(static_cast<size_t>(c)), rows());
    size_t levels = 0;
    const std::vector<uint32_t> codes =
        ValueCodesUpTo(column, std::max<size_t>(2, discrete_levels), &levels);
    if (codes.empty()) {
      feature.numbers.push_back(column);
    } else {
      feature.levels = RefineCodes(feature.codes, feature.levels, codes, levels);
    }
  }
  return feature;
}

size_t RefineCodes(std::span<uint32_t> codes, size_t levels, std::span<const uint32_t> other,
                   size_t other_levels) {
  std::vector<uint32_t> number(levels * other_levels);
  for (size_t i = 0; i < codes.size(); ++i) number[codes[i] * other_levels + other[i]] = 1;
  // Each pair that occurs is numbered by how many occur before it.
  std::exclusive_scan(number.begin(), number.end(), number.begin(), uint32_t{0});
  uint32_t largest = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = number[codes[i] * other_levels + other[i]];
    largest = std::max(largest, codes[i]);
  }
  return largest + 1;
}

std::vector<uint32_t> QuantileBins(std::span<const float> values, size_t bins) {
  const std::vector<uint32_t> order = AscendingOrder(values);
  std::vector<uint32_t> out(values.size());
  // A bin begins with the first row of the value at its quantile.
  uint32_t bin = 0;
  for (size_t i = 0; i < order.size();) {
    const float value = values[order[i]];
    size_t end = i + 1;
    while (end < order.size() && values[order[end]] == value) ++end;
    while (bin + 1 < bins && (bin + 1) * order.size() / bins < end) ++bin;
    for (; i < end; ++i) out[order[i]] = bin;
  }
  return out;
}

std::vector<uint32_t> ValueCodesUpTo(std::span<const float> values, size_t most, size_t* levels) {
  std::vector<float> seen;
  float latest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && values[i] == latest) continue;
    latest = values[i];
    const auto at = std::lower_bound(seen.begin(), seen.end(), latest);
    if (at != seen.end() && *at == latest) continue;
    if (seen.size() == most) return {};
    seen.insert(at, latest);
  }
  *levels = seen.size();
  std::vector<uint32_t> codes(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    codes[i] =
        static_cast<uint32_t>(std::lower_bound(seen.begin(), seen.end(), values[i]) - seen.begin());
  }
  return codes;
}

}  // namespace slm
