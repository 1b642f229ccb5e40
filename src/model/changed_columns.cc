#include "model/changed_columns.h"

#include <algorithm>
#include <memory>

#include "kernels/gemm.h"
#include "model/predict.h"

namespace slm {
namespace {

constexpr size_t kChunk = 256;  // rows at a time; their activations stay in the cache

}  // namespace

// The rows of a chunk, and where their cells in some columns come from.
struct ChangedColumns::Change {
  size_t begin = 0, rows = 0;
  size_t first = 0, last = 0;
  std::span<const int32_t> from;

  size_t columns() const { return last - first; }
  size_t source(size_t i) const { return static_cast<size_t>(from[begin + i]); }
};

ChangedColumns::ChangedColumns(const Model& model, size_t outputs)
    : model_(model), outputs_(outputs), layers_(MaskedLayers(LayersOf(model), model.scale)) {}

double ChangedColumns::Work(size_t columns) const {
  if (layers_.empty()) return 1;
  double work = static_cast<double>(columns * layers_[0].w.stride());
  for (size_t l = 1; l < layers_.size(); ++l) {
    work += static_cast<double>(layers_[l].w.rows() * layers_[l].w.stride());
  }
  return work;
}

void ChangedColumns::SetRows(MatrixView<const float> x) {
  x_ = x;
  if (layers_.empty()) return;
  first_ = Matrix(x.rows, layers_[0].w.cols());
  ForwardLayers(std::span(layers_).first(1), x, first_.view());
}

Matrix ChangedColumns::Scores(size_t first, size_t last, std::span<const int32_t> from) const {
  Matrix scores(x_.rows, outputs_);
  std::unique_ptr<Predictor> own;
  if (layers_.empty()) own = model_.predictor->Clone();
  for (size_t begin = 0; begin < x_.rows; begin += kChunk) {
    const Change change{begin, std::min(kChunk, x_.rows - begin), first, last, from};
    const MatrixView<float> out{scores.row(begin), change.rows, scores.cols(), scores.stride()};
    own ? ScoreByPredictor(*own, change, out) : ScoreByLayers(change, out);
  }
  return scores;
}

void ChangedColumns::ScoreByLayers(const Change& change, MatrixView<float> scores) const {
  Matrix difference(change.rows, change.columns()), hidden(change.rows, first_.cols());
  for (size_t i = 0; i < change.rows; ++i) {
    for (size_t c = 0; c < change.columns(); ++c) {
      const size_t column = change.first + c;
      difference(i, c) = x_(change.source(i), column) - x_(change.begin + i, column);
    }
  }
  if (change.columns() > 0) {
    Gemm({.m = change.rows,
          .n = hidden.stride(),
          .k = change.columns(),
          .a = difference.data(),
          .a_stride = difference.stride(),
          .b = layers_[0].w.row(change.first),
          .b_stride = layers_[0].w.stride(),
          .c = hidden.data(),
          .c_stride = hidden.stride()});
  }
  const bool linear = layers_.size() == 1;
  for (size_t i = 0; i < change.rows; ++i) {
    const float* before = first_.row(change.begin + i);
    float* row = linear ? scores.row(i) : hidden.row(i);
    for (size_t h = 0; h < first_.cols(); ++h) {
      const float sum = before[h] + hidden(i, h);
      row[h] = linear ? sum : std::max(0.0f, sum);
    }
  }
  if (!linear) ForwardLayers(std::span(layers_).subspan(1), hidden.view(), scores);
}

void ChangedColumns::ScoreByPredictor(Predictor& predictor, const Change& change,
                                      MatrixView<float> scores) const {
  Matrix x(change.rows, x_.cols);
  for (size_t i = 0; i < change.rows; ++i) {
    std::copy_n(x_.row(change.begin + i), x_.cols, x.row(i));
    for (size_t c = change.first; c < change.last; ++c) x(i, c) = x_(change.source(i), c);
  }
  predictor.Forward({x.view(), model_.inputs, model_.scale}, scores);
}

}  // namespace slm
