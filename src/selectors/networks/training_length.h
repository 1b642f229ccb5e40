#pragma once

// How long a network trains, and in what batches: the same options for every method that has one.

#include <string>
#include <string_view>

#include "base/options.h"

namespace slm {

struct TrainingLength {
  int steps;
  int epochs = 0;  // if positive, replaces steps by that many passes over the training rows
  int batch_size;

  int Steps(size_t batches_per_epoch) const {
    return epochs > 0 ? epochs * static_cast<int>(batches_per_epoch) : steps;
  }

  // `of` says which steps they are: " of one run"; empty for all of them.
  void Describe(std::string_view of, OptionList& list) {
    list.Int("steps", &steps, 1, 100000000, "training steps" + std::string(of));
    list.Int("epochs", &epochs, 0, 1000000,
             "passes over the training rows instead of steps; 0: steps");
    list.Int("batch_size", &batch_size, 1, 1000000, "rows in a mini-batch");
  }
};

// What a search for settings shortens.
inline constexpr std::string_view kTrainingBudget[] = {"steps", "epochs"};

}  // namespace slm
