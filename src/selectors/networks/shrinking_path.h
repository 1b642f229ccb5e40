#pragma once

// The path from a dense network to one on k features, common to the methods that penalise a norm of
// each feature's input weights. The dense network is fitted first (Adam), then the penalty lambda
// grows by a constant factor; at each lambda the network continues from where it was (stochastic
// gradients, a proximal step for every feature after each) until its penalised validation loss
// stops improving. A feature whose norm is zero at the end of a lambda has left for good: its
// columns take no part in any later product. The path ends when at most k features are left.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "selectors/networks/sparse_net.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// What a search for settings shortens.
inline constexpr std::string_view kPathBudget[] = {"epochs", "patience", "path_epochs",
                                                   "path_patience"};

struct PathOptions {
  int hidden_layers = 1;
  int hidden_units = 100;
  int batch_size = 256;
  double l2 = 0;       // on squared weights above the first layer
  double l2_skip = 0;  // on squared skip weights
  int epochs = 1000;
  int patience = 100;
  double learning_rate = 1e-3;
  double lambda_start = 0;  // 0: automatic
  double path_multiplier = 1.02;
  int path_epochs = 100;
  int path_patience = 10;
  int path_batch_size = 0;  // 0: as in the dense fit
  double tolerance = 0.99;
};

// The fields that every such method has; l2_skip and path_batch_size are for the method.
void DescribePathOptions(PathOptions& options, OptionList& list);

// Weights with gradients, moments and a copy for every encoded column, activations of a batch, and
// the columns that are left, side by side.
MemoryNeed PathMemory(const Problem& problem, const PathOptions& options, bool skip);

class ShrinkingPath {
 public:
  ShrinkingPath(const Problem& problem, const PathOptions& options, bool skip, uint64_t seed,
                const Context& context);
  virtual ~ShrinkingPath() = default;

  // Features rank by how long they stay. Those that go together rank by their norms before, and so
  // do those that stay to the end.
  Choice Run(int k);

 protected:
  // The norm of feature j that is penalised; 0 when it has no influence.
  virtual double Norm(size_t j) = 0;
  // The proximal step of threshold * Norm.
  virtual void Shrink(size_t j, double threshold) = 0;
  // Moves the network along the gradients of these rows, which are there, and shrinks. `loss` is
  // theirs.
  virtual void PathStep(std::span<const int32_t> rows, double loss, double lambda) = 0;
  // A lambda small enough to keep every feature, asked for after the dense fit.
  virtual double AutomaticStart() = 0;

  // Shrinks every feature that is left.
  void ShrinkAll(double threshold);

  const FeatureLayout& layout() const { return layout_; }
  const PathOptions& options() const { return options_; }
  const Context& context() const { return context_; }
  SparseNet& net() { return net_; }

 private:
  void Train(double lambda, int epochs, int patience);
  double ValidObjective(double lambda);
  std::vector<double> Norms();
  size_t Leave(double lambda);
  void Report(std::string_view phase, size_t step, size_t steps, size_t left) const;

  const FeatureLayout& layout_;
  const PathOptions& options_;
  const Context& context_;
  SparseNet net_;
  EvenBatches dense_batches_, path_batches_;
  std::vector<char> in_;       // by feature: still on the path
  std::vector<double> norms_;  // at the end of the latest lambda
  std::vector<double> scores_;
  double loss_ = 0;
  double valid_loss_ = 0;
};

}  // namespace slm
