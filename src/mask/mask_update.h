#pragma once

// How the mask argument moves along its gradient.
//
//   normalised  v_S -= rate (g - mean g) / rms(g - mean g): the mask does not change when v is
//   shifted
//               or scaled, so only the balance of early and late evidence matters, and every step
//               counts the same
//   adam        the paper's choice, with moments that rest while an entry is outside the support

#include <cmath>
#include <span>
#include <vector>

#include "base/archive.h"
#include "mask/mask.h"
#include "slm/options.h"

namespace slm {

class MaskUpdater {
 public:
  MaskUpdater(size_t features, const SlmOptions& options)
      : options_(options), gradient_(features), m_(features), v_(features) {}

  // d_weights: gradient of the mask's weights. d_argument: a direct gradient of every entry of the
  // argument, or empty.
  void Apply(Mask& mask, std::span<const float> d_weights, std::span<const float> d_argument);

  // Writes or reads what the next step depends on.
  void Serialize(Archive& archive) {
    archive.Fixed(std::span(m_));
    archive.Fixed(std::span(v_));
    archive.Value(beta1_power_);
    archive.Value(beta2_power_);
  }

 private:
  void Normalised(Mask& mask, std::span<const int32_t> entries);
  void Adam(Mask& mask, std::span<const int32_t> entries);

  const SlmOptions& options_;
  std::vector<float> gradient_;  // of the argument, by feature
  std::vector<float> d_support_;
  std::vector<int32_t> entries_;
  std::vector<double> m_, v_;
  double beta1_power_ = 1, beta2_power_ = 1;
};

}  // namespace slm
