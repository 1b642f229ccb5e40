#include "kernels/pair_term_patterns_simd.h"
#include "kernels/pair_term_tiles.h"
#include "kernels/tile_simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

// Tiles after which float sums over pairs are added to the sums in double.
constexpr size_t kFlush = 128;

// sum[i] += the gains of the pairs of row first + i in narrow columns, field by field.
inline void AddByFields(const PairTiles& block, const int32_t* row_codes, const int32_t* lane_codes,
                        size_t first, F16* sum) {
  for (size_t begin = 0; begin < block.narrow; begin += kPairField) {
    size_t end = begin + kPairField < block.narrow ? begin + kPairField : block.narrow;
    F16 field[kRowGroup];
    for (size_t j = begin; j < end; ++j) {
      I16 code = LoadInt(lane_codes + j * kWidth);
      F16 gain = Set(block.dense_gain[j]);
      const int32_t* row = row_codes + j * kWidth + first;
#pragma GCC unroll 16
      for (size_t i = 0; i < kRowGroup; ++i) {
        M16 equal = Equal(code, SetInt(row[i]));
        field[i] = j == begin ? KeepIf(equal, gain) : AddIf(equal, field[i], gain);
      }
    }
    for (size_t i = 0; i < kRowGroup; ++i) sum[i] = sum[i] + field[i];
  }
}

// log W of the pairs of panels a and c, ties left out.
inline void LogWeights(const PairTiles& block, size_t a, size_t c, Tile& out) {
  const int32_t* row_codes = block.codes + a * block.dense * kWidth;
  const int32_t* lane_codes = block.codes + c * block.dense * kWidth;
  const float* row_signs = block.signs + a * block.binary * kWidth;
  const float* lane_signs = block.signs + c * block.binary * kWidth;
#if defined(__AVX512BW__)
  FindPatterns(block, a, c);
#endif
  for (size_t first = 0; first < kWidth; first += kRowGroup) {
    F16 sum[kRowGroup];
    for (size_t i = 0; i < kRowGroup; ++i) sum[i] = Set(block.start);
#if defined(__AVX512BW__)
    AddByPatterns(block, sum);
#else
    AddByFields(block, row_codes, lane_codes, first, sum);
#endif
    for (size_t j = block.narrow; j < block.dense; ++j) {
      I16 code = LoadInt(lane_codes + j * kWidth);
      F16 gain = Set(block.dense_gain[j]);
      const int32_t* row = row_codes + j * kWidth + first;
#pragma GCC unroll 16
      for (size_t i = 0; i < kRowGroup; ++i) {
        sum[i] = AddIf(Equal(code, SetInt(row[i])), sum[i], gain);
      }
    }
    AddProducts(row_signs, lane_signs, block.binary_gain, block.binary, first, sum);
    for (size_t i = 0; i < kRowGroup; ++i) Store(out.at + (first + i) * kWidth, sum[i]);
  }
}

struct PairSums {
  F16 total;
  F16 gate_differ;
};

// Turns log W into V, and adds to the slopes: those of panel c at once, those of panel a by lane.
inline void Weigh(const PairTiles& block, size_t a, size_t c, Tile& tile, F16* row_slope,
                  PairSums& sums) {
  static constexpr float kLane[kWidth] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  F16 lane_r = Load(block.r + c * kWidth);
  F16 lane_w = Load(block.w + c * kWidth);
  F16 lane = Load(kLane);
  F16 lane_slope = Zero();
  PairSums own = {Zero(), Zero()};  // adding rows to a sum over many tiles would cost digits
  for (size_t i = 0; i < kWidth; ++i) {
    size_t row = a * kWidth + i;
    F16 w = lane_w * Set(block.w[row]);
    if (a == c) w = Select(Greater(lane, Set(static_cast<float>(i))), w, Zero());
    w = w * Exp(Load(tile.at + i * kWidth));
    F16 difference = Set(block.r[row]) - lane_r;
    F16 slope = w * difference;
    F16 v = slope * difference;
    if (block.gate == nullptr) {
      own.total = own.total + v;
    } else {
      // The two parts may differ by many orders of magnitude, so each has a sum of its own.
      M16 equal = Equal(LoadInt(block.gate + c * kWidth), SetInt(block.gate[row]));
      own.total = AddIf(equal, own.total, v);
      own.gate_differ = own.gate_differ + Select(equal, Zero(), v);
      F16 keep = Select(equal, Set(1.0f), Set(block.gate_keep));
      slope = slope * keep;
      v = v * keep;
    }
    row_slope[i] = row_slope[i] + slope;
    lane_slope = lane_slope + slope;
    Store(tile.at + i * kWidth, v);
  }
  sums.total = sums.total + own.total;
  sums.gate_differ = sums.gate_differ + own.gate_differ;
  float* out = block.slope + c * kWidth;
  Store(out, Load(out) - lane_slope);
}

