#pragma once

// The pair term of the MI objective: predictions of rows that share the values of the probable
// features should agree.
//
//   r_cs = sum_{i<k} w_i w_k W_ik (r_i - r_k)^2 / sum_{i<k} w_i w_k,
//   W_ik = prod over the active features j with x_ij != x_kj of (1 - p_j)
//
// Only equal values cost anything: log W_ik = sum_j log(1 - p_j) - sum_{j equal} log(1 - p_j). With
// free and sparse columns alone sum_{i<k} w_i w_k (r_i - r_k)^2 = sum w * sum w (r - mean)^2 is
// corrected at the tied pairs, O(b + ties); otherwise all pairs are visited, O(b^2) for each binary
// or dense column.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/pair_term_tiles.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// Keeps its scratch memory, so that steps of one size allocate nothing. One for each thread.
class PairTerm {
 public:
  // The value over the pairs of a batch, or over the pairs inside each run of `block` rows of it if
  // block > 0, which is an unbiased estimate when rows come in random order. Writes the gradients:
  // dr for each row and dp for each active feature. Without a pair of positive weight all are 0.
  //
  // `features` are the active ones, `p` their probabilities in [0, 1]. A mask's sum to 1, so at
  // most one is above 1/2, and its factor is kept out of logarithms and divisions: value and
  // gradients are exact up to p = 1. Other p are taken too, at the price of some digits; factors 1
  // - p of all but the first above 1/2 then count as at least 2^-24.
  //
  // `rows` are distinct indices into the codes; `r` and `w` have an entry for each of them, `w` may
  // be empty for equal weights.
  double Compute(std::span<const ValueCodes> codes, std::span<const int32_t> features,
                 std::span<const int32_t> rows, std::span<const float> p, std::span<const float> r,
                 std::span<const float> w, size_t block, std::span<float> dr, std::span<float> dp);

 private:
  // Rows of one block, and where their sum over k of w_i w_k W_ik (r_i - r_k) goes.
  struct Block {
    std::span<const int32_t> rows;
    std::span<const float> r;
    std::span<const float> w;
    std::span<float> slope;
  };
  // Active features of one kind; index is into the active ones. V = w w' W (r - r')^2.
  struct Group {
    std::vector<const ValueCodes*> columns;
    std::vector<size_t> index;
    std::vector<double> rest;   // 1 - p
    std::vector<float> gain;    // -log(1 - p); half of it for binary columns
    std::vector<double> equal;  // sum of V over equal pairs; of s s' V for binary columns
    void Clear();
    void Append(const Group& other);
    void Add(const ValueCodes& column, size_t a, double one_minus_p, double gain_share);
  };
  struct FoundTie {
    uint32_t bucket;
    PairTie tie;
  };

  void SortColumns(std::span<const ValueCodes> codes, std::span<const int32_t> features,
                   std::span<const float> p);
  void AddByTies(const Block& block);
  void AddByTiles(const Block& block);
  template <class Address>
  void FindTies(std::span<const int32_t> rows, size_t buckets, Address address);

  Group sparse_, few_, narrow_, wide_, binary_;
  Group dense_;                             // few_, narrow_ and wide_ in this order
  std::optional<size_t> gate_;              // the active feature with p > 1/2, if any
  const ValueCodes* gate_codes_ = nullptr;  // null if no pair is equal there
  double gate_rest_ = 1;
  double rest_product_ = 1;  // of all features but the gate
  bool tiled_ = false;       // whether all pairs must be visited
  float start_ = 0;          // of log W in the tiles
  double tile_factor_ = 1;   // what the tiles leave out of every W
  double total_ = 0;         // sum of V
  double gate_differ_ = 0;   // sum of V / (1 - p) over the pairs that differ in the gate

  std::vector<int32_t> latest_;  // by code: the latest row with it, -1 for none
  std::vector<int32_t> chain_;   // by row: the row before it with the same code
  std::vector<FoundTie> found_;
  std::vector<uint32_t> tie_begin_;  // by bucket
  std::vector<PairTie> ties_;        // ordered by bucket
  std::vector<double> factor_;       // by row: 1 / prod (1 - p) over its ties, 0 for none
  std::vector<uint32_t> tied_;
  std::vector<int32_t> panel_rows_;
  AlignedBuffer<int32_t> panel_codes_, panel_gate_, twice_codes_;
  AlignedBuffer<uint8_t> panel_bytes_, twice_bytes_, byte_rows_, patterns_;
  AlignedBuffer<float> tables_, twice_signs_, row_slope_, has_level_;
  AlignedBuffer<float> panel_signs_, panel_r_, panel_w_, panel_slope_, lanes_;
};

}  // namespace slm
