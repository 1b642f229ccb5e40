#pragma once

// What a model holds: how cells become numbers, the mask, and the layers of the predictor.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/encoding/encoder.h"
#include "slm/matrix.h"
#include "slm/predictor.h"
#include "targets/target.h"
#include "targets/weights.h"

namespace slm {

struct ChosenFeature {
  FeatureEncoding encoding;
  int rank = 0;      // from 1, the best
  float weight = 0;  // also where the method did not weigh a kept one
};

// y = x w + b, with a ReLU behind every layer but the last.
struct LayerWeights {
  Matrix w;     // inputs x outputs
  Matrix bias;  // one row
};

// Where the model comes from. Nothing of it changes a prediction.
struct ModelOrigin {
  std::string version;  // of slm
  std::string method;
  uint64_t seed = 0;
  size_t train_rows = 0;
  std::string metric;
  double valid_metric = 0;
  std::optional<double> test_metric;
  Weighting weighting;  // of the rows of the metrics
};

struct ModelContent {
  ModelOrigin origin;
  std::vector<ChosenFeature> features;  // in the order of the table
  TargetEncoding target;
  std::vector<float> mask;  // what the predictor multiplies each encoded column by
  std::vector<LayerWeights> layers;

  std::vector<FeatureEncoding> encodings() const;
  size_t inputs() const { return layers.front().w.rows(); }
  size_t outputs() const { return layers.back().w.cols(); }
  size_t parameters() const;  // numbers in the layers
};

// Weights of the columns that a trained predictor reads, in their order; none for a predictor that
// is not of this library.
std::vector<LayerWeights> LayersOf(const Model& model);

}  // namespace slm
