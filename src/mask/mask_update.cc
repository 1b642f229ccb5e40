#include "mask/mask_update.h"

#include <algorithm>
#include <numeric>

namespace slm {

void MaskUpdater::Apply(Mask& mask, std::span<const float> d_weights,
                        std::span<const float> d_argument) {
  d_support_.resize(d_weights.size());
  float d_reference = 0;
  mask.Backward(d_weights, d_support_, &d_reference);

  // The entries that receive a gradient: the support, the reference if the scale is differentiated,
  // or everything where the objective looks at the argument itself.
  const std::span<const int32_t> support = mask.support();
  if (!d_argument.empty()) {
    entries_.resize(d_argument.size());
    std::iota(entries_.begin(), entries_.end(), 0);
    std::copy(d_argument.begin(), d_argument.end(), gradient_.begin());
    for (size_t i = 0; i < support.size(); ++i) {
      gradient_[static_cast<size_t>(support[i])] += d_support_[i];
    }
    mask.ArgumentReplaced();
  } else {
    entries_.assign(support.begin(), support.end());
    for (size_t i = 0; i < support.size(); ++i) {
      gradient_[static_cast<size_t>(support[i])] = d_support_[i];
    }
  }
  if (d_reference != 0) {
    size_t reference = static_cast<size_t>(mask.reference());
    if (d_argument.empty()) {
      entries_.push_back(mask.reference());
      gradient_[reference] = 0;
    }
    gradient_[reference] += d_reference;
    mask.ArgumentReplaced();
  }
  if (options_.mask_update == MaskUpdate::kNormalised) {
    Normalised(mask, entries_);
  } else {
    Adam(mask, entries_);
  }
}

void MaskUpdater::Normalised(Mask& mask, std::span<const int32_t> entries) {
  double mean = 0, square = 0;
  for (int32_t j : entries) mean += gradient_[static_cast<size_t>(j)];
  mean /= static_cast<double>(entries.size());
  for (int32_t j : entries) {
    double g = gradient_[static_cast<size_t>(j)] - mean;
    square += g * g;
  }
  if (!(square > 0)) return;
  double factor = options_.mask_rate / std::sqrt(square / static_cast<double>(entries.size()));
  for (int32_t j : entries) {
    size_t at = static_cast<size_t>(j);
    mask.argument()[at] -= static_cast<float>(factor * (gradient_[at] - mean));
  }
}

void MaskUpdater::Adam(Mask& mask, std::span<const int32_t> entries) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
  beta1_power_ *= kBeta1;
  beta2_power_ *= kBeta2;
  for (int32_t j : entries) {
    size_t at = static_cast<size_t>(j);
    double g = gradient_[at];
    m_[at] = kBeta1 * m_[at] + (1 - kBeta1) * g;
    v_[at] = kBeta2 * v_[at] + (1 - kBeta2) * g * g;
    double step = m_[at] / (1 - beta1_power_) / (std::sqrt(v_[at] / (1 - beta2_power_)) + kEpsilon);
    mask.argument()[at] -= static_cast<float>(options_.mask_rate * step);
  }
}

}  // namespace slm
