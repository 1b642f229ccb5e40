#pragma once

// Tables through a model.

#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "data/table.h"
#include "model/content.h"
#include "slm/matrix.h"
#include "slm/model.h"

namespace slm {

// A table without rows whose columns are of the types that the model was trained on, for
// ReadOptions::like. `source` names it in complaints.
Table TableLike(const ModelContent& content, std::string source);

// The columns of the model in `table`, in the model's order. Throws a DataError that names every
// one that is missing.
std::vector<const Column*> ChosenColumns(const ModelContent& content, const Table& table);

// A logit for each class, or the standardised value, of every row: the bits that training saw.
// Throws a DataError where one is not finite.
Matrix ModelScores(const ModelContent& content, const Table& table, ThreadPool& pool);

// The layers with the mask folded into the weights of the first, as the predictor did in training.
std::vector<LayerWeights> MaskedLayers(std::vector<LayerWeights> layers,
                                       const std::vector<float>& mask);

// A batch of rows through layers, the last of which gives the output.
void ForwardLayers(std::span<const LayerWeights> layers, MatrixView<const float> input,
                   MatrixView<float> output);

Predictions PredictionsOf(const ModelContent& content, const Matrix& scores);

}  // namespace slm
