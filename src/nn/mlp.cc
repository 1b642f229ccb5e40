#include "nn/mlp.h"

namespace slm {
namespace {

MatrixView<float> FirstRows(Matrix& matrix, size_t rows) {
  return {matrix.data(), rows, matrix.cols(), matrix.stride()};
}

}  // namespace

Mlp::Mlp(size_t columns, size_t outputs, size_t hidden_layers, size_t hidden_units,
         RandomStream random)
    : input_layer_(columns, hidden_units, random.Substream(0)), hidden_(hidden_layers) {
  for (size_t l = 1; l < hidden_layers; ++l) {
    dense_layers_.emplace_back(hidden_units, hidden_units, random.Substream(l));
  }
  // A random function is as large as a standardised target. Rows beyond the training ones keep
  // most of it, so a predictor of values starts from zero; for classes it is but a small margin.
  if (outputs == 1) {
    dense_layers_.emplace_back(hidden_units, outputs);
  } else {
    dense_layers_.emplace_back(hidden_units, outputs, random.Substream(hidden_layers));
  }
}

void Mlp::Forward(const ActiveInput& input, MatrixView<float> output) {
  size_t rows = input.x.rows;
  for (Matrix& hidden : hidden_) {
    if (hidden.rows() < rows) hidden = Matrix(rows, input_layer_.outputs());
  }
  input_layer_.Forward(input, /*relu=*/true, FirstRows(hidden_[0], rows));
  for (size_t l = 0; l < dense_layers_.size(); ++l) {
    bool last = l + 1 == dense_layers_.size();
    dense_layers_[l].Forward(FirstRows(hidden_[l], rows), /*relu=*/!last,
                             last ? output : FirstRows(hidden_[l + 1], rows));
  }
}

void Mlp::Backward(const ActiveInput& input, MatrixView<const float> d_output,
                   std::span<float> d_scale) {
  size_t rows = input.x.rows;
  MatrixView<const float> dy = d_output;
  for (size_t l = dense_layers_.size(); l-- > 0;) {
    MatrixView<float> x = FirstRows(hidden_[l], rows);
    dense_layers_[l].Backward(x, dy);
    dy = x;
  }
  input_layer_.Backward(input, dy, d_scale);
}

void Mlp::Step(const ActiveInput& input, const StepSize& size) {
  clock_.Tick(size);
  input_layer_.Step(input, clock_);
  for (DenseLayer& layer : dense_layers_) layer.Step(clock_);
}

void Mlp::Serialize(Archive& archive) {
  input_layer_.weights().Serialize(archive);
  input_layer_.bias().Serialize(archive);
  for (DenseLayer& layer : dense_layers_) {
    layer.weights().Serialize(archive);
    layer.bias().Serialize(archive);
  }
  clock_.Serialize(archive);
}

void Linear::Serialize(Archive& archive) {
  layer_.weights().Serialize(archive);
  layer_.bias().Serialize(archive);
  clock_.Serialize(archive);
}

std::unique_ptr<Mlp> Mlp::AverageOf(std::span<const Mlp* const> parts) {
  const Mlp& first = *parts[0];
  const size_t count = parts.size(), layers = first.hidden_.size();
  const size_t units = first.input_layer_.outputs();
  const float share = 1.0f / static_cast<float>(count);
  auto merged = std::unique_ptr<Mlp>(new Mlp());
  merged->hidden_.resize(layers);
  merged->input_layer_ = InputLayer(first.input_layer_.columns(), units * count);
  for (size_t l = 0; l < layers; ++l) {
    bool last = l + 1 == layers;
    size_t width = first.dense_layers_[l].outputs();
    merged->dense_layers_.emplace_back(units * count, last ? width : width * count);
  }
  // Copies a block of weights to (row, column), times `factor`.
  auto place = [](const Matrix& from, float factor, Matrix& to, size_t row, size_t column) {
    for (size_t i = 0; i < from.rows(); ++i) {
      for (size_t j = 0; j < from.cols(); ++j) to(row + i, column + j) += factor * from(i, j);
    }
  };
  for (size_t p = 0; p < count; ++p) {
    const Mlp& part = *parts[p];
    place(part.input_layer_.weights().w, 1, merged->input_layer_.weights().w, 0, p * units);
    place(part.input_layer_.bias().w, 1, merged->input_layer_.bias().w, 0, p * units);
    for (size_t l = 0; l < layers; ++l) {
      bool last = l + 1 == layers;
      size_t column = last ? 0 : p * units;
      float factor = last ? share : 1;
      place(part.dense_layers_[l].weights().w, factor, merged->dense_layers_[l].weights().w,
            p * units, column);
      place(part.dense_layers_[l].bias().w, factor, merged->dense_layers_[l].bias().w, 0, column);
    }
  }
  return merged;
}

std::unique_ptr<Predictor> AverageOf(std::span<const Predictor* const> parts) {
  std::vector<const Mlp*> mlps;
  for (const Predictor* part : parts) {
    if (auto* mlp = dynamic_cast<const Mlp*>(part)) mlps.push_back(mlp);
  }
  if (mlps.size() == parts.size()) return Mlp::AverageOf(mlps);
  auto mean = std::make_unique<Linear>(dynamic_cast<const Linear&>(*parts[0]));
  const float share = 1.0f / static_cast<float>(parts.size());
  auto average = [&](Matrix& target, auto&& matrix_of) {
    for (size_t i = 0; i < target.rows(); ++i) {
      for (size_t j = 0; j < target.cols(); ++j) {
        float sum = 0;
        for (const Predictor* p : parts) sum += matrix_of(dynamic_cast<const Linear&>(*p))(i, j);
        target(i, j) = share * sum;
      }
    }
  };
  average(mean->layer().weights().w,
          [](const Linear& p) -> const Matrix& { return p.layer().weights().w; });
  average(mean->layer().bias().w,
          [](const Linear& p) -> const Matrix& { return p.layer().bias().w; });
  return mean;
}

std::unique_ptr<Predictor> MakePredictor(size_t columns, size_t outputs, int hidden_layers,
                                         int hidden_units, RandomStream random) {
  if (hidden_layers == 0) return std::make_unique<Linear>(columns, outputs);
  return std::make_unique<Mlp>(columns, outputs, static_cast<size_t>(hidden_layers),
                               static_cast<size_t>(hidden_units), random);
}

std::unique_ptr<Predictor> MakePredictor(const PredictorFactory& own, size_t columns,
                                         size_t outputs, int hidden_layers, int hidden_units,
                                         RandomStream random) {
  if (own) return own(columns, outputs, random.Bits());
  return MakePredictor(columns, outputs, hidden_layers, hidden_units, random);
}

}  // namespace slm
