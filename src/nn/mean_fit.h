#pragma once

// The predictor that stays with a selection: the mean of several fitted afresh on its columns.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/streams.h"
#include "nn/fit.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

struct MeanFitOptions {
  FitOptions fit;
  int members = 4;
  // Where the loss may gain by it, half of the members learn with this noise on their inputs as
  // well as without it, and the rest in the way whose mean does better in validation. 0 tries no
  // noise.
  double noise = 0.3;

  bool TriesNoise(const Labels& labels) const {
    return fit.LossFor(labels).traits.gains_by_noise && noise > 0 && !fit.make_predictor;
  }
  int TriedMembers() const { return members / 2 + members % 2; }
  int Fits(const Labels& labels) const {
    return members + (TriesNoise(labels) ? TriedMembers() : 0);
  }
};

// Member i has stream i of those of the seed for `purpose`, and is called `name` i in a checkpoint.
// Of predictors of the caller's, which cannot be merged, and of members that were cut short the
// best one stays. `on_member`, if any, may be called from any thread.
FitResult FitMean(const std::string& name, const Problem& problem, std::span<const int32_t> columns,
                  const MeanFitOptions& options, uint64_t seed, StreamOf purpose,
                  const Context& context,
                  const std::function<void(const FitResult&)>& on_member = {});

}  // namespace slm
