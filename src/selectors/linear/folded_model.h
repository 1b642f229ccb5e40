#pragma once

// Linear models with a folded concave penalty on the norm of each feature's coefficients:
//
//   mean over rows of the loss + sum over features of penalty(|coefficients of the feature|),
//   intercepts free
//
// with half the squared error for values and -log p for classes, one logit for two of them and
// softmax otherwise. Rows count by their weights. A feature of several columns has the lambda times
// the square root of the sum of their variances, which is 1 for a single standardised column: noise
// would reach that far.
//
// Solved by blocks, a feature at a time, on second moments. For classes the loss is replaced by a
// parabola, again and again. Its curvature is the least, beginning with that of the loss without
// features, for which the parabola is no lower than the loss where it leads: 1/4 is enough for one
// logit and 1/2 for softmax (Boehning 1992), so that no step can raise the objective.
//
// The curvature L of the penalty (folded_penalty.h) is that of the loss without features, the
// largest p (1 - p) of a class, times the variance of the feature's column; for several columns, a
// bound of the largest variance along a direction.

#include <memory>
#include <span>
#include <vector>

#include "numerics/logistic.h"
#include "numerics/moments.h"
#include "selectors/linear/folded_penalty.h"
#include "selectors/linear/penalty_path.h"
#include "slm/problem.h"

namespace slm {

class FoldedModel : public PenalisedModel {
 public:
  // The problem must outlive the model. `tolerance` bounds what one more round would gain, relative
  // to the loss with no feature active.
  FoldedModel(const Problem& problem, const FoldedPenalty& penalty, double tolerance,
              const Context& context);

  void Solve(double lambda, const Context& context) override;
  std::vector<double> Norms() const override;
  std::vector<double> Entries() const override;

  size_t outputs() const { return outputs_; }
  // Of the last solution: columns x outputs.
  std::span<const double> coefficients() const { return beta_; }
  // The derivative of the mean loss there, outputs x stride.
  std::span<const double> gradient() const { return gradient_; }
  size_t stride() const { return moments_.stride(); }
  // Of a feature: the curvature L, and what its lambda is multiplied by.
  double curvature(size_t feature) const { return unit_ * variance_[feature]; }
  double factor(size_t feature) const { return factor_[feature]; }

 private:
  // Some features with their columns side by side.
  struct Working {
    std::vector<size_t> features, columns;
    std::vector<size_t> offsets = {0};  // of each feature's columns
    std::vector<double> gram;           // columns x columns, over the weight
  };
  Working Gather(std::span<const size_t> features);
  void Descend(const Working& on, double lambda, double steepness, std::span<double> beta,
               std::span<double> gradient, const Context& context) const;
  double Penalty(const Working& on, double lambda, std::span<const double> beta) const;
  void SolveValues(const Working& on, double lambda, const Context& context);
  void SolveClasses(const Working& on, double lambda, const Context& context);
  void RateValues();
  void RateClasses(const Logistic& model);
  void MeasureFeatures();

  const Dataset& data_;
  const FeatureLayout& layout_;
  FoldedPenalty penalty_;
  ThreadPool& pool_;
  Moments moments_;
  size_t outputs_;
  double unit_ = 1;      // curvature in an output of the loss without features
  double steepest_ = 1;  // the largest there is
  double enough_ = 0;
  double lambda_ = 0;             // of the last solution
  std::vector<double> variance_;  // of each feature, along the direction in which it is largest
  std::vector<double> factor_;
  std::vector<double> beta_, intercepts_, gradient_;
};

}  // namespace slm
