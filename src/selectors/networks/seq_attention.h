#pragma once

// Sequential Attention (Yasuda, Bateni, Chen, Fahrbach, Fu, Mirrokni, ICLR 2023), the one-pass
// form: greedy forward selection inside one training run. Training begins with every feature. Then
// come phases; in each of them a feature that was taken has weight 1, the others share one unit of
// attention,
//
//   weight_j = 1                                            j taken
//   weight_j = exp(l_j) / sum over i not taken of exp(l_i)  else,
//
// and the logits l learn together with the predictor, whose inputs the weights multiply. At the end
// of a phase the features of the largest logits are taken, and the logits start again from 0.

#include <cstdint>
#include <span>
#include <vector>

#include "nn/adam.h"
#include "nn/batches.h"
#include "selectors/networks/training_length.h"
#include "slm/context.h"
#include "slm/predictor.h"
#include "slm/problem.h"
#include "slm/selector.h"

namespace slm {

// Logits, weights, and who was taken.
class Attention {
 public:
  explicit Attention(size_t features);

  std::span<float> logits() { return {logits_.w.row(0), taken_.size()}; }
  // Until the first Attend() all ones: training begins with every feature.
  std::span<const float> weights() const { return weights_; }
  const std::vector<int>& order() const { return order_; }  // taken, first to last

  void Attend();  // weights from logits

  // The gradient of the logits from that of the weights; 0 for those taken.
  void Backward(std::span<const double> d_weights);
  std::span<const float> gradient() const { return {logits_.gradient.row(0), taken_.size()}; }
  void Step(const AdamClock& clock);

  // Takes the `count` largest logits, or all that are left if those are fewer.
  void Take(size_t count);
  void ResetLogits();

  // What a feature was worth when it was taken, or is worth now: its weight over the mean one of
  // those it stands beside.
  std::vector<double> Scores() const;

 private:
  size_t left() const { return taken_.size() - order_.size(); }

  Parameters logits_;  // one row
  std::vector<float> weights_;
  std::vector<bool> taken_;
  std::vector<int> order_;
  std::vector<double> worth_;  // of those taken
};

struct SeqAttentionOptions {
  int hidden_layers = 1;
  int hidden_units = 67;                                      // the paper's
  TrainingLength length = {.steps = 5000, .batch_size = 64};  // warm-up and all phases
  double learning_rate = 1e-3;                                // of predictor and logits
  double decay_rate = 1.0;
  int decay_steps = 1000;
  double warm_up = 0.1;        // share of the steps before the first phase
  int features_per_phase = 1;  // taken at the end of a phase
  bool reset_logits = true;    // after each phase
};

// Trains `predictor` on batches of the training rows and takes k features. There are at least as
// many steps as phases.
Choice SelectByAttention(const Problem& problem, int k, const SeqAttentionOptions& options,
                         Predictor& predictor, Batches batches, const Context& context);

}  // namespace slm
