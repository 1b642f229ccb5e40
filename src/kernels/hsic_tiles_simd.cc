#include "kernels/hsic_tiles.h"
#include "kernels/tile_simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

struct PairSums {
  F16 value;
  F16 spread;
};

// Turns products of rows into P, and adds P to its sums.
inline void Weigh(const HsicTiles& batch, size_t a, size_t c, Tile& tile, F16* row_sum,
                  PairSums& sums) {
  static constexpr float kLane[kWidth] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  F16 lane_norm = Load(batch.norm + c * kWidth);
  F16 lane_sum = Zero();
  F16 spread = Zero();
  for (size_t i = 0; i < kWidth; ++i) {
    size_t row = a * kWidth + i;
    F16 norms = lane_norm + Set(batch.norm[row]);
    F16 distance = Max(NegMulAdd(Set(2.0f), Load(tile.at + i * kWidth), norms), Zero());
    F16 label = Load(batch.label_kernel + row * batch.panels * kWidth + c * kWidth);
    if (a == c) label = Select(Greater(Load(kLane), Set(static_cast<float>(i))), label, Zero());
    F16 p = label * Exp(distance * Set(-0.5f));
    spread = MulAdd(p, distance, spread);
    row_sum[i] = row_sum[i] + p;
    lane_sum = lane_sum + p;
    Store(tile.at + i * kWidth, p);
  }
  sums.value = sums.value + lane_sum;
  sums.spread = sums.spread + spread;
  float* out = batch.row_sum + c * kWidth;
  Store(out, Load(out) + lane_sum);
}

}  // namespace

void AddHsicTiles(const HsicTiles& batch) noexcept {
  size_t panel_size = batch.columns * kWidth;
  Tile tile;
  for (size_t a = 0; a < batch.panels; ++a) {
    const float* rows = batch.x + a * panel_size;
    PairSums sums = {Zero(), Zero()};
    F16 row_sum[kWidth];
    for (size_t i = 0; i < kWidth; ++i) row_sum[i] = Zero();
    for (size_t c = a; c < batch.panels; ++c) {
      const float* lanes = batch.x + c * panel_size;
      for (size_t first = 0; first < kWidth; first += kRowGroup) {
        F16 sum[kRowGroup];
        for (size_t i = 0; i < kRowGroup; ++i) sum[i] = Zero();
        AddProducts(rows, lanes, batch.gain, batch.columns, first, sum);
        for (size_t i = 0; i < kRowGroup; ++i) Store(tile.at + (first + i) * kWidth, sum[i]);
      }
      Weigh(batch, a, c, tile, row_sum, sums);
      F16 p[kWidth];
      for (size_t i = 0; i < kWidth; ++i) p[i] = Load(tile.at + i * kWidth);
      AddQuadraticForms(rows, lanes, p, batch.columns, batch.lanes);
    }
    for (size_t i = 0; i < kWidth; ++i) batch.row_sum[a * kWidth + i] += Sum(row_sum[i]);
    *batch.value += static_cast<double>(Sum(sums.value));
    *batch.spread += static_cast<double>(Sum(sums.spread));
    for (size_t j = 0; j < batch.columns; ++j) {
      float* lanes = batch.lanes + j * kWidth;
      batch.product[j] += static_cast<double>(Sum(Load(lanes)));
      Store(lanes, Zero());
    }
  }
}

void GaussianKernel(const float* y, size_t n, float* out) noexcept {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; k += kWidth) {
      F16 difference = Set(y[i]) - Load(y + k);
      Store(out + i * n + k, Exp(difference * difference * Set(-0.5f)));
    }
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
