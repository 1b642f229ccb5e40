#pragma once

// Measuring a predictor on a dataset, and training one on a fixed set of columns: the judge of
// every selection.

#include <memory>
#include <span>
#include <vector>

#include "nn/active_batch.h"
#include "nn/batches.h"
#include "slm/context.h"
#include "slm/predictor.h"
#include "slm/problem.h"
#include "targets/losses.h"
#include "targets/measure.h"

namespace slm {

// Scores of every row of `data`.
Matrix Scores(const Model& model, const Dataset& data);

// Measured by what choices among models go by.
inline Measure Evaluate(const Model& model, const Dataset& data, const LossKind& loss) {
  return MeasureForChoice(Scores(model, data), data, loss);
}

struct FitOptions {
  int hidden_layers = 1;
  int hidden_units = 128;
  int steps = 1500;
  int passes = 50;  // over the training rows at most, which bounds the steps where rows are few
  int least_tenths = 3;  // of the steps, however few the rows
  int batch_size = 64;
  double learning_rate = 2e-3;
  double l2 = 0;
  double input_noise = 0;  // deviation of what is added to the inputs of each step, evenly spread
  PredictorFactory make_predictor;  // empty for the perceptron of this shape
  const LossKind* loss = nullptr;   // null for what `auto` stands for

  const LossKind& LossFor(const Labels& labels) const {
    return loss != nullptr ? *loss : DefaultLoss(labels);
  }
};

// The options for a loss: its rate and the decay of weights that it calls for.
FitOptions SuitedTo(const LossKind& loss, FitOptions options);

struct FitResult {
  Model model;  // of the best validation epoch
  Measure valid;
};

// The steps of such a training over `rows` rows.
inline int StepsOf(const FitOptions& options, size_t rows) {
  return BoundedSteps(options.steps, options.passes, options.least_tenths, rows,
                      options.batch_size);
}

// Trains on the given columns of `train`, all weights one, the learning rate falling to zero.
// Leaves snapshots in the context's checkpoint, if there is one, and resumes from one it finds.
FitResult Fit(const Dataset& train, const Dataset& valid, std::span<const int32_t> columns,
              const FitOptions& options, RandomStream random, const Context& context);

}  // namespace slm