// Adds V to the sums by column.
inline void AddByColumn(const PairTiles& block, size_t a, size_t c, const Tile& tile) {
  F16 v[kWidth];
  for (size_t i = 0; i < kWidth; ++i) v[i] = Load(tile.at + i * kWidth);
  const int32_t* row_codes = block.codes + a * block.dense * kWidth;
  const int32_t* lane_codes = block.codes + c * block.dense * kWidth;
  for (size_t j = 0; j < block.dense; ++j) {
    I16 code = LoadInt(lane_codes + j * kWidth);
    const int32_t* row = row_codes + j * kWidth;
    F16 sum[2] = {Zero(), Zero()};
#pragma GCC unroll 16
    for (size_t i = 0; i < kWidth; ++i) {
      sum[i % 2] = AddIf(Equal(code, SetInt(row[i])), sum[i % 2], v[i]);
    }
    float* lanes = block.lanes + j * kWidth;
    Store(lanes, Load(lanes) + (sum[0] + sum[1]));
  }
  const float* row_signs = block.signs + a * block.binary * kWidth;
  const float* lane_signs = block.signs + c * block.binary * kWidth;
  AddQuadraticForms(row_signs, lane_signs, v, block.binary, block.lanes + block.dense * kWidth);
}

inline void Flush(const PairTiles& block, PairSums& sums) {
  *block.total += static_cast<double>(Sum(sums.total));
  *block.gate_differ += static_cast<double>(Sum(sums.gate_differ));
  sums = {Zero(), Zero()};
  for (size_t j = 0; j < block.dense + block.binary; ++j) {
    float* lanes = block.lanes + j * kWidth;
    double& out = j < block.dense ? block.dense_equal[j] : block.binary_sign[j - block.dense];
    out += static_cast<double>(Sum(Load(lanes)));
    Store(lanes, Zero());
  }
}

}  // namespace

void AddPairTiles(const PairTiles& block) noexcept {
  for (size_t panel = 0; panel < block.panels; ++panel) {
    const uint8_t* bytes = block.bytes + panel * block.narrow * kWidth;
    int32_t* codes = block.codes + panel * block.dense * kWidth;
    for (size_t at = 0; at < block.narrow * kWidth; at += kWidth) {
      StoreInt(codes + at, LoadBytes(bytes + at));
    }
  }
#if defined(__AVX512BW__)
  PreparePatterns(block);
#endif
  PairSums sums = {Zero(), Zero()};
  size_t unflushed = 0;
  Tile tile;
  for (size_t a = 0; a < block.panels; ++a) {
    F16 row_slope[kWidth];
    for (size_t i = 0; i < kWidth; ++i) row_slope[i] = Zero();
    for (size_t c = a; c < block.panels; ++c) {
      LogWeights(block, a, c, tile);
      const PairTie* tie = nullptr;
      const PairTie* tie_end = nullptr;
      if (block.tie_begin != nullptr) {
        const uint32_t* begin = block.tie_begin + a * block.panels + c;
        tie = block.ties + begin[0];
        tie_end = block.ties + begin[1];
      }
      for (const PairTie* t = tie; t != tie_end; ++t)
        tile.at[t->place] += block.tie_gain[t->column];
      Weigh(block, a, c, tile, row_slope, sums);
      for (const PairTie* t = tie; t != tie_end; ++t) {
        block.tie_equal[t->column] += static_cast<double>(tile.at[t->place]);
      }
      AddByColumn(block, a, c, tile);
      if (++unflushed == kFlush) {
        Flush(block, sums);
        unflushed = 0;
      }
    }
    for (size_t i = 0; i < kWidth; ++i) block.slope[a * kWidth + i] += Sum(row_slope[i]);
  }
  Flush(block, sums);
}

}  // namespace slm::SLM_SIMD_LEVEL
