#pragma once

// The concrete selector layer (Balin, Abid and Zou, ICML 2019): k nodes, each of which reads one
// feature once training is over. Until then a node reads a mixture,
//
//   M_i = softmax over the features of (l_i + g_i) / T,   y_i = sum_j M_ij x_j,
//
// l its logits, g Gumbel noise drawn anew for every batch, T a temperature that falls: the mixture
// is a relaxed draw from softmax(l_i), and its gradient goes to l through the draw.
//
// A feature of several encoded columns has one logit. A node then has as many outputs as the widest
// feature has columns: output s mixes the s-th columns of the features that have one.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

class ConcreteLayer {
 public:
  ConcreteLayer(const FeatureLayout& layout, size_t nodes);

  size_t nodes() const { return samples_.rows(); }
  size_t features() const { return samples_.cols(); }
  // Numbers that the layer gives for a row. With several outputs a node some of them are padding,
  // which stays 0.
  size_t outputs() const { return (slots_.size() - 1) * width_ + nodes(); }
  // The encoded columns in the order in which the layer wants them.
  std::span<const int32_t> columns() const { return columns_; }

  // Draws M from logits of nodes x features. Costs a logarithm, an exponential and a few sums for
  // each of them.
  void Sample(const Matrix& logits, double temperature, RandomStream random);
  // The same with noise that has been drawn, as large as the logits.
  void Sample(const Matrix& logits, double temperature, const Matrix& noise);
  const Matrix& samples() const { return samples_; }

  // y(i, .) for the rows of x, whose columns are columns(). y has outputs() columns, and its stride
  // is a whole number of lines.
  void Forward(MatrixView<const float> x, MatrixView<float> y);
  // d loss / d logits, given d loss / d y of the latest Forward on the same x. The padding of dy is
  // not looked at, but must be finite.
  void Backward(MatrixView<const float> x, MatrixView<const float> dy, Matrix& d_logits);

 private:
  // From noise to M.
  void Relax(const Matrix& logits, double temperature);

  struct Slot {
    size_t first;                   // its first column in columns()
    std::vector<int32_t> features;  // those that have such a column, ascending
    Matrix weights, gradient;       // features x nodes; empty for slot 0, which has every feature
  };

  size_t width_;  // of the outputs of one slot: nodes, filled up to whole vectors
  double temperature_ = 1;
  std::vector<int32_t> columns_;
  std::vector<Slot> slots_;
  Matrix samples_;  // M, nodes x features
  Matrix d_samples_;
  Matrix transposed_;  // features x nodes
  Matrix d_transposed_;
  std::vector<uint32_t> bits_;
  std::vector<float> row_max_, row_sum_, row_square_;
};

// Softmax of each row of logits.
Matrix SelectionProbabilities(const Matrix& logits);

// The mean over the nodes of their largest probability: 1 when every node has decided.
double MeanLargest(const Matrix& probabilities);

// A feature of its own for each node: the largest probability decides first, and whoever wanted
// that feature too gets the next one on its list. Best first.
std::vector<int> DistinctFeatures(const Matrix& probabilities);

// T falls exponentially from `start` to `end` in so many steps; `step` counts from 0.
double Temperature(double start, double end, int step, int steps);

}  // namespace slm
