#pragma once

// One run of SLM (paper, Algorithm 1): mask and predictor learn together while F_t falls to k.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/archive.h"
#include "base/random.h"
#include "nn/fit.h"
#include "slm/context.h"
#include "slm/options.h"
#include "slm/predictor.h"
#include "slm/problem.h"

namespace slm {

// The support that a run had as F_t fell past so many features.
struct PassedSupport {
  size_t count = 0;
  std::vector<int32_t> support;  // ascending
  Measure valid;                 // of the predictor at that time
};

// What a run ends with: mask and predictor of the best validation epoch among those with F_t = k.
struct RunResult {
  std::vector<int32_t> support;  // k features, ascending
  std::vector<float> weights;    // p of each
  std::vector<float> argument;   // of the mask, for all features
  Model model;
  Measure valid;
  std::vector<PassedSupport> passed;  // one for each stop that was reached
};

// What a run tells while it goes on.
struct StepInfo {
  int step = 0;
  size_t active_features = 0;
  double loss = 0;
  Measure valid;  // latest; quality is NaN before the first
};
using StepCallback = std::function<void(const StepInfo&)>;

struct RunInput {
  const Problem* problem;
  std::span<const ValueCodes> codes;  // may be empty where the pair term is not used
  int k;
  const SlmOptions* options;
  std::vector<float> start;         // mask argument to start from; empty for all ones
  PredictorFactory make_predictor;  // empty for the perceptron of the options
  StepCallback on_step;             // may be empty
  std::vector<size_t> stops = {};   // numbers of features, on the way to k, to keep the support of
};

// Writes or reads what a run of the problem ended with.
void Serialize(Archive& archive, RunResult& result, const Problem& problem);

// Leaves snapshots in the context's checkpoint, if there is one, and goes on from one it finds.
RunResult TrainMask(const RunInput& input, RandomStream random, const Context& context);

// The steps of a run over `rows` training rows.
int TotalSteps(const SlmOptions& options, size_t rows);

// The encoded columns of the given features, ascending.
std::vector<int32_t> ColumnsOf(const FeatureLayout& layout, std::span<const int32_t> features);

}  // namespace slm
