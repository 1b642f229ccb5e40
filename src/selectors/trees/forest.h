#pragma once

// Random forests (Breiman 2001) for what they say about columns: the mean decrease in impurity,
// and, where asked for, predictions for the rows that a tree has not seen.
//
// A tree draws as many rows as there are, the heavier the likelier (bootstrap), and splits nodes
// until they are pure. A node tries a few columns drawn at random and takes the split with the
// largest decrease of
//   weight * impurity,  impurity = 1 - sum_c share_c^2 (classes) or the variance (values).
// Every threshold is tried, not only those between bins. It is cheap all the same: columns are
// replaced by the ranks of their values once, nodes sort integers, and moving a row from one side
// to the other costs O(1) for any number of classes.
//
// Extremely randomized trees (Geurts, Ernst, Wehenkel 2006) try a single threshold of a column
// instead, drawn evenly between the least and the largest value in the node, and sort nothing.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

class OptionList;
class RandomStream;

struct ForestOptions {
  int trees = 100;
  int max_depth = 0;         // 0: no limit
  double max_features = 0;   // share of columns tried at a split; 0: see TriedColumns
  int min_samples_leaf = 1;  // distinct rows on either side of a split
  bool bootstrap = true;
  bool random_thresholds = false;  // not for the user: it makes another method
};

void DescribeOptions(ForestOptions& options, OptionList& list);

struct ForestResult {
  // Of each column, with a sum of 1 (0 where no tree could split).
  std::vector<double> importance;
  // If asked for, rows x outputs: mean over the trees that have not seen the row of the shares of
  // classes, or of the mean value, in its leaf; 0 for rows that every tree has seen.
  std::vector<double> out_of_bag;
};

class Forest {
 public:
  // Ranks the columns: O(rows) for each. Columns of more than 65,536 distinct values are ranked by
  // so many quantiles. `x`, `labels` and `weight` (a weight for each row, or empty) must stay.
  // Random thresholds need the values behind the ranks, which take as much memory as x.
  Forest(MatrixView<const float> x, const Labels& labels, std::span<const float> weight,
         const Context& context, bool keep_values = false);

  // Grows trees that use `columns` alone. When asked to stop it gives what the trees have so far.
  ForestResult Grow(const ForestOptions& options, std::span<const int32_t> columns, uint64_t seed,
                    bool out_of_bag, const Context& context) const;

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  const uint16_t* ranks(int32_t column) const {
    return ranks_.data() + static_cast<size_t>(column) * rows_;
  }
  // The largest value of each rank, ascending; empty unless values are kept.
  std::span<const float> values(int32_t column) const {
    return values_.empty() ? std::span<const float>() : values_[static_cast<size_t>(column)];
  }
  const Labels& labels() const { return labels_; }
  double weight(size_t row) const { return weight_.empty() ? 1.0 : double{weight_[row]}; }
  // A row drawn with a chance in proportion to its weight.
  size_t DrawRow(RandomStream& random) const;

 private:
  size_t rows_, columns_;
  const Labels& labels_;
  std::span<const float> weight_;
  std::vector<double> weight_up_to_;  // sums of weights, row by row; empty like them
  std::vector<uint16_t> ranks_;       // column by column
  std::vector<std::vector<float>> values_;
};

// The importance of each feature of a problem: that of all its columns together, since it may be
// split by any of them.
std::vector<double> ImportanceByFeature(const Problem& problem, const ForestOptions& options,
                                        uint64_t seed, const Context& context);

// How many of so many columns a split tries: scikit-learn's defaults, the square root for classes
// and all for values, or the share that was asked for; never less than one.
size_t TriedColumns(const ForestOptions& options, const Labels& labels, size_t columns);

}  // namespace slm
