#include "model/predict.h"

#include <algorithm>
#include <cmath>

#include "base/options.h"
#include "nn/layers.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kChunk = 256;  // rows at a time; their activations stay in the cache

// Parameters are finite, but those of a file that was changed may multiply to what no float holds.
void RefuseOverflow(const Matrix& scores, const Table& table) {
  for (size_t i = 0; i < scores.rows(); ++i) {
    const float* row = scores.row(i);
    if (std::all_of(row, row + scores.cols(), [](float score) { return std::isfinite(score); })) {
      continue;
    }
    throw DataError(table.Where(i) +
                    ": the model's output is not a finite number; its file was changed or damaged, "
                    "so train it again");
  }
}

}  // namespace

Table TableLike(const ModelContent& content, std::string source) {
  Table table;
  table.source = std::move(source);
  auto add = [&](const std::string& name, ColumnType type, const CellFormat& format) {
    Column& column = table.columns.emplace_back();
    column.name = name;
    column.type = type;
    column.format = format;
  };
  for (const ChosenFeature& feature : content.features) {
    add(feature.encoding.name, feature.encoding.type, feature.encoding.format);
  }
  // Any cell can be read as text. A target of numbers that reads as something else in new data is
  // no reason to refuse them.
  if (content.target.type == ColumnType::kText) add(content.target.name, ColumnType::kText, {});
  return table;
}

std::vector<const Column*> ChosenColumns(const ModelContent& content, const Table& table) {
  std::vector<const Column*> columns;
  std::vector<std::string> missing, names;
  for (const Column& column : table.columns) names.push_back(column.name);
  for (const ChosenFeature& feature : content.features) {
    auto at = std::find(names.begin(), names.end(), feature.encoding.name);
    if (at == names.end()) {
      missing.push_back(feature.encoding.name);
    } else {
      columns.push_back(&table.columns[static_cast<size_t>(at - names.begin())]);
    }
  }
  if (missing.empty()) return columns;
  std::string list;
  for (const std::string& name : missing) list += (list.empty() ? "'" : ", '") + name + "'";
  const std::string near = NearestName(missing[0], names);
  throw DataError((table.source.empty() ? "the table" : table.source) + " lacks " +
                  (missing.size() == 1 ? "the column " : "the columns ") + list +
                  " that the model reads" +
                  (near.empty() ? "" : "; is '" + missing[0] + "' the one named '" + near + "'?"));
}

Matrix ModelScores(const ModelContent& content, const Table& table, ThreadPool& pool) {
  ChosenColumns(content, table);
  const Matrix x = Encoder(content.encodings()).Encode(table, AllIndices(table.rows), pool);
  const std::vector<LayerWeights> layers = MaskedLayers(content.layers, content.mask);
  Matrix scores(table.rows, content.outputs());
  pool.ParallelFor((table.rows + kChunk - 1) / kChunk, [&](size_t chunk) {
    const size_t begin = chunk * kChunk, rows = std::min(kChunk, table.rows - begin);
    ForwardLayers(layers, {x.row(begin), rows, x.cols(), x.stride()},
                  {scores.row(begin), rows, scores.cols(), scores.stride()});
  });
  RefuseOverflow(scores, table);
  return scores;
}

std::vector<LayerWeights> MaskedLayers(std::vector<LayerWeights> layers,
                                       const std::vector<float>& mask) {
  if (layers.empty()) return layers;
  Matrix& w = layers[0].w;
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j) w(i, j) *= mask[i];
  }
  return layers;
}

void ForwardLayers(std::span<const LayerWeights> layers, MatrixView<const float> input,
                   MatrixView<float> output) {
  Matrix hidden[2];
  for (size_t l = 0; l < layers.size(); ++l) {
    const bool last = l + 1 == layers.size();
    if (!last) hidden[l % 2] = Matrix(input.rows, layers[l].w.cols());
    const MatrixView<float> out = last ? output : hidden[l % 2].view();
    DenseForward(input, layers[l].w, layers[l].bias.data(),
                 last ? GemmEpilogue::kBias : GemmEpilogue::kBiasRelu, out);
    input = out;
  }
}

Predictions PredictionsOf(const ModelContent& content, const Matrix& scores) {
  return TargetEncoder(content.target).Decode(scores);
}

}  // namespace slm
