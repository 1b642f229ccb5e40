// LassoNet: a network with a skip connection, on a path of growing penalties.
//
//   minimise  L(theta, W) + lambda sum_j |theta_j|_2   subject to  |W1_j|_inf <= M |theta_j|_2
//
// The dense network is fitted first (Adam), then lambda grows by a constant factor; at each lambda
// the network goes on from where it was (stochastic gradients with momentum, HierProx after every
// step) until its penalised validation loss stops improving. A feature whose skip weights are zero
// at the end of a lambda has left: its column takes no part in any later product. The path ends
// when at most k features are left, and features rank by how long they stayed.

#include <algorithm>
#include <cmath>

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/hier_prox.h"
#include "selectors/methods.h"
#include "selectors/sparse_net.h"

namespace slm {
namespace {

struct LassoNetOptions {
  int hidden_layers = 1;
  int hidden_units = 100;
  int batch_size = 256;
  double hierarchy = 10;  // M
  double lambda_start = 0;
  double path_multiplier = 1.02;
  double l2 = 0;       // gamma
  double l2_skip = 0;  // gamma_skip
  int epochs = 1000;
  int patience = 100;
  double learning_rate = 1e-3;
  int path_epochs = 100;
  int path_patience = 10;
  double path_rate = 1e-3;
  double momentum = 0.9;
  double tolerance = 0.99;
};

class LassoNetPath {
 public:
  LassoNetPath(const Problem& problem, const LassoNetOptions& options, uint64_t seed,
               const Context& context)
      : layout_(problem.layout),
        options_(options),
        context_(context),
        net_(problem.train, problem.valid,
             {.hidden_layers = static_cast<size_t>(options.hidden_layers),
              .hidden_units = static_cast<size_t>(options.hidden_units),
              .skip = true},
             RandomStream(seed, 0)),
        batches_(problem.train.rows(), static_cast<size_t>(options.batch_size),
                 RandomStream(seed, 1)),
        in_(layout_.features(), 1),
        scores_(layout_.features()) {}

  Choice Run(int k) {
    const size_t wanted = static_cast<size_t>(k);
    size_t left = layout_.features();
    Train(0, options_.epochs, options_.patience);
    net_.ForgetMoments();
    norms_ = SkipNorms();
    double lambda = 1;
    if (left > wanted) {
      lambda = options_.lambda_start > 0 ? options_.lambda_start : AutomaticStart();
    }
    while (left > wanted && !context_.ShouldStop()) {
      Train(lambda, options_.path_epochs, options_.path_patience);
      left = Leave(lambda);
      lambda *= options_.path_multiplier;
      Report("path", layout_.features() - left, layout_.features() - wanted, left);
    }
    // Those that stay outrank all that left, by the weight of their skip connection.
    const double largest = *std::max_element(norms_.begin(), norms_.end());
    for (size_t j = 0; j < in_.size(); ++j) {
      if (in_[j]) scores_[j] = lambda * (1 + (largest > 0 ? norms_[j] / largest : 0));
    }
    return ChooseTop(scores_, k);
  }

 private:
  // Epochs at one lambda, until the validation objective has not improved for `patience` of them.
  void Train(double lambda, int epochs, int patience) {
    const bool dense = lambda == 0;
    double best = ValidObjective(lambda);
    int since_best = 0;
    for (int epoch = 0; epoch < epochs && since_best < patience; ++epoch) {
      batches_.Shuffle();
      for (size_t b = 0; b < batches_.per_epoch(); ++b) {
        if (context_.ShouldStop()) return;
        loss_ = net_.Gradients(batches_.at(b));
        net_.AddUpperPenalty(options_.l2);
        net_.AddSkipPenalty(options_.l2_skip);
        if (dense) {
          net_.AdamStep(options_.learning_rate);
        } else {
          net_.MomentumStep(options_.path_rate, options_.momentum);
        }
        Shrink(lambda * options_.path_rate);
      }
      const double objective = ValidObjective(lambda);
      if (objective < options_.tolerance * best) {
        best = objective;
        since_best = 0;
      } else {
        ++since_best;
      }
      if (dense) {
        Report("dense", static_cast<size_t>(epoch) + 1, static_cast<size_t>(epochs),
               layout_.features());
      }
    }
  }

  void Shrink(double threshold) {
    for (size_t j = 0; j < in_.size(); ++j) {
      if (!in_[j]) continue;
      HierProx(RowsOf(net_.skip_weights(), layout_, j), RowsOf(net_.hidden_weights(), layout_, j),
               threshold, options_.hierarchy);
    }
  }

  double ValidObjective(double lambda) {
    valid_loss_ = net_.ValidLoss();
    double penalty = 0;
    if (lambda > 0) {
      for (double norm : SkipNorms()) penalty += lambda * norm;
    }
    if (options_.l2 > 0) penalty += options_.l2 * net_.UpperSquares();
    if (options_.l2_skip > 0) penalty += options_.l2_skip * net_.SkipSquares();
    return valid_loss_ + penalty;
  }

