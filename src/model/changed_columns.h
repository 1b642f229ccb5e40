#pragma once

// Scores of rows in which the cells of a few columns change again and again, as for the importance
// of a column. The first layer of a predictor is linear: what the other columns give it is computed
// once, and a change costs what its own columns and the layers above do.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/content.h"
#include "slm/matrix.h"
#include "slm/predictor.h"

namespace slm {

class ChangedColumns {
 public:
  // The model must outlive this. A predictor that is not of this library runs as a whole.
  ChangedColumns(const Model& model, size_t outputs);

  // Multiply-adds for a row of which so many columns change, padding included. Up to a factor for
  // other predictors.
  double Work(size_t columns) const;

  // The rows to score: the columns of the model side by side, padded. They must outlive this.
  void SetRows(MatrixView<const float> x);

  // Scores where row i has the cells of row from[i] in the columns from `first` up to `last` of x.
  // May be called from several threads.
  Matrix Scores(size_t first, size_t last, std::span<const int32_t> from) const;
  // Of the rows as they are.
  Matrix Scores() const { return Scores(0, 0, {}); }

 private:
  struct Change;
  void ScoreByLayers(const Change& change, MatrixView<float> scores) const;
  void ScoreByPredictor(Predictor& predictor, const Change& change, MatrixView<float> scores) const;

  const Model& model_;
  const size_t outputs_;
  std::vector<LayerWeights> layers_;  // with the mask folded in; none for other predictors
  MatrixView<const float> x_;
  Matrix first_;  // what the first layer gives for the rows as they are
};

}  // namespace slm
