#pragma once

// The part of the pair term that looks at all pairs of a block: 16 rows against 16 rows at a time,
// forward, exponential and backward in one pass, so that no b x b matrix exists. For pair_term.cc.

#include <cstddef>
#include <cstdint>

#include "kernels/dispatch.h"

namespace slm {

// A pair of rows that is equal in a sparse column. `place` says which pair of its bucket: inside a
// tile, row * 16 + lane.
struct PairTie {
  uint32_t place;
  uint32_t column;
};

// Columns of at most 256 levels are summed in fields: log W is a start plus, for each field of five
// columns, the sum of the gains of those that are equal, in ascending order. Where the sums come
// from tables (pair_term_patterns_simd.h) fields come in units of three.
inline constexpr size_t kPairField = 5;
inline constexpr size_t kPairUnit = 15;

// With so few levels it pays to write down, for each level, which lanes of a panel have it: a
// multiply-add then does what takes a comparison and a masked addition.
inline constexpr size_t kFewLevels = 8;

// Rows come in panels of 16. A panel's data lie together: item j of lane l of panel a is at
// (a * items + j) * 16 + l. Rows that fill up the last panel have weight 0.
//
// Tile (a, c) with a < c holds the pairs of row i of panel c and lane l of panel a. Tile (a, a) has
// 8 rows: in row i lane l meets lane l + 1 + i (mod 16), so that every pair is met once, but for
// the last row, whose upper half repeats the lower.
struct PairTiles {
  size_t panels;
  float start;  // where the sums for log W start

  size_t dense;             // columns compared by code; first the few ones, then the narrow ones
  size_t narrow;            // those whose codes are bytes, including the few ones
  size_t few;               // those of at most kFewLevels levels
  const uint8_t* bytes;     // panels x narrow x 16
  int32_t* codes;           // panels x dense x 16; 16 x the bytes of narrow columns are filled in
  const float* dense_gain;  // -log(1 - p): what an equal value adds to log W

  size_t binary;             // columns whose equality is (1 + s s') / 2
  const float* signs;        // panels x binary x 16, +1 or -1
  const float* binary_gain;  // -log(1 - p) / 2

  // The one column whose p may be close to 1; its factor multiplies W and never enters a logarithm.
  const int32_t* gate;  // panels x 16 codes, or null
  float gate_rest;      // 1 - p

  const uint32_t* tie_begin;  // ties of tile (a, c) start at tie_begin[a * panels + c]; may be null
  const PairTie* ties;
  const float* tie_gain;

  const float* r;  // panels x 16
  const float* w;

  float* lanes;          // scratch, (dense + binary) x 16, zero
  float* row_slope;      // scratch, panels x 16 x 16, zero
  float* has_level;      // scratch, few x kFewLevels x 16: 1 for lanes that have the level
  uint8_t* twice_bytes;  // scratch, narrow x 32
  int32_t* twice_codes;  // scratch, dense x 32
  float* twice_signs;    // scratch, binary x 32
  // Scratch for each unit of narrow columns.
  uint8_t* byte_rows;  // panels x units x 256
  uint8_t* patterns;   // units x 512
  float* tables;       // units x 96

  // Added to, with V = w w' W (r - r')^2 over the pairs i < k:
  float* slope;         // panels x 16: sum over k of w w' W (r_i - r_k)
  double* total;        // sum of V, over the pairs equal in the gate column if there is one
  double* gate_differ;  // sum of V / (1 - p) over the pairs that differ in the gate column
  double* dense_equal;  // sum of V over the pairs equal in each dense column
  double* binary_sign;  // sum of s s' V for each binary column
  double* tie_equal;    // sum of V over the ties of each sparse column
};

SLM_DECLARE_LEVELS(void, AddPairTiles, const PairTiles& block)

}  // namespace slm
