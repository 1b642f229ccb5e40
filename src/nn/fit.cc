#include "nn/fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/checkpoint.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kChunk = 256;  // rows at a time when measuring; their activations stay in cache

void AddNoise(MatrixView<float> x, double deviation, RandomStream random) {
  const double half = std::numbers::sqrt3 * deviation;  // of the width of an even spread
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t j = 0; j < x.cols; ++j) {
      x(i, j) += static_cast<float>(random.Uniform(-half, half));
    }
  }
}

}  // namespace

Matrix Scores(const Model& model, const Dataset& data) {
  Matrix scores(data.rows(), data.y.outputs());
  ActiveBatch batch;
  batch.SetColumns(model.columns, model.inputs);
  std::vector<int32_t> rows;
  for (size_t begin = 0; begin < data.rows(); begin += kChunk) {
    rows.resize(std::min(kChunk, data.rows() - begin));
    std::iota(rows.begin(), rows.end(), static_cast<int32_t>(begin));
    model.predictor->Forward(batch.Gather(*data.x, rows, model.scale),
                             {scores.row(begin), rows.size(), scores.cols(), scores.stride()});
  }
  return scores;
}

FitOptions SuitedTo(const LossKind& loss, FitOptions options) {
  options.loss = &loss;
  options.learning_rate *= loss.traits.rate;
  options.l2 = std::max(options.l2, loss.traits.least_l2);
  return options;
}

FitResult Fit(const Dataset& train, const Dataset& valid, std::span<const int32_t> columns,
              const FitOptions& options, RandomStream random, const Context& context) {
  if (train.rows() == 0) throw DataError("there are no training rows to fit a predictor to");
  // The predictor sees a matrix of its own columns only, so that it holds weights for no others.
  auto compact = [&](const Dataset& data) {
    return Dataset{MakeRows(CopyColumns(*data.x, columns)), data.y, data.weight, data.metric};
  };
  const Dataset own_train = compact(train), own_valid = compact(valid);
  std::vector<int32_t> own(columns.size());
  std::iota(own.begin(), own.end(), 0);
  std::vector<float> d_scale(columns.size());
  const size_t outputs = train.y.outputs();
  Model model{MakePredictor(options.make_predictor, columns.size(), outputs, options.hidden_layers,
                            options.hidden_units, random.Substream(0)),
              own, own, std::vector<float>(columns.size(), 1.0f)};
  FitResult best{{nullptr, {columns.begin(), columns.end()}, own, model.scale}, {}};
  Batches batches =
      Batches::OfAll(train.rows(), static_cast<size_t>(options.batch_size), random.Substream(1));
  const int steps = StepsOf(options, train.rows());
  // Measuring twenty times over the run is enough to find its best point.
  const int interval = std::max<int>(static_cast<int>(batches.per_epoch()), steps / 20);
  ActiveBatch batch;
  batch.SetColumns(own, own);
  const LossKind& loss_kind = options.LossFor(train.y);
  const std::unique_ptr<Loss> loss = loss_kind.make();
  Matrix scores(static_cast<size_t>(options.batch_size), outputs);
  Matrix d_scores = scores;
  int step = 0;
  auto measure = [&] {
    const Measure measured = Evaluate(model, own_valid, loss_kind);
    if (best.model.predictor && !measured.BetterThan(best.valid)) return;
    best.valid = measured;
    best.model.predictor = model.predictor->Clone();
  };
  auto serialize = [&](Archive& archive) {
    archive.Value(step);
    SerializeTraining(archive, *model.predictor);
    batches.Serialize(archive, train.rows());
    Serialize(archive, best, {train.x->columns(), outputs});
    if (!archive.reading()) return;
    archive.Require(step > 0 && step <= steps, "is beyond the last step");
    archive.Require(best.model.predictor || step < steps, "has no predictor");
    if (!best.model.predictor) return;
    RequireForm(archive, best.model, {columns, options.hidden_layers, options.hidden_units});
  };
  const RandomStream noise = random.Substream(2);
  Snapshots snapshots(context);
  snapshots.Resume(serialize);
  const int first = ++step;
  for (; step <= steps; ++step) {
    std::span<const int32_t> rows = batches.Next();
    ActiveInput input = batch.Gather(*own_train.x, rows, model.scale);
    if (options.input_noise > 0) {
      const MatrixView<float> x = batch.x();
      AddNoise({x.data, rows.size(), own.size(), x.stride}, options.input_noise,
               noise.Substream(static_cast<uint64_t>(step)));
    }
    MatrixView<float> s{scores.data(), rows.size(), scores.cols(), scores.stride()};
    MatrixView<float> ds{d_scores.data(), rows.size(), scores.cols(), scores.stride()};
    model.predictor->Forward(input, s);
    loss->Prepare(s, own_train, rows);
    loss->Gradient(0, {}, ds);
    model.predictor->Backward(input, ds, d_scale);
    double done = static_cast<double>(step - 1) / steps;
    model.predictor->Step(input, {options.learning_rate * (1 - done), options.l2});
    const bool stop = context.ShouldStop(), regular = step % interval == 0 || step == steps;
    if (regular) measure();
    // One that was stopped before it began may be of columns that were themselves cut short.
    if (step > first && (stop || snapshots.Due())) snapshots.Take(serialize);
    if (!stop) continue;
    if (!regular) measure();
    break;
  }
  return best;
}

}  // namespace slm
