#pragma once

// One tree of a forest (forest.h), grown depth first. Nothing of the tree is kept but the decrease
// in impurity by column and what its leaves say about rows it has not seen.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "selectors/trees/forest.h"

namespace slm {

class TreeGrower {
 public:
  TreeGrower(const Forest& forest, const ForestOptions& options, std::span<const int32_t> columns);

  struct Tree {
    std::vector<double> importance;  // by column of the forest; sums to 1, or 0 without a split
    // For each unseen row, its leaf's shares of classes or mean value, in the order of `unseen`.
    std::vector<uint32_t> unseen;
    std::vector<float> leaf;
  };
  Tree Grow(RandomStream random, bool out_of_bag, const Context& context);

 private:
  struct Node {
    size_t begin, end;                // of rows_
    size_t unseen_begin, unseen_end;  // of unseen_
    int depth;
  };
  struct Split {
    int32_t column = -1;
    uint32_t rank = 0;  // rows up to this rank go left
    // The decrease plus what does not depend on the split, as a fraction: comparing fractions by
    // products saves a division for every threshold.
    double numerator = 0, denominator = 0;
  };

  void DrawRows(RandomStream random, bool out_of_bag);
  bool LoadNode(const Node& node);
  Split FindSplit(const Node& node, RandomStream& random, const Context& context);
  template <class Key>
  bool TryColumn(int32_t column, std::span<const uint32_t> rows, std::vector<Key>& keys,
                 Split& best);
  bool TryThreshold(int32_t column, std::span<const uint32_t> rows, RandomStream& random,
                    Split& best);
  template <class Key, class Side>
  void Scan(int32_t column, std::span<const Key> keys, Side side, Split& best) const;
  size_t Partition(std::vector<uint32_t>& rows, size_t begin, size_t end, const Split& split);
  void Predict(const Node& node, Tree& tree) const;

  const Forest& forest_;
  const ForestOptions& options_;
  std::vector<int32_t> columns_;  // drawn from by swapping
  size_t tried_;
  size_t classes_;  // 0 for values

  std::vector<uint32_t> rows_, unseen_;  // each node's side by side
  std::vector<double> row_weight_;       // by row: how often it was drawn
  std::vector<uint32_t> moved_;
  std::vector<uint32_t> narrow_keys_;
  std::vector<uint64_t> wide_keys_;
  std::vector<uint16_t> node_ranks_;  // of the column that is tried, row by row of the node

  // The current node, row by row in the order of rows_.
  std::vector<double> weight_;
  std::vector<double> value_;      // less the node's mean
  std::vector<uint32_t> group_;    // classes that occur in the node, numbered from 0
  std::vector<double> total_;      // weight of each of them
  std::vector<double> left_;       // the same on the left side
  std::vector<int32_t> group_of_;  // by class; -1 outside LoadNode
  std::vector<int32_t> class_of_;
  double node_weight_ = 0;
  double node_sum_ = 0;   // sum over groups of total^2 (classes)
  double node_mean_ = 0;  // values
};

}  // namespace slm