  // |theta_j|_2 of each feature, 0 for those that left.
  std::vector<double> SkipNorms() {
    std::vector<double> norms(in_.size());
    for (size_t j = 0; j < in_.size(); ++j) {
      if (!in_[j]) continue;
      double squares = 0;
      for (float w : RowsOf(net_.skip_weights(), layout_, j)) squares += static_cast<double>(w) * w;
      norms[j] = std::sqrt(squares);
    }
    return norms;
  }

  // Lets the features without a skip connection go, and returns how many are left. Of those that go
  // together, the one that had the larger skip weights before ranks higher, but below those that go
  // at the next lambda.
  size_t Leave(double lambda) {
    const std::vector<double> norms = SkipNorms();
    const double largest = *std::max_element(norms_.begin(), norms_.end());
    const double gap = 0.5 * (options_.path_multiplier - 1);
    size_t left = 0, gone = 0;
    for (size_t j = 0; j < in_.size(); ++j) {
      if (in_[j] && norms[j] == 0) {
        in_[j] = 0;
        scores_[j] = lambda * (1 + gap * norms_[j] / largest);
        ++gone;
      }
      left += in_[j] ? 1 : 0;
    }
    norms_ = norms;
    if (gone > 0) net_.SetActive(ColumnsOf(layout_, in_));
    return left;
  }

  // A tenth of what the first feature can bear.
  double AutomaticStart() {
    std::vector<FeatureWeights> features;
    for (size_t j = 0; j < in_.size(); ++j) {
      features.push_back(
          {RowsOf(net_.skip_weights(), layout_, j), RowsOf(net_.hidden_weights(), layout_, j)});
    }
    return LargestHarmlessLambda(features, options_.hierarchy, context_) / options_.path_rate / 10;
  }

  void Report(std::string_view phase, size_t step, size_t steps, size_t left) const {
    if (context_.observer == nullptr) return;
    context_.observer->OnProgress({.phase = phase,
                                   .step = static_cast<int>(step),
                                   .steps = static_cast<int>(steps),
                                   .active_features = static_cast<int>(left),
                                   .loss = loss_,
                                   .valid_metric = valid_loss_});
  }

  const FeatureLayout& layout_;
  const LassoNetOptions& options_;
  const Context& context_;
  SparseNet net_;
  EvenBatches batches_;
  std::vector<char> in_;       // by feature: still on the path
  std::vector<double> norms_;  // at the end of the latest lambda
  std::vector<double> scores_;
  double loss_ = 0;
  double valid_loss_ = 0;
};

class LassoNetSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return LassoNetPath(problem, options_, seed, context).Run(k);
  }

  void DescribeOptions(OptionList& list) override {
    LassoNetOptions& o = options_;
    list.Int("hidden_layers", &o.hidden_layers, 1, 16, "hidden layers of the network");
    list.Int("hidden_units", &o.hidden_units, 1, 65536, "units in each hidden layer");
    list.Int("batch_size", &o.batch_size, 1, 1 << 24, "rows in a mini-batch");
    list.Real("hierarchy", &o.hierarchy, 0, 1e6,
              "M: bound on first-layer weights, in units of the skip weights; 0 is linear");
    list.Real("lambda_start", &o.lambda_start, 0, 1e12, "first penalty of the path; 0: automatic");
    list.Real("path_multiplier", &o.path_multiplier, 1.0001, 100,
              "factor from one penalty to the next");
    list.Real("l2", &o.l2, 0, 1e6, "penalty on squared weights above the first layer");
    list.Real("l2_skip", &o.l2_skip, 0, 1e6, "penalty on squared skip weights");
    list.Int("epochs", &o.epochs, 1, 1 << 24, "most epochs of the dense fit");
    list.Int("patience", &o.patience, 1, 1 << 24, "epochs of the dense fit without improvement");
    list.Real("learning_rate", &o.learning_rate, 1e-9, 10, "Adam's learning rate, dense fit");
    list.Int("path_epochs", &o.path_epochs, 1, 1 << 24, "most epochs at one penalty");
    list.Int("path_patience", &o.path_patience, 1, 1 << 24,
             "epochs at one penalty without improvement");
    list.Real("path_rate", &o.path_rate, 1e-9, 10, "learning rate on the path");
    list.Real("momentum", &o.momentum, 0, 0.9999, "momentum on the path");
    list.Real("tolerance", &o.tolerance, 0.5, 1,
              "a smaller share of the best objective counts as an improvement");
  }

 private:
  LassoNetOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeLassoNet() { return std::make_unique<LassoNetSelector>(); }

}  // namespace slm
