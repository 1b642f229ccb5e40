#pragma once

// What happens around the steps of a run without a part in them: whether it goes on, snapshots for
// a resumed run, the masks at the stops of a path, validation, progress.

#include <cstdint>
#include <limits>

#include "base/checkpoint.h"
#include "mask/mask_learner.h"
#include "mask/trainer.h"

namespace slm {

// A run between two steps.
struct RunState {
  RunState(const Problem& problem_in, MaskLearner& learner_in, GradientSource& source_in,
           int steps_in)
      : problem(problem_in), learner(learner_in), source(source_in), steps(steps_in) {}

  const Problem& problem;
  MaskLearner& learner;
  GradientSource& source;
  const int steps;
  int step = 0;              // that have been made
  size_t features = 0;       // F_t of the latest
  size_t next_features = 0;  // F_t of the next; 0 after the last
  Measure valid = {std::numeric_limits<double>::quiet_NaN(), 0};  // latest
  RunResult result;
};

// Cuts a run short when the context says so. Before that, and every few seconds, it leaves a
// snapshot.
class Interruptions {
 public:
  // Resumes from a snapshot if there is one.
  Interruptions(const RunInput& input, const Context& context, RunState& run);
  bool GoesOn(RunState& run);

 private:
  void Serialize(Archive& archive, RunState& run) const;

  const RunInput& input_;
  const Context& context_;
  Snapshots snapshots_;
  int first_step_;
};

// Records the mask at every stop that F_t leaves behind as it falls.
class PassedStops {
 public:
  explicit PassedStops(std::span<const size_t> stops) : stops_(stops) {}
  void AfterStep(RunState& run) const;

 private:
  const std::span<const size_t> stops_;
};

// Keeps mask and predictor of the best validation among those with F_t = k.
class Validation {
 public:
  Validation(size_t k, int interval) : k_(k), interval_(interval) {}
  void AfterStep(RunState& run) const;
  // A run that was not validated, since it was cut short or is to be measured at its end alone,
  // ends with what it has, and takes the predictor of the source.
  void Finish(RunState& run) const;

 private:
  // `take` gives the predictor if it is the best so far.
  template <class TakePredictor>
  void Measure(RunState& run, const TakePredictor& take) const;

  const size_t k_;
  const int interval_;
};

// Tells the caller of every step.
class StepReports {
 public:
  explicit StepReports(const StepCallback& on_step) : on_step_(on_step) {}
  void AfterStep(const RunState& run) const;

 private:
  const StepCallback& on_step_;
};

// All of them, in the order in which they look. The input and the context must outlive this.
class RunObservers {
 public:
  RunObservers(const RunInput& input, const Context& context, RunState& run);

  bool GoesOn(RunState& run) { return run.step < run.steps && interruptions_.GoesOn(run); }
  void AfterStep(RunState& run) const {
    stops_.AfterStep(run);
    validation_.AfterStep(run);
    reports_.AfterStep(run);
  }
  RunResult Finish(RunState& run) const {
    validation_.Finish(run);
    return std::move(run.result);
  }

 private:
  Interruptions interruptions_;
  const PassedStops stops_;
  const Validation validation_;
  const StepReports reports_;
};

}  // namespace slm
