#pragma once

// Predictors and models in a checkpoint: those of this library. Any other is a UsageError.

#include <cstdint>
#include <span>
#include <string>

#include "base/archive.h"
#include "base/random.h"
#include "nn/fit.h"
#include "slm/context.h"
#include "slm/predictor.h"
#include "slm/problem.h"

namespace slm {

// A predictor in training, with all that its next step depends on. It is read into one of the same
// shape.
void SerializeTraining(Archive& archive, Predictor& predictor);

// What a model may refer to.
struct ModelBounds {
  size_t columns = 0;  // encoded columns of the problem
  size_t outputs = 0;
};

// What a model that was read must be: a perceptron of these layers and units (a linear model for no
// layers) that reads just these columns.
struct ModelForm {
  std::span<const int32_t> columns;
  int hidden_layers = 0, hidden_units = 0;
};
void RequireForm(const Archive& archive, const Model& model, const ModelForm& form);

// A model to predict by, or none. Only weights of the columns that it reads are kept, and the
// predictor that comes back has no others; it predicts the same bits.
void Serialize(Archive& archive, Model& model, const ModelBounds& bounds);
void Serialize(Archive& archive, Measure& measure);
void Serialize(Archive& archive, FitResult& result, const ModelBounds& bounds);

// Fit, or what it came to before, under that name and that of the columns.
FitResult FitOrFind(const std::string& name, const Problem& problem,
                    std::span<const int32_t> columns, const FitOptions& options,
                    RandomStream random, const Context& context);

}  // namespace slm
