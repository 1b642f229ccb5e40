#include "model/content.h"

#include <algorithm>

#include "nn/mlp.h"

namespace slm {
namespace {

LayerWeights FirstLayer(const InputLayer& layer, const std::vector<int32_t>& inputs) {
  LayerWeights out{Matrix(inputs.size(), layer.outputs()), layer.bias().w};
  for (size_t a = 0; a < inputs.size(); ++a) {
    const float* row = layer.weights().w.row(static_cast<size_t>(inputs[a]));
    std::copy(row, row + layer.outputs(), out.w.row(a));
  }
  return out;
}

}  // namespace

std::vector<FeatureEncoding> ModelContent::encodings() const {
  std::vector<FeatureEncoding> out;
  for (const ChosenFeature& feature : features) out.push_back(feature.encoding);
  return out;
}

size_t ModelContent::parameters() const {
  size_t count = 0;
  for (const LayerWeights& layer : layers) count += (layer.w.rows() + 1) * layer.w.cols();
  return count;
}

std::vector<LayerWeights> LayersOf(const Model& model) {
  std::vector<LayerWeights> layers;
  if (const auto* linear = dynamic_cast<const Linear*>(model.predictor.get())) {
    layers.push_back(FirstLayer(linear->layer(), model.inputs));
  } else if (const auto* mlp = dynamic_cast<const Mlp*>(model.predictor.get())) {
    layers.push_back(FirstLayer(mlp->input_layer(), model.inputs));
    for (const DenseLayer& layer : mlp->dense_layers()) {
      layers.push_back({layer.weights().w, layer.bias().w});
    }
  }
  return layers;
}

}  // namespace slm
