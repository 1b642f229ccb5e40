#pragma once

// The network behind the methods that shrink, gate or remove inputs: a perceptron on the columns
// that are still active, with an optional linear skip connection from inputs to outputs.
//
//   f(x) = upper layers(relu((x diag(scale)) W_S + b)) + (x diag(scale)) T_S
//
// Columns whose weights or scales are zero need not be active; leaving them out changes no output,
// and every product shrinks with them. The loss is the cross entropy, or the mean squared error,
// each a weighted mean where rows carry weights.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "nn/active_batch.h"
#include "nn/layers.h"
#include "slm/problem.h"
#include "targets/losses.h"

namespace slm {

enum class WeightStart {
  kFanIn,      // weights and biases uniform within 1 / sqrt(inputs), as PyTorch has them
  kTruncated,  // weights standard normal, cut off at 0.2; biases zero, as STG's authors have them
};

struct NetShape {
  size_t hidden_layers = 1;
  size_t hidden_units = 64;
  bool skip = false;
  bool changing = false;  // the active columns differ from batch to batch
  WeightStart start = WeightStart::kFanIn;
};

class SparseNet {
 public:
  // Both datasets must outlive the net, unchanged.
  SparseNet(const Dataset& train, const Dataset& valid, const NetShape& shape, RandomStream random);

  // The columns that take part from now on, ascending, each with scale one.
  void SetActive(std::vector<int32_t> columns);
  std::span<const int32_t> active() const { return active_; }
  // Of each active column. Gradients leaves d_scale behind from the first call of scale on.
  std::span<float> scale() {
    gated_ = true;
    return scale_;
  }
  std::span<const float> d_scale() const { return d_scale_; }

  // Loss of some training rows; leaves the gradients of every active parameter behind.
  double Gradients(std::span<const int32_t> rows);
  // Loss of the validation rows, or of the training rows.
  double ValidLoss() { return MeanLoss(valid_, valid_batch_); }
  double TrainLoss() { return MeanLoss(train_, train_batch_); }
  double LossOf(std::span<const int32_t> rows);  // of some training rows

  // Adds the gradients of weight * (sum of squares): of the weights above the first layer, or of
  // the active skip weights.
  void AddUpperPenalty(double weight);
  void AddSkipPenalty(double weight);
  double UpperSquares() const;
  double SkipSquares() const;

  // Moves every active parameter along its gradient plus decay times itself. Rows of columns that
  // are not active stay, and keep their moments.
  void AdamStep(double rate, double decay = 0);
  void MomentumStep(double rate, double momentum, double decay = 0);
  void ForgetMoments();

  // A gradient step whose length is still to be found: SaveWeights, then StepFromSaved as often as
  // needed, each time from the saved weights (they take the place of the moments). StepBound is
  // what the smooth part may at most grow by for the step to be accepted, <g, w - w_saved> + |w -
  // w_saved|^2 / (2 rate).
  void SaveWeights();
  void StepFromSaved(double rate);
  double StepBound(double rate);

  // Row c holds the weights of column c.
  Matrix& hidden_weights() { return hidden_.weights().w; }
  Matrix& skip_weights() { return skip_.weights().w; }
  InputLayer& hidden_layer() { return hidden_; }
  InputLayer& skip_layer() { return skip_; }
  std::vector<DenseLayer>& upper_layers() { return upper_; }

 private:
  // Some of the parameters; their gradient is g_scale times `gradient`.
  struct Block {
    float* w;
    float* m;
    float* v;
    const float* gradient;
    float g_scale;
    size_t n;
  };

  ActiveInput Forward(const Dataset& data, ActiveBatch& batch, std::span<const int32_t> rows);
  ActiveInput GatherByColumn(std::span<const int32_t> rows);
  double MeanLoss(const Dataset& data, ActiveBatch& batch);
  void ForEachBlock(const std::function<void(const Block&)>& step);
  MatrixView<float> First(Matrix& matrix, size_t rows) const;

  const Dataset& train_;
  const Dataset& valid_;
  bool has_skip_;
  bool changing_;
  bool gated_ = false;  // scales may differ from one
  InputLayer hidden_;
  InputLayer skip_;                // without a bias; empty if there is none
  std::vector<DenseLayer> upper_;  // the last one gives the output
  AdamClock clock_;

  std::vector<int32_t> active_;
  std::vector<float> scale_, d_scale_, skip_d_scale_;
  ActiveBatch train_batch_, valid_batch_;
  Matrix by_column_;  // the training inputs transposed, once they are needed
  Matrix gathered_;
  std::vector<Matrix> activations_;
  Matrix scores_, skip_scores_, d_scores_;
  std::unique_ptr<Loss> loss_;
};

// Passes over the training rows in batches of the same size, each pass in an order of its own. Rows
// that would make a short last batch sit a pass out.
class EvenBatches {
 public:
  EvenBatches(size_t rows, size_t batch_size, RandomStream random);

  size_t per_epoch() const { return rows_.size() / batch_; }
  void Shuffle() { random_.Shuffle(std::span(rows_)); }
  std::span<const int32_t> at(size_t i) const {
    return std::span(rows_).subspan(i * batch_, batch_);
  }

 private:
  std::vector<int32_t> rows_;
  size_t batch_;
  RandomStream random_;
};

// The encoded columns of some features, ascending, given whether each feature is in.
std::vector<int32_t> ColumnsOf(const FeatureLayout& layout, std::span<const char> in);

// The weights of feature j in a matrix with a row for each encoded column, padding included.
std::span<float> RowsOf(Matrix& weights, const FeatureLayout& layout, size_t j);

}  // namespace slm
