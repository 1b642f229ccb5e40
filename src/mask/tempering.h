#pragma once

// Tempering (paper, section 3.3, Eq. 4):
//
//   F_t = F_0 - (t / N_tmp) (F_0 - F_N)  for t < N_tmp,   F_N  from then on,
//
// here with F_0 = d and F_N = k: the number of features falls over the first part of the steps, so
// that the predictor learns from more than the final features. It falls in even drops:
//
//   linear     F after drop i of D is  d - (i / D) (d - k)        the paper's, D = 5 over half
//   geometric  F after drop i of D is  d (k / d)^(i / D)          no drop is harsher than another

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "slm/options.h"

namespace slm {

class Tempering {
 public:
  Tempering(size_t features, size_t k, Schedule schedule, int drops, double fraction, int steps)
      : features_(features),
        k_(k),
        schedule_(schedule),
        drops_(drops),
        last_drop_(fraction * steps) {}

  // How many drops have happened before step t, counted from 0.
  int DropsBefore(int step) const {
    if (schedule_ == Schedule::kNone || step >= last_drop_) return drops_;
    return static_cast<int>(step * drops_ / last_drop_);
  }

  // F_t.
  size_t Features(int step) const { return FeaturesAfter(DropsBefore(step)); }

 private:
  size_t FeaturesAfter(int drop) const {
    if (drop >= drops_) return k_;
    double share = static_cast<double>(drop) / drops_;
    double d = static_cast<double>(features_), k = static_cast<double>(k_);
    double count =
        schedule_ == Schedule::kLinear ? d - share * (d - k) : d * std::pow(k / d, share);
    return std::clamp(static_cast<size_t>(std::lround(count)), k_, features_);
  }

  size_t features_;
  size_t k_;
  Schedule schedule_;
  int drops_;
  double last_drop_;
};

}  // namespace slm
