#include "slm/options.h"

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

}  // namespace slm
