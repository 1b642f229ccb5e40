#include "search/describe_options.h"

#include "targets/losses.h"

namespace slm {

SlmOptions PaperOptions() {
  SlmOptions options;
  options.hidden_units = 100;
  options.epochs = 100;
  options.batch_size = 256;
  options.learning_rate = 1e-3;
  options.decay_rate = 0.9;
  options.decay_steps = 1000;
  options.mask_scale = MaskScale::kNearestOne;
  options.mask_update = MaskUpdate::kAdam;
  options.mask_rate = 1e-3;
  options.mask_input = MaskInput::kLiteral;
  options.schedule = Schedule::kLinear;
  options.drops = 5;
  options.tempering = 0.5;
  options.starts = 1;
  options.filter_starts = 0;
  options.linear_starts = 0;
  options.cross_fit = CrossFit::kNever;
  options.refits = 0;
  return options;
}

void DescribeOptions(SlmOptions& o, OptionList& list) {
  list.Int("hidden_layers", &o.hidden_layers, 0, 4, "hidden layers of the predictor; 0 is linear");
  list.Int("hidden_units", &o.hidden_units, 1, 65536, "units in each hidden layer");

  list.Int("steps", &o.steps, 1, 100000000, "training steps of one run; fewer where rows are few");
  list.Int("epochs", &o.epochs, 0, 1000000,
           "passes over the training rows instead of steps; 0: steps");
  list.Int("batch_size", &o.batch_size, 2, 1000000, "rows in a mini-batch");
  list.Real("learning_rate", &o.learning_rate, 1e-9, 10, "Adam's learning rate for the predictor");
  list.Real("decay_rate", &o.decay_rate, 1e-6, 1,
            "the rate falls by this factor every decay_steps");
  list.Int("decay_steps", &o.decay_steps, 1, 100000000, "steps for one decay of the learning rate");
  list.Real("l2", &o.l2, 0, 1000, "weight decay of the predictor");
  list.Real("input_dropout", &o.input_dropout, 0, 0.95, "share of inputs dropped in training");

  list.Choice("mask_scale", &o.mask_scale,
              {{"left-end", MaskScale::kLeftEnd},
               {"nearest-one", MaskScale::kNearestOne},
               {"none", MaskScale::kNone},
               {"softmax-top-k", MaskScale::kSoftmaxTopK}},
              "how the mask is scaled to exactly F features; none is plain sparsemax, "
              "softmax-top-k the softmax of the k largest");
  list.Choice(
      "mask_gradient", &o.mask_gradient,
      {{"fixed-scale", MaskGradient::kFixedScale}, {"through-scale", MaskGradient::kThroughScale}},
      "whether the gradient passes through the scale");
  list.Choice("mask_update", &o.mask_update,
              {{"normalised", MaskUpdate::kNormalised}, {"adam", MaskUpdate::kAdam}},
              "how the mask moves along its gradient");
  list.Real("mask_rate", &o.mask_rate, 1e-9, 1000, "step size of the mask");
  list.Choice("mask_input", &o.mask_input,
              {{"mean-one", MaskInput::kMeanOne}, {"literal", MaskInput::kLiteral}},
              "inputs are scaled by F p (mean one) or by p itself");

  list.Choice("schedule", &o.schedule,
              {{"geometric", Schedule::kGeometric},
               {"linear", Schedule::kLinear},
               {"none", Schedule::kNone}},
              "how the number of features falls to k");
  list.Int("drops", &o.drops, 1, 1000000, "drops of the number of features");
  list.Real("tempering", &o.tempering, 0, 1, "share of the steps after which k features are left");

  std::vector<std::pair<std::string_view, std::string>> losses = {{"auto", "auto"}};
  for (const LossKind* loss : Losses()) losses.emplace_back(loss->name, loss->name);
  list.Choice("loss", &o.loss, std::move(losses),
              "what predictors minimise; auto: cross-entropy for classes, absolute for values");
  list.Choice("objective", &o.objective,
              {{"mi", Objective::kMi}, {"hsic", Objective::kHsic}, {"task", Objective::kTaskOnly}},
              "what is added to the task loss");
  list.Real("alpha", &o.alpha, 0, 1e6, "weight of the added objective");
  list.Real("rcs_weight", &o.rcs_weight, 0, 1e6,
            "weight of the consistency term in it; 0 skips it");
  list.Int("rcs_block", &o.rcs_block, 0, 1000000,
           "pairs within blocks of this many rows; 0: the batch");
  list.Int("mi_bins", &o.mi_bins, 0, 65536,
           "compare quantile bins in the pair term; 0: raw values");

  list.Int("starts", &o.starts, 0, 1000, "runs from an all-ones mask");
  list.Int("filter_starts", &o.filter_starts, 0, 1000,
           "runs that start from a filter: the ANOVA score, reduced for copies");
  list.Int("linear_starts", &o.linear_starts, 0, 1000,
           "further runs with a linear predictor, for regression");
  list.Choice(
      "cross_fit", &o.cross_fit,
      {{"auto", CrossFit::kAuto}, {"never", CrossFit::kNever}, {"always", CrossFit::kAlways}},
      "runs with cross-fitted mask gradients; auto: where plain runs do poorly, and instead of "
      "them where columns are many and rows few");
  list.Int("cross_fit_runs", &o.cross_fit_runs, 1, 1000,
           "how many cross-fitted runs; the sum of their weights counts");
  list.Int("refits", &o.refits, 0, 100, "predictors refitted on a run's columns to judge it");
  list.Int("final_predictors", &o.final_predictors, 1, 1000,
           "predictors whose mean is the final one");
  list.Int("final_units", &o.final_units, 1, 65536, "hidden units of each final predictor");
  list.Int("final_steps", &o.final_steps, 1, 100000000, "training steps of each final predictor");
  list.Real("final_noise", &o.final_noise, 0, 10,
            "standard deviation of noise on their inputs, for classes where validation gains from "
            "it; 0: none");
}

}  // namespace slm
