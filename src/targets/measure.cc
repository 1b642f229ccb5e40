#include "targets/measure.h"

#include <cstdint>
#include <numeric>
#include <vector>

#include "targets/losses.h"

namespace slm {

Measure MeasureScores(const Matrix& scores, const Dataset& data) {
  std::vector<int32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  BatchLoss loss;
  loss.Prepare(scores.view(), data, rows);
  bool classes = data.y.task == Task::kClassification;
  return {classes ? loss.accuracy() : -loss.task(), loss.task()};
}

}  // namespace slm
