#include "mask/run_observers.h"

#include <algorithm>
#include <set>

#include "nn/model_archive.h"

namespace slm {

Interruptions::Interruptions(const RunInput& input, const Context& context, RunState& run)
    : input_(input), context_(context), snapshots_(context) {
  snapshots_.Resume([&](Archive& archive) { Serialize(archive, run); });
  first_step_ = run.step;
}

bool Interruptions::GoesOn(RunState& run) {
  const bool stop = context_.ShouldStop();
  if (run.step > first_step_ && (stop || snapshots_.Due())) {
    snapshots_.Take([&](Archive& archive) { Serialize(archive, run); });
  }
  return !stop;
}

void Interruptions::Serialize(Archive& archive, RunState& run) const {
  archive.Value(run.step);
  run.learner.Serialize(archive);
  run.source.Serialize(archive);
  slm::Serialize(archive, run.result, run.problem);
  slm::Serialize(archive, run.valid);
  if (!archive.reading()) return;
  archive.Require(run.step > 0 && run.step < run.steps, "is beyond the last step");
  RequireRun(archive, run.result, run.problem, static_cast<size_t>(input_.k), input_.stops,
             /*ended=*/false);
}

void PassedStops::AfterStep(RunState& run) const {
  for (size_t stop : stops_) {
    if (stop > run.features || stop <= run.next_features) continue;
    const Measure valid = run.learner.MeasureExactly(stop, run.source.predictor());
    const Mask& mask = run.learner.mask();
    run.result.passed.push_back({.count = stop,
                                 .support = {mask.support().begin(), mask.support().end()},
                                 .valid = valid,
                                 .weights = {mask.weights().begin(), mask.weights().end()}});
  }
}

void Validation::AfterStep(RunState& run) const {
  if (run.features != k_ || interval_ == 0) return;
  if (run.step % interval_ != 0 && run.step != run.steps) return;
  Measure(run, [&] { return run.source.predictor()->Clone(); });
}

void Validation::Finish(RunState& run) const {
  if (run.result.model.predictor) return;
  Measure(run, [&] { return std::move(run.source.predictor()); });
}

template <class TakePredictor>
void Validation::Measure(RunState& run, const TakePredictor& take) const {
  run.valid = run.learner.MeasureExactly(k_, run.source.predictor());
  RunResult& best = run.result;
  if (best.model.predictor && !run.valid.BetterThan(best.valid)) return;
  const Mask& mask = run.learner.mask();
  best.support.assign(mask.support().begin(), mask.support().end());
  best.weights.assign(mask.weights().begin(), mask.weights().end());
  best.argument.assign(mask.argument().begin(), mask.argument().end());
  best.model = run.learner.batch().MakeModel(take());
  best.valid = run.valid;
}

void StepReports::AfterStep(const RunState& run) const {
  if (!on_step_) return;
  on_step_({.step = run.step,
            .active_features = run.learner.active_features(),
            .loss = run.learner.loss(),
            .valid = run.valid});
}

RunObservers::RunObservers(const RunInput& input, const Context& context, RunState& run)
    : interruptions_(input, context, run),
      stops_(input.stops),
      validation_(static_cast<size_t>(input.k),
                  run.source.ValidationInterval(
                      std::max(1, static_cast<int>((1 - input.options->tempering) * input.steps)))),
      reports_(input.on_step) {}

void Serialize(Archive& archive, RunResult& result, const Problem& problem) {
  const size_t d = problem.layout.features();
  archive.DistinctIndices(result.support, d);
  result.weights.resize(result.support.size());
  archive.Fixed(std::span(result.weights));
  archive.Any(result.argument);
  if (!result.argument.empty() && result.argument.size() != d) Archive::Fail("has another d");
  Serialize(archive, result.model, {problem.layout.columns(), problem.train.y.outputs()});
  Serialize(archive, result.valid);
  archive.List(result.passed, [&](PassedSupport& passed) {
    archive.Value(passed.count);
    archive.DistinctIndices(passed.support, d);
    Serialize(archive, passed.valid);
    passed.weights.resize(passed.support.size());
    archive.Fixed(std::span(passed.weights));
  });
}

void RequireRun(const Archive& archive, const RunResult& result, const Problem& problem, size_t k,
                std::span<const size_t> stops, bool ended) {
  auto require_support = [&](const std::vector<int32_t>& support, size_t count) {
    archive.Require(support.size() == count, "has another number of columns");
    archive.Require(std::is_sorted(support.begin(), support.end()), "has columns out of order");
  };
  if (ended || !result.support.empty()) {
    require_support(result.support, k);
    archive.Require(!result.argument.empty(), "has no mask");
    archive.Require(result.model.predictor != nullptr, "has no predictor");
    archive.Require(result.model.columns == problem.layout.ColumnsOf(result.support),
                    "has a predictor of other columns");
  }
  std::set<size_t> left(stops.begin(), stops.end());
  for (const PassedSupport& passed : result.passed) {
    archive.Require(left.erase(passed.count) == 1, "has a number of columns that nobody asked for");
    require_support(passed.support, passed.count);
  }
  // The last stop of a run is its k.
  if (ended) archive.Require(!left.contains(k), "has no columns for the last step");
}

}  // namespace slm
