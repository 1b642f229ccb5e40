#pragma once

// How well unlike predictors do with sets of features: a linear model, a forest and a perceptron,
// each on training rows that it has not learned from. What one of them makes of a set is a matter
// of taste; what all of them make of it says something of the set.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selectors/row_folds.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

// Of one set: for each fold the mean over the predictors of the metric, larger is better.
using FoldQualities = std::vector<double>;

class SetJudge {
 public:
  static constexpr int kFolds = 4;
  static constexpr size_t kMostRows = 10000;  // that are looked at
  static constexpr size_t kLeastRows = 40;    // with a weight

  static bool HasRows(const Problem& problem);

  // For sets of these features, which ascend.
  SetJudge(const Problem& problem, std::vector<int> features, uint64_t seed);

  // Empty if the work was stopped. `name` is that of the set in a checkpoint.
  FoldQualities Judge(const std::string& name, std::span<const int> set,
                      const Context& context) const;

 private:
  FoldQualities ByNetworks(const std::string& name, std::span<const int32_t> columns,
                           int hidden_layers, const Context& context) const;
  FoldQualities ByForest(std::span<const int32_t> columns, const Context& context) const;

  const uint64_t seed_;
  const std::vector<int> features_;
  Problem problem_;  // of these features and the rows that are looked at
  std::vector<RowFold> folds_;
};

// The mean lead of a set over another, and its standard error over the folds.
struct Lead {
  double mean = 0, error = 0;
};
Lead LeadOf(const FoldQualities& set, const FoldQualities& over);

}  // namespace slm
