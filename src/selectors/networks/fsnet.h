#pragma once

// The two weight predictors of FsNet (Singh, Climente-Gonzalez, Petrovich, Kawakami, Yamada 2020).
// A selector layer and a reconstruction layer have weights for every column, far more than there
// are rows in the data FsNet is for. So they are not learned but predicted from what a column looks
// like, by small networks whose size does not depend on the number of columns:
//
//   u_c = the share of the rows in each bin of column c times the bin's centre, whitened
//   logits of node i and feature j:   u_j . W_i
//   reconstruction of column c:       x_c = h . tanh(u_c V)
//
// Whitening changes neither what W nor what V can express, since it is linear, but what they learn
// soon: columns of nearly the same distribution differ in directions that it makes as large as the
// others. A feature of several encoded columns is known by its first: the histograms of one-hot
// columns add up to the same for all features.
//
// The script beside the paper takes a softmax over the nodes before that over the features. The
// shares of a feature then sum to one, so that a node is left with features / k of them however
// long it learns, and its last sample is a draw among those; that step is left out.

#include <span>

#include "base/random.h"
#include "nn/adam.h"
#include "slm/context.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// A row of `bins` numbers for each column of the data, in the order of `columns`. Bins have equal
// width between the least and the largest value, and rows count by their weights.
Matrix ColumnHistograms(const Dataset& data, std::span<const int32_t> columns, int bins);

// Takes the mean row away and multiplies by the inverse square root of the covariance, so that the
// columns have variance 1 and no correlation; directions without variance become 0. Where asked to
// stop it may leave the rows as they are.
void Whiten(Matrix& rows, const Context& context);

class SelectorPredictor {
 public:
  SelectorPredictor(Matrix histograms, size_t nodes, RandomStream random);

  const Matrix& Predict();                // logits, nodes x features
  void Backward(const Matrix& d_logits);  // of the latest Predict
  void Step(const AdamClock& clock);
  Parameters& weights() { return weights_; }  // W

 private:
  Matrix histograms_;   // features x bins
  Parameters weights_;  // bins x nodes
  Matrix by_feature_;   // features x nodes: the logits, then their gradient
  Matrix logits_;       // nodes x features
};

class ReconstructionPredictor {
 public:
  ReconstructionPredictor(Matrix histograms, size_t inputs, RandomStream random);

  // What is made of each row of h: rows x columns, valid until the next call.
  MatrixView<const float> Forward(MatrixView<const float> h);
  // d loss / d h, given d loss / d output of the latest Forward on the same h.
  MatrixView<const float> Backward(MatrixView<const float> h, MatrixView<const float> d_made);
  void Step(const AdamClock& clock);
  Parameters& weights() { return weights_; }  // V

 private:
  Matrix histograms_;                 // columns x bins
  Parameters weights_;                // bins x inputs
  Matrix predicted_;                  // tanh(u V), columns x inputs
  Matrix transposed_, d_transposed_;  // inputs x columns
  Matrix made_, d_h_;
};

}  // namespace slm
