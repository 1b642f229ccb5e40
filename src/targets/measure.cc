#include "targets/measure.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "base/row_reduction.h"
#include "targets/metrics.h"

namespace slm {
namespace {

// Of the rows of a block, times their weight.
struct WeightedMeasure {
  double quality = 0, loss = 0, weight = 0;
};

void AddSums(WeightedMeasure& sum, const WeightedMeasure& other) {
  sum.quality += other.quality;
  sum.loss += other.loss;
  sum.weight += other.weight;
}

Measure MeasureRows(const Matrix& scores, const Dataset& data, Loss& loss, size_t begin,
                    size_t end) {
  std::vector<int32_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), static_cast<int32_t>(begin));
  MatrixView<const float> view = scores.view();
  view.data += begin * view.stride;
  view.rows = rows.size();
  loss.Prepare(view, data, rows);
  return {loss.quality(), loss.task()};
}

}  // namespace

Measure MeasureScores(const Matrix& scores, const Dataset& data, const LossKind& kind) {
  const std::unique_ptr<Loss> loss = kind.make();
  if (data.rows() <= kRowsPerBlock) return MeasureRows(scores, data, *loss, 0, data.rows());
  const auto sums = SumOverRange(
      data.rows(), WeightedMeasure{}, [&](WeightedMeasure& sum, size_t begin, size_t end) {
        const Measure block = MeasureRows(scores, data, *loss, begin, end);
        for (size_t i = begin; i < end; ++i) sum.weight += WeightOf(data, i);
        sum.quality = block.quality * sum.weight;
        sum.loss = block.loss * sum.weight;
      });
  if (sums.weight <= 0) return {};
  return {sums.quality / sums.weight, sums.loss / sums.weight};
}

Measure MeasureForChoice(const Matrix& scores, const Dataset& data, const LossKind& kind) {
  Measure measure = MeasureScores(scores, data, kind);
  if (data.metric != nullptr && data.metric->choice != nullptr) {
    measure.quality = data.metric->choice->measure(scores, data);
  }
  return measure;
}

}  // namespace slm
