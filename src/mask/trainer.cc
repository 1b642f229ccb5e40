// Algorithm 1 of the paper, "Training for SLM-based feature selection", line by line:
//
//   initialise the mask argument v <- all ones
//   for t = 1 to N
//     F_t by Eq. 4                                            Tempering::Features
//     scale m by Lemma 3.2, sparse mask p = sparsemax(m v)    MaskLearner::SetFeatures
//     X_sp = X * p, the input of the predictor f              MaskLearner::Pass
//     task loss and MI loss E (Eq. 9)                         BatchObjective::Compute
//     update the parameters of f                              GradientSource::Step
//     update v                                                MaskLearner::MoveMask
//
// Everything else about a run (validation, snapshots, stops, progress) looks on from outside:
// mask/run_observers.h.

#include "mask/trainer.h"

#include <algorithm>
#include <cmath>

#include "mask/mask_learner.h"
#include "mask/run_observers.h"
#include "mask/tempering.h"
#include "nn/batches.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"

namespace slm {
namespace {

// As printed: the batch that trains the predictor also moves the mask.
class OnePredictorSource : public GradientSource {
 public:
  OnePredictorSource(const RunInput& input, const RandomStream& random)
      : options_(*input.options),
        rows_(input.problem->train.rows()),
        predictor_(MakePredictor(input.make_predictor, input.problem->layout.columns(),
                                 input.problem->train.y.outputs(), options_.hidden_layers,
                                 options_.hidden_units, random.Substream(0))),
        batches_(Batches::OfAll(rows_, static_cast<size_t>(options_.batch_size),
                                random.Substream(1), input.repeats)),
        dropout_(random.Substream(2)) {}

  MaskGradients Step(int step, int /*drops*/, MaskLearner& learner) override {
    const ActiveInput active = learner.Pass(*predictor_, batches_.Next(), &dropout_);
    const double rate =
        options_.learning_rate *
        std::pow(options_.decay_rate, static_cast<double>(step) / options_.decay_steps);
    predictor_->Step(active, {rate, options_.l2});
    return {learner.d_weights(), learner.d_argument()};
  }

  std::unique_ptr<Predictor>& predictor() override { return predictor_; }

  // Once an epoch, but ten times if epochs are long.
  int ValidationInterval(int final_steps) const override {
    return std::clamp(final_steps / 10, 1, std::max(1, static_cast<int>(batches_.per_epoch())));
  }

  void Serialize(Archive& archive) override {
    SerializeTraining(archive, *predictor_);
    batches_.Serialize(archive, rows_);
    dropout_.Serialize(archive);
  }

 private:
  const SlmOptions& options_;
  const size_t rows_;
  std::unique_ptr<Predictor> predictor_;
  Batches batches_;
  RandomStream dropout_;
};

}  // namespace

RunResult TrainMask(const RunInput& input, GradientSource& source, const Context& context) {
  const Problem& problem = *input.problem;
  const SlmOptions& options = *input.options;
  const size_t k = static_cast<size_t>(input.k);
  MaskLearner learner(problem, input.codes, options, input.start);
  const Tempering tempering(problem.layout.features(), k, options.schedule, options.drops,
                            options.tempering, input.steps);
  RunState run(problem, learner, source, input.steps);
  RunObservers observers(input, context, run);
  while (observers.GoesOn(run)) {
    if (!source.Prepare(tempering.DropsBefore(run.step), context)) continue;
    run.features = tempering.Features(run.step);
    learner.SetFeatures(run.features);
    const MaskGradients gradients = source.Step(run.step, tempering.DropsBefore(run.step), learner);
    learner.MoveMask(gradients.weights, gradients.argument);
    ++run.step;
    run.next_features = run.step == run.steps ? 0 : tempering.Features(run.step);
    observers.AfterStep(run);
  }
  return observers.Finish(run);
}

std::unique_ptr<GradientSource> OnePredictor(const RunInput& input, const RandomStream& random) {
  return std::make_unique<OnePredictorSource>(input, random);
}

}  // namespace slm
