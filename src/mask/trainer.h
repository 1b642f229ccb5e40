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

class MaskLearner;

// The mask that a run had as F_t fell past so many features.
struct PassedSupport {
  size_t count = 0;
  std::vector<int32_t> support;     // ascending
  Measure valid;                    // of the predictor at that time
  std::vector<float> weights = {};  // p of each of the support
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

// What a run reports after each step.
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
  int steps;                        // N; those of the options and their epochs are not looked at
  std::vector<float> start;         // mask argument to start from; empty for all ones
  PredictorFactory make_predictor;  // empty for the perceptron of the options
  StepCallback on_step;             // may be empty
  std::vector<size_t> stops = {};   // numbers of features, on the way to k, to record the mask at
  // How often each training row is in an epoch; empty for once each.
  std::span<const int32_t> repeats = {};
};

// Writes or reads what a run of the problem has come to.
void Serialize(Archive& archive, RunResult& result, const Problem& problem);

// What was read must be what a run to k, past these stops, can end with; or, before its last step,
// can have come to.
void RequireRun(const Archive& archive, const RunResult& result, const Problem& problem, size_t k,
                std::span<const size_t> stops, bool ended);

// d loss / d weights of the mask's support, and d loss / d argument where the objective has one.
struct MaskGradients {
  std::span<const float> weights, argument;
};

// Trains the predictors of a run, and says by which gradient its mask moves.
class GradientSource {
 public:
  virtual ~GradientSource() = default;
  // Makes what a step after `drops` drops of F_t needs, which takes seconds where columns are many.
  // False, and nothing has changed, if the work is to stop before that is done.
  virtual bool Prepare(int /*drops*/, const Context& /*context*/) { return true; }
  // One step, for which it is prepared, after `drops` drops of F_t; the learner holds the mask. The
  // gradients are valid until the next call.
  virtual MaskGradients Step(int step, int drops, MaskLearner& learner) = 0;
  // The predictor that validation measures.
  virtual std::unique_ptr<Predictor>& predictor() = 0;
  // Steps between two validations, of `final_steps` with F_t = k; 0 for one at the end.
  virtual int ValidationInterval(int final_steps) const = 0;
  // Writes or reads all that the next step depends on.
  virtual void Serialize(Archive& archive) = 0;
};

// Algorithm 1. Leaves snapshots in the context's checkpoint, if there is one, and resumes from one
// it finds.
RunResult TrainMask(const RunInput& input, GradientSource& source, const Context& context);

// As printed: one predictor, whose batches give the mask its gradient.
std::unique_ptr<GradientSource> OnePredictor(const RunInput& input, const RandomStream& random);

}  // namespace slm
