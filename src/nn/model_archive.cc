#include "nn/model_archive.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/checkpoint.h"
#include "base/text.h"
#include "nn/mlp.h"
#include "slm/errors.h"

namespace slm {
namespace {

[[noreturn]] void Refuse() {
  throw UsageError("custom predictors cannot be saved in a checkpoint; run without one");
}

// Layers above the first one, and weights in each; 0 layers stand for the linear model.
struct Shape {
  uint64_t layers = 0, units = 0;
};

// Rows of the first layer, in the order of the inputs, and its bias.
void SerializeInputLayer(Archive& archive, InputLayer& layer, std::span<const int32_t> inputs) {
  Matrix& w = layer.weights().w;
  for (int32_t input : inputs) {
    archive.Fixed(std::span(w.row(static_cast<size_t>(input)), w.cols()));
  }
  archive.Fixed(layer.bias().w);
}

void SerializeWeights(Archive& archive, Predictor& predictor, std::span<const int32_t> inputs) {
  if (auto* linear = dynamic_cast<Linear*>(&predictor)) {
    SerializeInputLayer(archive, linear->layer(), inputs);
    return;
  }
  auto& mlp = dynamic_cast<Mlp&>(predictor);
  SerializeInputLayer(archive, mlp.input_layer(), inputs);
  for (DenseLayer& layer : mlp.dense_layers()) {
    archive.Fixed(layer.weights().w);
    archive.Fixed(layer.bias().w);
  }
}

Shape ShapeOf(const Predictor& predictor) {
  if (dynamic_cast<const Linear*>(&predictor) != nullptr) return {};
  const auto* mlp = dynamic_cast<const Mlp*>(&predictor);
  if (mlp == nullptr) Refuse();
  return {mlp->dense_layers().size(), mlp->input_layer().outputs()};
}

// Before memory is taken: there must be bytes enough for so many weights.
void RequireWeights(const Archive& archive, const Shape& shape, size_t columns, size_t outputs) {
  constexpr uint64_t kMost = std::numeric_limits<int>::max();
  if ((shape.layers == 0) != (shape.units == 0) || shape.layers > kMost || shape.units > kMost) {
    Archive::Fail("has a predictor of no possible shape");
  }
  const double units = static_cast<double>(shape.units), c = static_cast<double>(columns);
  const double layers = static_cast<double>(shape.layers), o = static_cast<double>(outputs);
  const double weights =
      shape.layers == 0 ? c * o : c * units + (layers - 1) * units * units + units * o;
  if (weights * sizeof(float) > static_cast<double>(archive.left())) {
    Archive::Fail("ends early");
  }
}

}  // namespace

void SerializeTraining(Archive& archive, Predictor& predictor) {
  if (auto* linear = dynamic_cast<Linear*>(&predictor)) {
    linear->Serialize(archive);
  } else if (auto* mlp = dynamic_cast<Mlp*>(&predictor)) {
    mlp->Serialize(archive);
  } else {
    Refuse();
  }
}

void Serialize(Archive& archive, Model& model, const ModelBounds& bounds) {
  uint8_t present = model.predictor != nullptr;
  archive.Value(present);
  if (!present) return;
  archive.DistinctIndices(model.columns, bounds.columns);
  model.scale.resize(model.columns.size());
  archive.Fixed(std::span(model.scale));
  Shape shape;
  if (!archive.reading()) shape = ShapeOf(*model.predictor);
  archive.Value(shape.layers);
  archive.Value(shape.units);
  if (archive.reading()) {
    RequireWeights(archive, shape, model.columns.size(), bounds.outputs);
    model.inputs.resize(model.columns.size());
    std::iota(model.inputs.begin(), model.inputs.end(), 0);
    model.predictor =
        MakePredictor(model.columns.size(), bounds.outputs, static_cast<int>(shape.layers),
                      static_cast<int>(shape.units), RandomStream(0, 0));
  }
  SerializeWeights(archive, *model.predictor, model.inputs);
}

void RequireForm(const Archive& archive, const Model& model, const ModelForm& form) {
  archive.Require(std::equal(model.columns.begin(), model.columns.end(), form.columns.begin(),
                             form.columns.end()),
                  "has a predictor of other columns");
  const Shape shape = ShapeOf(*model.predictor);
  const bool linear = form.hidden_layers == 0;
  archive.Require(shape.layers == static_cast<uint64_t>(form.hidden_layers) &&
                      shape.units == static_cast<uint64_t>(linear ? 0 : form.hidden_units),
                  "has a predictor of another shape");
}

void Serialize(Archive& archive, Measure& measure) {
  archive.Value(measure.quality);
  archive.Value(measure.loss);
}

void Serialize(Archive& archive, FitResult& result, const ModelBounds& bounds) {
  Serialize(archive, result.model, bounds);
  Serialize(archive, result.valid);
}

FitResult FitOrFind(const std::string& name, const Problem& problem,
                    std::span<const int32_t> columns, const FitOptions& options,
                    RandomStream random, const Context& context) {
  // A selection that ran out of time may come to other columns when it is done again.
  uint64_t hash = MixBits(columns.size());
  for (int32_t column : columns) hash = MixBits(hash + static_cast<uint64_t>(column) + 1);
  const ModelBounds bounds{problem.layout.columns(), problem.train.y.outputs()};
  return Checkpointed(
      context, name + " on " + FormatHex(hash),
      [&](Archive& archive, FitResult& result) {
        Serialize(archive, result, bounds);
        if (!archive.reading()) return;
        archive.Require(result.model.predictor != nullptr, "has no predictor");
        RequireForm(archive, result.model, {columns, options.hidden_layers, options.hidden_units});
      },
      [&](const Context& own) {
        return Fit(problem.train, problem.valid, columns, options, random, own);
      });
}

}  // namespace slm
