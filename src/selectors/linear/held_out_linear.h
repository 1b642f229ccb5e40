#pragma once

// What a linear model of some features predicts on rows that it has not learned from: ridge
// regression for values, logistic regression for classes, on folds of the training rows. The
// criterion of a search through sets of features.

#include <memory>
#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/problem.h"
#include "targets/measure.h"

namespace slm {

struct HeldOutOptions {
  int folds = 5;
  double l2 = 1;
  double tolerance = 1e-4;  // of logistic regression, as its number of steps
  int max_steps = 100;
};

// One fold: learns from its rows, predicts the others.
class LinearFold {
 public:
  virtual ~LinearFold() = default;
  // Called before features are added to or taken from these, from one thread.
  virtual void SetBase(std::span<const int> features, const Context& context) = 0;
  // Of the base with one feature more or less. May be called from several threads.
  virtual Measure MeasureOf(std::span<const int> features, const Context& context) const = 0;
};

class HeldOutLinear {
 public:
  // Throws a DataError for fewer than two rows a fold. `problem` must outlive this.
  HeldOutLinear(const Problem& problem, const HeldOutOptions& options, const Context& context);

  void SetBase(std::span<const int> features, const Context& context);
  // Mean over the folds, by the weight that each holds out. May be called from several threads.
  Measure MeasureOf(std::span<const int> features, const Context& context) const;

 private:
  std::vector<std::unique_ptr<LinearFold>> folds_;
  std::vector<double> shares_;
};

}  // namespace slm
