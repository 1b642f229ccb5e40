#pragma once

// Everything about SLM that can be set, with the value that works untouched. `--preset paper` and
// PaperOptions() give the paper's own setting. Each field is a command-line flag, a JSON key and a
// Python keyword of the same name.

#include <string>

namespace slm {

enum class MaskScale {
  kLeftEnd,     // the smallest m that leaves F entries: weights say how far above the first one out
  kNearestOne,  // the paper's: m = 1 whenever that leaves F entries, else the nearest end
  kNone,        // plain sparsemax; how many features carry weight in training is whatever comes out
  kSoftmaxTopK,  // no sparsemax: the softmax of the F largest
};
enum class MaskGradient { kFixedScale, kThroughScale };
enum class MaskUpdate { kNormalised, kAdam };
enum class MaskInput { kMeanOne, kLiteral };
enum class Schedule { kGeometric, kLinear, kNone };
enum class Objective { kMi, kHsic, kTaskOnly };
enum class CrossFit { kAuto, kNever, kAlways };

struct SlmOptions {
  // Predictor
  int hidden_layers = 1;
  int hidden_units = 128;

  // Training
  int steps = 2000;  // of one run; down to three tenths of it where the training rows are few
  int epochs = 0;    // if positive, replaces steps by that many passes over the training rows
  int batch_size = 64;
  double learning_rate = 2e-3;
  double decay_rate = 1.0;
  int decay_steps = 1000;
  double l2 = 0;
  double input_dropout = 0;

  // Mask
  MaskScale mask_scale = MaskScale::kLeftEnd;
  MaskGradient mask_gradient = MaskGradient::kFixedScale;
  MaskUpdate mask_update = MaskUpdate::kNormalised;
  double mask_rate = 1.0;  // a normalised step's size, or Adam's learning rate for the mask
  MaskInput mask_input = MaskInput::kMeanOne;

  // Tempering
  Schedule schedule = Schedule::kGeometric;
  int drops = 30;
  double tempering = 0.7;  // share of the steps after which F_t = k

  // Objective: task + alpha * (E + rcs_weight * r_cs)
  // Of the task: "auto", or the name of a loss that the labels have a use for, as --help lists
  // them. Refits that judge and final predictors learn by it too.
  std::string loss = "auto";
  Objective objective = Objective::kMi;
  double alpha = 1.0;
  double rcs_weight = 1.0;
  int rcs_block = 0;  // pairs inside blocks of so many rows; 0 for all pairs of the batch
  int mi_bins = 0;    // compare quantile bins instead of raw values; 0 for raw

  // Search: several starts, each judged by refits on its columns
  int starts = 4;         // from an all-ones mask
  int filter_starts = 2;  // from a mask that leans on the ANOVA score
  int linear_starts = 2;  // beside them, for values: with a linear predictor
  CrossFit cross_fit = CrossFit::kAuto;
  int cross_fit_runs = 4;
  int refits = 2;

  // The predictor that is kept: the mean of several, fitted on the chosen columns. With no refits
  // to judge by it is the predictor that was trained with the mask.
  int final_predictors = 4;
  int final_units = 256;
  int final_steps = 3000;
  double final_noise = 0.3;  // on their inputs, for classes where it helps validation; 0 for none
};

// The setting of the paper: one run, Adam on mask and predictor, linear tempering in five drops
// over half of the steps, inputs multiplied by the mask as it is, no search.
SlmOptions PaperOptions();

}  // namespace slm
