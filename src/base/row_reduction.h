#pragma once

// Sums over rows, in an order that depends on nothing but the number of rows.
//
// Inside a block of kRowsPerBlock rows, one row is added after the other; work on a block runs in
// parallel over its columns. The sums of blocks are added in a tree: of eight blocks,
//
//   ((b0 + b1) + (b2 + b3)) + ((b4 + b5) + (b6 + b7))
//
// Whoever adds up a block, another thread or another machine, the result has the same bits, and the
// rows of a single block are one chain.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "slm/rows.h"

namespace slm {

inline void AddSums(double& sum, double other) { sum += other; }
inline void AddSums(std::vector<double>& sum, const std::vector<double>& other) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
}

// Adds up one state for each block, given in the order of the blocks. Holds as many of them as the
// tree is deep. What a state is, its AddSums(State&, const State&) says.
template <class State>
class SumInTree {
 public:
  void Add(State state) {
    for (size_t pairs = ++added_; pairs % 2 == 0; pairs /= 2) JoinLatest(state);
    open_.push_back(std::move(state));
  }

  // `none` if nothing was added.
  State Finish(State none) && {
    if (open_.empty()) return none;
    State state = std::move(open_.back());
    open_.pop_back();
    while (!open_.empty()) JoinLatest(state);
    return state;
  }

 private:
  void JoinLatest(State& right) {
    State left = std::move(open_.back());
    open_.pop_back();
    AddSums(left, right);
    right = std::move(left);
  }

  size_t added_ = 0;
  std::vector<State> open_;  // the sums of whole subtrees, the largest first
};

// add(state, first, block) adds the rows of a block to a state that begins as `zero`; they are rows
// first, first + 1 ... of the source.
template <class State, class AddBlock>
State SumOverRows(const RowSource& source, State zero, AddBlock&& add) {
  SumInTree<State> sum;
  ForEachBlock(source, [&](size_t first, MatrixView<const float> block) {
    State own = zero;
    add(own, first, block);
    sum.Add(std::move(own));
  });
  return std::move(sum).Finish(std::move(zero));
}

// The same for sums of what else there is for each row, such as labels and weights: add(state,
// begin, end).
template <class State, class AddRange>
State SumOverRange(size_t rows, State zero, AddRange&& add) {
  SumInTree<State> sum;
  for (size_t begin = 0; begin < rows; begin += kRowsPerBlock) {
    State own = zero;
    add(own, begin, std::min(rows, begin + kRowsPerBlock));
    sum.Add(std::move(own));
  }
  return std::move(sum).Finish(std::move(zero));
}

}  // namespace slm
