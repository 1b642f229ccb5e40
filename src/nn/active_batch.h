#pragma once

// The active columns of a batch, gathered from a dataset.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/vector_ops.h"
#include "slm/matrix.h"
#include "slm/predictor.h"

namespace slm {

class ActiveBatch {
 public:
  // Must be called before Gather, and again whenever the columns change. `inputs` is what the
  // predictor calls each column.
  void SetColumns(std::span<const int32_t> columns, std::span<const int32_t> inputs) {
    inputs_.assign(inputs.begin(), inputs.end());
    padded_.assign(PaddedWidth(columns.size()), 0);
    std::copy(columns.begin(), columns.end(), padded_.begin());
    if (x_.cols() < columns.size()) x_ = Matrix(x_.rows(), columns.size());
  }

  // The rows of `data` as input with the given mask weights; valid until the next call.
  ActiveInput Gather(const Matrix& data, std::span<const int32_t> rows,
                     std::span<const float> scale) {
    if (x_.rows() < rows.size()) x_ = Matrix(rows.size(), x_.cols());
    slm::Gather({.x = data.data(),
                 .x_stride = data.stride(),
                 .rows = rows.data(),
                 .row_count = rows.size(),
                 .columns = padded_.data(),
                 .column_count = inputs_.size(),
                 .out = x_.data(),
                 .out_stride = x_.stride()});
    return {{x_.data(), rows.size(), inputs_.size(), x_.stride()}, inputs_, scale};
  }

  MatrixView<float> x() { return x_.view(); }  // the gathered values, for dropout

 private:
  std::vector<int32_t> inputs_;
  std::vector<int32_t> padded_;  // the columns, then zeros to a whole vector
  Matrix x_;
};

}  // namespace slm
