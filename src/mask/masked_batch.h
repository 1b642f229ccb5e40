#pragma once

// The mask as a predictor sees it: features of the support become encoded columns, and the weight
// p_j becomes the scale of each of its columns. With the default mask input the scale is F p_j,
// whose mean over the support is one: sum p = 1, and inputs multiplied by p itself would starve the
// predictor.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "mask/mask.h"
#include "nn/active_batch.h"
#include "slm/options.h"
#include "slm/problem.h"

namespace slm {

class MaskedBatch {
 public:
  MaskedBatch(const FeatureLayout& layout, const SlmOptions& options)
      : layout_(layout), literal_(options.mask_input == MaskInput::kLiteral) {}

  // Must follow every Mask::Update; `changed` is what that returned.
  void SetMask(const Mask& mask, bool changed) {
    if (changed) SetSupport(mask.support());
    factor_ = literal_ ? 1.0f : static_cast<float>(mask.support().size());
    for (size_t a = 0; a < scale_.size(); ++a) scale_[a] = factor_ * mask.weights()[owner_[a]];
  }

  std::span<float> d_scale() { return d_scale_; }

  ActiveInput Gather(const RowSource& x, std::span<const int32_t> rows) {
    rows_ = rows.size();
    return active_.Gather(x, rows, scale_);
  }

  Model MakeModel(std::unique_ptr<Predictor> predictor) const {
    return {std::move(predictor), columns_, columns_, scale_};
  }

  // Zeroes each gathered value with probability `share` and scales the others up, so that sums keep
  // their mean.
  void DropOut(double share, RandomStream& random) {
    if (share <= 0) return;
    const float keep = static_cast<float>(1 / (1 - share));
    for (size_t i = 0; i < rows_; ++i) {
      for (size_t a = 0; a < scale_.size(); ++a) {
        active_.x()(i, a) *= random.Uniform() < share ? 0.0f : keep;
      }
    }
  }

  // Adds to the gradient of the mask's weights what d_scale() says.
  void AddWeightGradient(std::span<float> d_weights) const {
    for (size_t a = 0; a < scale_.size(); ++a) d_weights[owner_[a]] += factor_ * d_scale_[a];
  }

 private:
  void SetSupport(std::span<const int32_t> support) {
    columns_.clear();
    owner_.clear();
    for (size_t i = 0; i < support.size(); ++i) {
      size_t j = static_cast<size_t>(support[i]);
      for (int32_t c = layout_.offsets[j]; c < layout_.offsets[j + 1]; ++c) {
        columns_.push_back(c);
        owner_.push_back(i);
      }
    }
    active_.SetColumns(columns_, columns_);
    scale_.resize(columns_.size());
    d_scale_.resize(columns_.size());
  }

  const FeatureLayout& layout_;
  bool literal_;
  float factor_ = 1;
  size_t rows_ = 0;
  ActiveBatch active_;
  std::vector<int32_t> columns_;
  std::vector<size_t> owner_;  // which entry of the support a column belongs to
  std::vector<float> scale_, d_scale_;
};

}  // namespace slm
