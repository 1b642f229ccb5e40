#include "slm/loss.h"

namespace slm {

void Loss::Prepare(MatrixView<const float> scores, const Dataset& data,
                   std::span<const int32_t> rows) {
  const size_t b = rows.size();
  weights_.clear();
  shares_.assign(b, static_cast<float>(1.0 / static_cast<double>(b)));
  if (!data.weight.empty()) {
    double total = 0;
    for (int32_t row : rows) {
      weights_.push_back(data.weight[static_cast<size_t>(row)]);
      total += weights_.back();
    }
    double inverse = total > 0 ? 1 / total : 0;
    for (size_t i = 0; i < b; ++i) shares_[i] = static_cast<float>(weights_[i] * inverse);
  }
  task_ = error_ = 0;
  predictions_.resize(b);
  Read(scores, data.y, rows);
}

}  // namespace slm
