#pragma once

// Sums over columns and over pairs inside a 16 x 16 tile of pairs of rows, shared by the kernels
// that never form the matrix of all pairs. Item j of lane l of a panel is at panel[j * 16 + l]. For
// `_simd.cc` files only, like simd.h.

#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

// Rows whose sums stay in registers together. It does not change the order of any sum.
#if defined(__AVX512F__)
inline constexpr size_t kRowGroup = 16;
#else
inline constexpr size_t kRowGroup = 4;
#endif

struct alignas(64) Tile {
  float at[kWidth * kWidth];  // row * 16 + lane
};

// The side of a tile that meets its lanes: Float(item, i) and Int(item, i) are the 16 values that
// meet the lanes in row i of the tile. Here all of them are the value of row i of a panel.
struct PanelRows {
  static constexpr size_t kRows = kWidth;
  static constexpr size_t kItem = kWidth;  // values of an item
  static F16 Float(const float* item, size_t i) { return Set(item[i]); }
  static I16 Int(const int32_t* item, size_t i) { return SetInt(item[i]); }
};

// sum[i] += sum_j gain_j lane_j row_ji, for the rows from `first` on.
template <class Rows = PanelRows, size_t kGroup = kRowGroup>
inline void AddProducts(const float* rows, const float* lanes, const float* gain, size_t items,
                        size_t first, F16* sum) {
  for (size_t j = 0; j < items; ++j) {
    F16 scaled = Load(lanes + j * kWidth) * Set(gain[j]);
#pragma GCC unroll 16
    for (size_t i = 0; i < kGroup; ++i) {
      sum[i] = MulAdd(scaled, Rows::Float(rows + j * Rows::kItem, first + i), sum[i]);
    }
  }
}

// out_j += lane_j sum_i v_i row_ji: by lane, the share of the tile in sum_ik v_ik x_ij x_kj.
template <class Rows = PanelRows>
inline void AddQuadraticForms(const float* rows, const float* lanes, const F16* v, size_t items,
                              float* out) {
  for (size_t j = 0; j < items; ++j) {
    F16 sum[2] = {Zero(), Zero()};
#pragma GCC unroll 16
    for (size_t i = 0; i < Rows::kRows; ++i) {
      sum[i % 2] = MulAdd(v[i], Rows::Float(rows + j * Rows::kItem, i), sum[i % 2]);
    }
    F16 total = sum[0] + sum[1];
    Store(out + j * kWidth, MulAdd(total, Load(lanes + j * kWidth), Load(out + j * kWidth)));
  }
}

}  // namespace
}  // namespace slm::SLM_SIMD_LEVEL
