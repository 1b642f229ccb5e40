#include "targets/measure.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace slm {

Measure MeasureScores(const Matrix& scores, const Dataset& data, const LossKind& kind) {
  std::vector<int32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  const std::unique_ptr<Loss> loss = kind.make();
  loss->Prepare(scores.view(), data, rows);
  return {loss->quality(), loss->task()};
}

}  // namespace slm
