#pragma once

// How much each row counts: a column of weights, classes made equal, or both.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/table.h"
#include "slm/problem.h"

namespace slm {

// How rows get their weights; all that is needed to weigh others alike.
struct Weighting {
  std::string column;                 // empty for none
  std::vector<double> class_weights;  // empty unless classes are balanced
  double scale = 1;
};

class WeightRule {
 public:
  WeightRule() = default;
  explicit WeightRule(Weighting weighting) : weighting_(std::move(weighting)) {}

  // `column` names the weights, empty for none. `balanced` gives every class the same total weight
  // in training, and is an error for values. Weights are scaled to a mean of 1 over the training
  // rows. Throws a DataError for an unknown or text column, and for weights that are negative,
  // missing or all zero.
  static WeightRule Fit(const Table& table, std::span<const size_t> rows, const Labels& labels,
                        const std::string& column, bool balanced);

  // One weight for each row, with the scale of the training rows; empty if all rows count alike.
  std::vector<float> Weights(const Table& table, std::span<const size_t> rows,
                             const Labels& labels) const;

  const Weighting& weighting() const { return weighting_; }

 private:
  double Raw(const Table& table, const Column* column, size_t row, const Labels& labels,
             size_t i) const;

  Weighting weighting_;
};

}  // namespace slm
