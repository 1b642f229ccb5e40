#include "mask/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checkpoint.h"
#include "mask/mask_learner.h"
#include "mask/tempering.h"
#include "nn/batches.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"

namespace slm {

int TotalSteps(const SlmOptions& options, size_t rows) {
  if (options.epochs <= 0) return BoundedSteps(options.steps, 300, rows, options.batch_size);
  const size_t batch = static_cast<size_t>(options.batch_size);
  return options.epochs * static_cast<int>((rows + batch - 1) / batch);
}

std::vector<int32_t> ColumnsOf(const FeatureLayout& layout, std::span<const int32_t> features) {
  std::vector<int32_t> columns;
  for (int32_t j : features) {
    size_t at = static_cast<size_t>(j);
    for (int32_t c = layout.offsets[at]; c < layout.offsets[at + 1]; ++c) columns.push_back(c);
  }
  return columns;
}

void Serialize(Archive& archive, RunResult& result, const Problem& problem) {
  const size_t d = problem.layout.features();
  archive.Indices(result.support, d);
  result.weights.resize(result.support.size());
  archive.Fixed(std::span(result.weights));
  archive.Any(result.argument);
  if (!result.argument.empty() && result.argument.size() != d) Archive::Fail("has another d");
  Serialize(archive, result.model, {problem.layout.columns(), problem.train.y.outputs()});
  Serialize(archive, result.valid);
  archive.List(result.passed, [&](PassedSupport& passed) {
    archive.Value(passed.count);
    archive.Indices(passed.support, d);
    Serialize(archive, passed.valid);
  });
}

RunResult TrainMask(const RunInput& input, RandomStream random, const Context& context) {
  const Problem& problem = *input.problem;
  const SlmOptions& options = *input.options;
  const size_t d = problem.layout.features(), k = static_cast<size_t>(input.k);
  const int steps = TotalSteps(options, problem.train.rows());

  MaskLearner learner(problem, input.codes, options, input.start);
  if (input.start.empty() && options.schedule == Schedule::kNone) {
    // Without tempering an all-ones mask would begin with the first k features; chance is fairer.
    RandomStream noise = random.Substream(3);
    for (float& v : learner.mask().argument()) v += static_cast<float>(1e-3 * noise.Uniform());
  }
  Tempering tempering(d, k, options.schedule, options.drops, options.tempering, steps);
  size_t columns = problem.layout.columns(), outputs = problem.train.y.outputs();
  std::unique_ptr<Predictor> predictor =
      MakePredictor(input.make_predictor, columns, outputs, options.hidden_layers,
                    options.hidden_units, random.Substream(0));
  Batches batches = Batches::OfAll(problem.train.rows(), static_cast<size_t>(options.batch_size),
                                   random.Substream(1));
  RandomStream dropout = random.Substream(2);

  RunResult best;
  StepInfo info{.valid = {std::numeric_limits<double>::quiet_NaN(), 0}};
  // Validation counts only where F_t = k: once an epoch, but ten times if epochs are long.
  const int final_steps = std::max(1, static_cast<int>((1 - options.tempering) * steps));
  const int interval =
      std::clamp(final_steps / 10, 1, std::max(1, static_cast<int>(batches.per_epoch())));
  auto validate = [&] {
    info.valid = learner.MeasureExactly(k, predictor);
    if (best.model.predictor && !info.valid.BetterThan(best.valid)) return;
    const Mask& mask = learner.mask();
    best.support.assign(mask.support().begin(), mask.support().end());
    best.weights.assign(mask.weights().begin(), mask.weights().end());
    best.argument.assign(mask.argument().begin(), mask.argument().end());
    best.model = learner.batch().MakeModel(predictor->Clone());
    best.valid = info.valid;
  };

  int step = 0;
  auto serialize = [&](Archive& archive) {
    archive.Value(step);
    learner.Serialize(archive);
    SerializeTraining(archive, *predictor);
    batches.Serialize(archive, problem.train.rows());
    dropout.Serialize(archive);
    Serialize(archive, best, problem);
    Serialize(archive, info.valid);
  };
  Snapshots snapshots(context);
  snapshots.Resume(serialize);
  for (const int first = step; step < steps; ++step) {
    const bool stop = context.ShouldStop();
    if (step > first && (stop || snapshots.Due())) snapshots.Take(serialize);
    if (stop) break;
    const size_t count = tempering.Features(step);
    learner.SetFeatures(count);
    info.active_features = learner.mask().support().size();
    ActiveInput active = learner.Pass(*predictor, batches.Next(), &dropout);
    double rate = options.learning_rate *
                  std::pow(options.decay_rate, static_cast<double>(step) / options.decay_steps);
    predictor->Step(active, {rate, options.l2});
    learner.MoveMask(learner.d_weights(), learner.d_argument());

    const bool last = step + 1 == steps;
    const size_t next = last ? 0 : tempering.Features(step + 1);
    learner.RecordPassed(input.stops, count, next, predictor, &best.passed);
    if (count == k && ((step + 1) % interval == 0 || last)) validate();
    info.step = step + 1;
    info.loss = learner.loss();
    if (input.on_step) input.on_step(info);
  }
  if (!best.model.predictor) validate();  // stopped before F_t reached k
  return best;
}

}  // namespace slm
