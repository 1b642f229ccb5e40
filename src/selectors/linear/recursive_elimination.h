#pragma once

// Recursive feature elimination (Guyon, Weston, Barnhill, Vapnik 2002): fit a linear model, remove
// the features of least weight, fit again on the others, until k are left.
//
// The weight of a feature is the sum of squares of the coefficients of all its columns over all
// outputs of the model: to first order what the squared norm, and with it the objective, would lose
// with the feature. A round removes a share of the features that are more than k, at least one, so
// that rounds are large where much is left and one by one near k, where it matters.

#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

class OptionList;

// A linear model that is fitted again and again, each time on fewer columns.
class ShrinkingModel {
 public:
  virtual ~ShrinkingModel() = default;
  // Fits the model on some of the columns of the last call, ascending, and gives the sum of squares
  // of the coefficients of each. May end early when `context` says so, also with nothing.
  virtual std::vector<double> Fit(std::span<const size_t> columns, const Context& context) = 0;
};

struct EliminationOptions {
  double step = 0.1;
};

void DescribeOptions(EliminationOptions& options, OptionList& list);

class RecursiveElimination {
 public:
  // All references must outlive this object.
  RecursiveElimination(const FeatureLayout& layout, const EliminationOptions& options,
                       ShrinkingModel& model);

  // Removes features until k are left, and ranks them by the model on them alone. Removes none when
  // asked to stop, but fits once.
  void ReduceTo(size_t k, const Context& context);

  // The features that are left, the one of largest weight first.
  std::vector<int> Left() const;
  // The first k of them. A feature's score is the number of features that it outlived; those left
  // are placed by their weight.
  Choice Choose(size_t k) const;

 private:
  void Fit(const Context& context);

  const FeatureLayout& layout_;
  const EliminationOptions& options_;
  ShrinkingModel& model_;
  std::vector<size_t> left_;     // ascending
  std::vector<size_t> removed_;  // in the order in which they went
  std::vector<double> weight_;   // of each feature, from the last fit it was part of
  bool fitted_ = false;
};

// Selects by elimination: what Selector::Select and SelectEach do.
Choice SelectByElimination(const Problem& problem, int k, const EliminationOptions& options,
                           ShrinkingModel& model, const Context& context);
std::vector<PathSet> SelectEachByElimination(const Problem& problem, std::span<const int> ks,
                                             const EliminationOptions& options,
                                             ShrinkingModel& model, const Context& context);

}  // namespace slm
