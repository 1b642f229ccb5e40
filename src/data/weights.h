#pragma once

// How much each row counts: a column of weights, classes made equal, or both.

#include <span>
#include <string>
#include <vector>

#include "data/table.h"
#include "slm/problem.h"

namespace slm {

class WeightRule {
 public:
  // `column` names the weights, empty for none. `balanced` gives every class the same total weight
  // in training (classification only). Weights are scaled to a mean of 1 over the training rows.
  // Throws a DataError for an unknown or text column, and for weights that are negative, missing or
  // all zero.
  static WeightRule Fit(const Table& table, std::span<const size_t> rows, const Labels& labels,
                        const std::string& column, bool balanced);

  // One weight for each row, with the scale of the training rows; empty if all rows count alike.
  std::vector<float> Weights(const Table& table, std::span<const size_t> rows,
                             const Labels& labels) const;

 private:
  double Raw(const Table& table, const Column* column, size_t row, const Labels& labels,
             size_t i) const;

  std::string column_;
  std::vector<double> class_weights_;  // empty unless balanced
  double scale_ = 1;
};

}  // namespace slm
