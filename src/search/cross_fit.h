#pragma once

// Cross-fitted mask gradients, for data where a predictor overfits before the mask has learned:
// several small predictors share one mask, each trained on its own part of the rows, and the mask
// moves only by gradients on rows that a predictor has not seen. At every drop the parts are
// redrawn and the predictors start afresh; only the mask survives. Both halves are needed.

#include <memory>

#include "mask/trainer.h"

namespace slm {

// These gradients for TrainMask. The model of its result is that of the last predictor, measured
// once, at the end: no predictor lives long enough for one epoch of it to be better than another.
// The input must outlive this.
std::unique_ptr<GradientSource> CrossFitted(const RunInput& input, const RandomStream& random);

}  // namespace slm
