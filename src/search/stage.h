#pragma once

// The runs of a stage of a recipe, trained side by side.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "mask/trainer.h"
#include "search/recipe.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

// Tells the observer, if there is one, how far a phase has come. Ticks may come from any thread.
class Meter {
 public:
  Meter(Observer* observer, std::string_view phase, int ticks)
      : observer_(observer), phase_(phase), ticks_(ticks) {}

  void Tick(const StepInfo& info);

 private:
  Observer* observer_;
  std::string_view phase_;
  int ticks_;
  std::atomic<int> done_ = 0;
};

// How often balanced batches hold a row of each class: the more often the less the class weighs, by
// the power `balance` of the ratio, but in no more rows than the class of most rows has.
std::vector<int32_t> RepeatsOfClasses(const Dataset& data, double balance);

class StageTrainer {
 public:
  // The filter looks for `filter_k` features. All that is given must outlive this.
  StageTrainer(const Problem& problem, const Recipe& recipe, int filter_k, uint64_t seed,
               const Context& context)
      : problem_(problem), recipe_(recipe), filter_k_(filter_k), seed_(seed), context_(context) {}

  // The runs of a stage down to k features, with the masks they had at the stops on the way. Each
  // is called "run" and its index in a checkpoint. Of runs that a stop came before, the first alone
  // is in the result. Progress goes to `observer`, which may be null.
  std::vector<RunResult> Train(const Stage& stage, int k, std::span<const int> stops,
                               Observer* observer);

  // One run, cut to `steps`.
  RunResult TrainRun(const PlannedRun& run, int k, int steps, const Context& context) const;

  // Makes what the runs of a stage share: codes for the pair term, scores of the filter.
  void Prepare(const Stage& stage);

 private:
  void Balance();
  RunInput Input(const PlannedRun& run, int k, int steps) const;
  std::unique_ptr<GradientSource> Source(const PlannedRun& run, const RunInput& input) const;

  const Problem& problem_;
  const Recipe& recipe_;
  const int filter_k_;
  const uint64_t seed_;
  const Context& context_;
  Problem balanced_;              // validates by classes that weigh as they are repeated
  std::vector<int32_t> repeats_;  // of each training row in runs with balanced batches
  std::vector<ValueCodes> codes_;
  std::vector<double> filter_scores_;
};

// The k features of the largest mean weight over the masks, with that mask: its argument is the sum
// of their weights. Arguments of whole runs, far too small beside them to matter, order what none
// has chosen; where they are not given, the numbers of the features do.
struct WeightedSupport {
  std::span<const int32_t> support;
  std::span<const float> weights;
  std::span<const float> argument = {};  // of all features; may be empty
};
RunResult MeanMask(std::span<const WeightedSupport> masks, size_t features, int k, MaskScale scale);

}  // namespace slm
