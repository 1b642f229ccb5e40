#include "search/cross_fit.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/checkpoint.h"
#include "mask/mask_learner.h"
#include "mask/tempering.h"
#include "nn/batches.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"

namespace slm {
namespace {

// A validation part of a hundred rows can choose; with a column or less for each row plain runs do
// as well.
constexpr size_t kManyRows = 1000;
constexpr size_t kColumnsForEachRow = 2;
constexpr size_t kFolds = 4;  // as many as there are rows, if those are fewer

// One predictor with the rows it learns from and those it is asked about.
struct Fold {
  std::unique_ptr<Predictor> predictor;
  Batches learn;
  Batches ask;
};

std::vector<Fold> MakeFolds(const RunInput& input, RandomStream random) {
  const Problem& problem = *input.problem;
  const SlmOptions& options = *input.options;
  const size_t columns = problem.layout.columns(), outputs = problem.train.y.outputs();
  const size_t rows = problem.train.rows(), batch = static_cast<size_t>(options.batch_size);
  std::vector<int32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  random.Substream(0).Shuffle(std::span(order));
  const size_t count = std::min(kFolds, rows);
  std::vector<Fold> folds;
  for (size_t f = 0; f < count; ++f) {
    std::vector<int32_t> learn, ask;
    for (size_t i = 0; i < rows; ++i) (i % count == f ? ask : learn).push_back(order[i]);
    RandomStream own = random.Substream(1 + f);
    folds.push_back({MakePredictor(input.make_predictor, columns, outputs, options.hidden_layers,
                                   options.hidden_units, own.Substream(0)),
                     Batches(std::move(learn), batch, own.Substream(1)),
                     Batches(std::move(ask), batch, own.Substream(2))});
  }
  return folds;
}

}  // namespace

bool CrossFitMayHelp(const Problem& problem, const SlmOptions& options, double quality) {
  if (problem.layout.columns() > 2000) return false;
  return quality < FindLoss(options.loss, problem.train.y).traits.good_quality;
}

bool FewRows(const Problem& problem) {
  const size_t rows = problem.train.rows();
  return rows < kManyRows && problem.layout.columns() > kColumnsForEachRow * rows;
}

SlmOptions CrossFitOptions(const SlmOptions& options) {
  SlmOptions own = options;
  own.hidden_units = std::min(options.hidden_units, 32);
  own.steps = 3 * options.steps;
  own.learning_rate = 3 * options.learning_rate;
  own.drops = std::max(1, options.drops / 3);
  own.tempering = 0.8;
  own.rcs_weight = 0;  // eight passes a step would make it the dearest part of the whole search
  return own;
}

RunResult TrainCrossFitted(const RunInput& input, RandomStream random, const Context& context) {
  const Problem& problem = *input.problem;
  const SlmOptions& options = *input.options;
  const size_t d = problem.layout.features(), k = static_cast<size_t>(input.k);
  const int steps = TotalSteps(options, problem.train.rows());
  MaskLearner learner(problem, input.codes, options, input.start);
  Tempering tempering(d, k, options.schedule, options.drops, options.tempering, steps);
  std::vector<float> d_weights, d_argument;  // sums over the folds
  std::vector<Fold> folds;
  int drop = -1, step = 0;
  RunResult result;
  StepInfo info{.valid = {std::numeric_limits<double>::quiet_NaN(), 0}};
  auto serialize = [&](Archive& archive) {
    archive.Value(step);
    archive.Value(drop);
    if (archive.reading()) folds = MakeFolds(input, random.Substream(static_cast<uint64_t>(drop)));
    learner.Serialize(archive);
    for (Fold& fold : folds) {
      SerializeTraining(archive, *fold.predictor);
      fold.learn.Serialize(archive, problem.train.rows());
      fold.ask.Serialize(archive, problem.train.rows());
    }
    Serialize(archive, result, problem);
  };
  Snapshots snapshots(context);
  snapshots.Resume(serialize);
  for (const int first = step; step < steps; ++step) {
    const bool stop = context.ShouldStop();
    if (step > first && (stop || snapshots.Due())) snapshots.Take(serialize);
    if (stop) break;
    if (int now = tempering.DropsBefore(step); now != drop) {
      drop = now;
      folds = MakeFolds(input, random.Substream(static_cast<uint64_t>(drop)));
    }
    const size_t count = tempering.Features(step);
    learner.SetFeatures(count);
    d_weights.assign(learner.mask().support().size(), 0.0f);
    d_argument.assign(learner.d_argument().size(), 0.0f);
    for (Fold& fold : folds) {
      ActiveInput active = learner.Pass(*fold.predictor, fold.learn.Next(), nullptr);
      fold.predictor->Step(active, {options.learning_rate, options.l2});
      learner.Pass(*fold.predictor, fold.ask.Next(), nullptr);
      for (size_t i = 0; i < d_weights.size(); ++i) d_weights[i] += learner.d_weights()[i];
      for (size_t j = 0; j < d_argument.size(); ++j) d_argument[j] += learner.d_argument()[j];
    }
    learner.MoveMask(d_weights, d_argument);
    info.step = step + 1;
    info.loss = learner.loss();
    info.active_features = learner.mask().support().size();
    if (input.on_step) input.on_step(info);
    const size_t next = step + 1 == steps ? 0 : tempering.Features(step + 1);
    learner.RecordPassed(input.stops, count, next, folds.back().predictor, &result.passed);
  }
  learner.SetFinalFeatures(k);
  if (folds.empty()) folds = MakeFolds(input, random);
  const Mask& mask = learner.mask();
  result.support.assign(mask.support().begin(), mask.support().end());
  result.weights.assign(mask.weights().begin(), mask.weights().end());
  result.argument.assign(mask.argument().begin(), mask.argument().end());
  result.model = learner.batch().MakeModel(std::move(folds.back().predictor));
  result.valid = Evaluate(result.model, problem.valid, learner.loss_kind());
  return result;
}

}  // namespace slm
