#pragma once

// Cross-fitted mask gradients, for data where a predictor overfits before the mask has learned:
// several small predictors share one mask, each trained on its own part of the rows, and the mask
// moves only by gradients on rows that a predictor has not seen. At every drop the parts are
// redrawn and the predictors start afresh; only the mask survives. Both halves are needed.

#include "mask/trainer.h"

namespace slm {

// The result's model is that of the last predictor; its validation counts as end-to-end quality.
RunResult TrainCrossFitted(const RunInput& input, RandomStream random, const Context& context);

// Whether such runs are worth their time: only where plain ones reached no better validation than
// `quality`, which is poor, and the columns are few enough.
bool CrossFitMayHelp(const Problem& problem, const SlmOptions& options, double quality);

// Where training rows are few and columns many, a tenth of the rows set aside cannot tell good
// columns from lucky ones, and plain runs fit noise: cross-fitted runs then take their place, each
// leaning on the filter by this share of its steps.
bool FewRows(const Problem& problem);
constexpr double kFilterForFewRows = 0.3;

// The options of such a run, from those of a plain one: smaller predictors, more steps, fewer
// drops.
SlmOptions CrossFitOptions(const SlmOptions& options);

}  // namespace slm
