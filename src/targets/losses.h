#pragma once

// Every loss, in one sorted table. Adding one touches one new file, which defines it, and one line
// of SLM_FOR_EACH_LOSS.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/loss.h"
#include "slm/problem.h"

namespace slm {

// How predictors learn best from a loss, and what that means for a search. Those of cross entropy
// and of the absolute error, the defaults, were measured on the real sets of docs/results.md; those
// of the squared error and of Huber's loss on a few tables alone (docs/decisions.md).
struct LearningTraits {
  double rate = 1;      // times the learning rate of the options
  double least_l2 = 0;  // weights decay by at least this much in fits on fixed columns
  // Final predictors may gain by noise on their inputs.
  bool gains_by_noise = false;
  // The weight of a run's own validation beside the mean of its refits. 0 for values: r_cs shrinks
  // the predictions of a run, which says nothing about its columns.
  double own_validation = 0;
  // Cross-fitted runs are worth their time only where plain ones validate below this.
  double good_quality = 0;
  // Where a value is a sum of weak columns, a perceptron fits noise before its mask has told them
  // apart: some runs have a linear predictor.
  bool linear_runs = false;
  // Squared errors of a heavy-tailed target drown all others, in E as in r_cs: every other run
  // learns from the task loss alone.
  bool task_alone_in_turn = false;
};

struct LossKind {
  std::string_view name;     // of --loss
  std::string_view summary;  // a formula or a few words
  Task task;                 // whose labels it takes
  bool by_default = false;   // what `auto` stands for among the losses of the task
  LearningTraits traits;
  std::unique_ptr<Loss> (*make)();
};

// Sorted by name.
#define SLM_FOR_EACH_LOSS(LOSS) \
  LOSS(AbsoluteLoss)            \
  LOSS(CrossEntropyLoss)        \
  LOSS(HuberLoss)               \
  LOSS(SquaredLoss)

#define SLM_DECLARE_LOSS(name) const LossKind& name();
SLM_FOR_EACH_LOSS(SLM_DECLARE_LOSS)
#undef SLM_DECLARE_LOSS

// All of them, by name.
std::span<const LossKind* const> Losses();

// `name` may be "auto". Throws a UsageError for an unknown name and for a loss that these labels
// have no use for; it says which ones they have.
const LossKind& FindLoss(std::string_view name, const Labels& labels);

inline const LossKind& DefaultLoss(const Labels& labels) { return FindLoss("auto", labels); }

// A loss with a derivative everywhere, as the papers of networks with penalties have it: cross
// entropy for classes, squared errors for values.
const LossKind& SmoothLoss(const Labels& labels);

}  // namespace slm
