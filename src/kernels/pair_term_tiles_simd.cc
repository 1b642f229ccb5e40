#include "kernels/pair_term_patterns_simd.h"
#include "kernels/pair_term_tiles.h"
#include "kernels/tile_simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

// Tiles after which float sums over pairs are added to the sums in double.
constexpr size_t kFlush = 128;

// The pairs inside one panel, see PairTiles: its 16 values stand twice in a row, so that lanes turn
// around as they are loaded.
struct TurnedLanes {
  static constexpr size_t kRows = kWidth / 2;
  static constexpr size_t kItem = 2 * kWidth;
  static F16 Float(const float* item, size_t i) { return Load(item + 1 + i); }
  static I16 Int(const int32_t* item, size_t i) { return LoadInt(item + 1 + i); }
};

// Item j of both sides of a tile is at rows + j * Rows::kItem and lanes + j * 16.
struct TileSides {
  const int32_t* row_codes;
  const int32_t* lane_codes;
  const uint8_t* row_bytes;  // for TurnedLanes only
  const uint8_t* lane_bytes;
  const float* row_signs;
  const float* lane_signs;
  const int32_t* row_gate;
  const int32_t* lane_gate;
  const float* row_r;
  const float* lane_r;
  const float* row_w;
  const float* lane_w;
};

// Which lanes meet an equal code of dense column j in row i; NarrowEqual for narrow columns.
template <class Rows>
inline M16 CodesEqual(const TileSides& sides, size_t j, size_t i) {
  return Equal(LoadInt(sides.lane_codes + j * kWidth),
               Rows::Int(sides.row_codes + j * Rows::kItem, i));
}
template <class Rows>
inline M16 NarrowEqual(const TileSides& sides, size_t j, size_t i) {
  return CodesEqual<Rows>(sides, j, i);
}
#if defined(__AVX512BW__)
// Turned words would cross cache lines, turned bytes do not.
template <>
inline M16 NarrowEqual<TurnedLanes>(const TileSides& sides, size_t j, size_t i) {
  auto load = [](const uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
  return _mm_cmpeq_epi8_mask(load(sides.lane_bytes + j * kWidth),
                             load(sides.row_bytes + j * TurnedLanes::kItem + 1 + i));
}
#endif

// 1 for the lanes that have the code of row i of a few-level column, 0 for the others; `has_level`
// is where the column starts. Codes are multiples of 16, the floats that one level takes.
inline F16 HasLevel(const float* has_level, int32_t code) { return Load(has_level + code); }

// Always kFewLevels levels: a loop as long as the column has levels is mispredicted every time.
inline void FindLevels(const PairTiles& block, size_t panel) {
  for (size_t j = 0; j < block.few; ++j) {
    I16 code = LoadInt(block.codes + (panel * block.dense + j) * kWidth);
    float* out = block.has_level + j * kFewLevels * kWidth;
#pragma GCC unroll 8
    for (size_t at = 0; at < kFewLevels * kWidth; at += kWidth) {
      Store(out + at, ZeroUnless(Equal(code, SetInt(static_cast<int32_t>(at))), Set(1.0f)));
    }
  }
}

// sum[i] += the gains of the pairs of row first + i in narrow columns, field by field.
template <class Rows, size_t kGroup>
inline void AddByFields(const PairTiles& block, const TileSides& sides, size_t first, F16* sum) {
  for (size_t begin = 0; begin < block.narrow; begin += kPairField) {
    size_t end = begin + kPairField < block.narrow ? begin + kPairField : block.narrow;
    F16 field[kGroup];
    for (size_t i = 0; i < kGroup; ++i) {
      field[i] =
          ZeroUnless(NarrowEqual<Rows>(sides, begin, first + i), Set(block.dense_gain[begin]));
    }
    for (size_t j = begin + 1; j < end; ++j) {
      F16 gain = Set(block.dense_gain[j]);
#pragma GCC unroll 16
      for (size_t i = 0; i < kGroup; ++i) {
        field[i] = AddIf(NarrowEqual<Rows>(sides, j, first + i), field[i], gain);
      }
    }
    for (size_t i = 0; i < kGroup; ++i) sum[i] = sum[i] + field[i];
  }
}

// log W of the pairs of a tile, ties left out. add_narrow(first, sum) adds the narrow columns.
template <class Rows, size_t kGroup, class AddNarrow>
inline void LogWeights(const PairTiles& block, const TileSides& sides, AddNarrow add_narrow,
                       Tile& out) {
  for (size_t first = 0; first < Rows::kRows; first += kGroup) {
    F16 sum[kGroup];
    for (size_t i = 0; i < kGroup; ++i) sum[i] = Set(block.start);
    add_narrow(first, sum);
    for (size_t j = block.narrow; j < block.dense; ++j) {
      F16 gain = Set(block.dense_gain[j]);
#pragma GCC unroll 16
      for (size_t i = 0; i < kGroup; ++i) {
        sum[i] = AddIf(CodesEqual<Rows>(sides, j, first + i), sum[i], gain);
      }
    }
    AddProducts<Rows, kGroup>(sides.row_signs, sides.lane_signs, block.binary_gain, block.binary,
                              first, sum);
    for (size_t i = 0; i < kGroup; ++i) Store(out.at + (first + i) * kWidth, sum[i]);
  }
}

struct PairSums {
  F16 total;
  F16 gate_differ;
};

// Turns log W into V. slope(i, x) takes the 16 slopes x of row i: of its values less the lanes'.
template <class Rows, class Slope>
inline void Weigh(const PairTiles& block, const TileSides& sides, Tile& tile, Slope slope,
                  PairSums& sums) {
  static constexpr float kLane[kWidth] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  F16 lane_r = Load(sides.lane_r);
  F16 lane_w = Load(sides.lane_w);
  PairSums own = {Zero(), Zero()};  // adding rows to a sum over many tiles would cost digits
  for (size_t i = 0; i < Rows::kRows; ++i) {
    F16 w = lane_w * Rows::Float(sides.row_w, i);
    if (Rows::kRows < kWidth && i + 1 == Rows::kRows) {
      w = ZeroUnless(Greater(Set(static_cast<float>(Rows::kRows)), Load(kLane)), w);
    }
    // The start of log W keeps it from the largest exponent.
    w = w * ExpInRange(Max(Load(tile.at + i * kWidth), Set(kLeastExponent)));
    F16 difference = Rows::Float(sides.row_r, i) - lane_r;
    F16 scaled = w * difference;
    F16 v = scaled * difference;
    if (block.gate == nullptr) {
      own.total = own.total + v;
    } else {
      // The two parts may differ by many orders of magnitude, so each has a sum of its own.
      M16 equal = Equal(LoadInt(sides.lane_gate), Rows::Int(sides.row_gate, i));
      own.total = AddIf(equal, own.total, v);
      own.gate_differ = own.gate_differ + Select(equal, Zero(), v);
      F16 rest = Select(equal, Set(1.0f), Set(block.gate_rest));
      scaled = scaled * rest;
      v = v * rest;
    }
    slope(i, scaled);
    Store(tile.at + i * kWidth, v);
  }
  sums.total = sums.total + own.total;
  sums.gate_differ = sums.gate_differ + own.gate_differ;
}

// Adds V to the sums by column.
template <class Rows>
inline void AddByColumn(const PairTiles& block, const TileSides& sides, const Tile& tile) {
  F16 v[Rows::kRows];
  for (size_t i = 0; i < Rows::kRows; ++i) v[i] = Load(tile.at + i * kWidth);
  auto add = [&](size_t j, F16 x) {
    float* lanes = block.lanes + j * kWidth;
    Store(lanes, Load(lanes) + x);
  };
  size_t few = 0;
  size_t narrow = block.few;
  if constexpr (Rows::kRows == kWidth) {
    // One column by level beside one by comparison: the first asks for two loads, the second for
    // two arithmetic operations, and neither has to wait for the other.
    for (; few < block.few; ++few) {
      const float* has_level = block.has_level + few * kFewLevels * kWidth;
      const int32_t* code = sides.row_codes + few * kWidth;
      F16 sum[2] = {Zero(), Zero()};
      if (narrow < block.dense) {
        F16 other[2] = {Zero(), Zero()};
#pragma GCC unroll 16
        for (size_t i = 0; i < kWidth; ++i) {
          sum[i % 2] = MulAdd(v[i], HasLevel(has_level, code[i]), sum[i % 2]);
          other[i % 2] = AddIf(CodesEqual<Rows>(sides, narrow, i), other[i % 2], v[i]);
        }
        add(narrow++, other[0] + other[1]);
      } else {
#pragma GCC unroll 16
        for (size_t i = 0; i < kWidth; ++i) {
          sum[i % 2] = MulAdd(v[i], HasLevel(has_level, code[i]), sum[i % 2]);
        }
      }
      add(few, sum[0] + sum[1]);
    }
  } else {
    narrow = 0;
  }
  auto add_equal = [&](size_t j, auto equal) {
    F16 sum[2] = {Zero(), Zero()};
#pragma GCC unroll 16
    for (size_t i = 0; i < Rows::kRows; ++i) {
      sum[i % 2] = AddIf(equal(sides, j, i), sum[i % 2], v[i]);
    }
    add(j, sum[0] + sum[1]);
  };
  for (; narrow < block.narrow; ++narrow) {
    add_equal(narrow, [](auto&... at) { return NarrowEqual<Rows>(at...); });
  }
  for (; narrow < block.dense; ++narrow) {
    add_equal(narrow, [](auto&... at) { return CodesEqual<Rows>(at...); });
  }
  AddQuadraticForms<Rows>(sides.row_signs, sides.lane_signs, v, block.binary,
                          block.lanes + block.dense * kWidth);
}

// Both sides of tile (a, c).
inline TileSides Sides(const PairTiles& block, size_t a, size_t c) {
  size_t gate_a = block.gate == nullptr ? 0 : a * kWidth;
  size_t gate_c = block.gate == nullptr ? 0 : c * kWidth;
  return {.row_codes = block.codes + c * block.dense * kWidth,
          .lane_codes = block.codes + a * block.dense * kWidth,
          .row_bytes = nullptr,
          .lane_bytes = block.bytes + a * block.narrow * kWidth,
          .row_signs = block.signs + c * block.binary * kWidth,
          .lane_signs = block.signs + a * block.binary * kWidth,
          .row_gate = block.gate + gate_c,
          .lane_gate = block.gate + gate_a,
          .row_r = block.r + c * kWidth,
          .lane_r = block.r + a * kWidth,
          .row_w = block.w + c * kWidth,
          .lane_w = block.w + a * kWidth};
}

// The ties of a tile: begin(), end().
struct TileTies {
  const PairTie* first = nullptr;
  const PairTie* last = nullptr;
  const PairTie* begin() const { return first; }
  const PairTie* end() const { return last; }
};

inline TileTies Ties(const PairTiles& block, size_t a, size_t c) {
  if (block.tie_begin == nullptr) return {};
  const uint32_t* begin = block.tie_begin + a * block.panels + c;
  return {block.ties + begin[0], block.ties + begin[1]};
}

// From log W to all sums but the slopes, which slope(i, x) takes.
template <class Rows, class Slope>
inline void AddTile(const PairTiles& block, const TileSides& sides, TileTies ties, Tile& tile,
                    Slope slope, PairSums& sums) {
  for (const PairTie& t : ties) tile.at[t.place] += block.tie_gain[t.column];
  Weigh<Rows>(block, sides, tile, slope, sums);
  for (const PairTie& t : ties) {
    block.tie_equal[t.column] += static_cast<double>(tile.at[t.place]);
  }
  AddByColumn<Rows>(block, sides, tile);
}

// The pairs of panels a < c. The slopes of panel c are kept by lane.
inline void AddTwoPanels(const PairTiles& block, size_t a, size_t c, Tile& tile, F16& lane_slope,
                         PairSums& sums) {
  TileSides sides = Sides(block, a, c);
#if defined(__AVX512BW__)
  FindPatterns(block, c, a);
  auto add_narrow = [&](size_t, F16* sum) { AddByPatterns(block, sum); };
#else
  auto add_narrow = [&](size_t first, F16* sum) {
    AddByFields<PanelRows, kRowGroup>(block, sides, first, sum);
  };
#endif
  LogWeights<PanelRows, kRowGroup>(block, sides, add_narrow, tile);
  float* row_slope = block.row_slope + c * kWidth * kWidth;
  F16 own = Zero();
  auto slope = [&](size_t i, F16 x) {
    Store(row_slope + i * kWidth, Load(row_slope + i * kWidth) + x);
    own = own + x;
  };
  AddTile<PanelRows>(block, sides, Ties(block, a, c), tile, slope, sums);
  lane_slope = lane_slope - own;
}

template <class T>
inline void Double(const T* from, size_t items, T* to) {
  for (size_t j = 0; j < items; ++j) {
    __builtin_memcpy(to + 2 * j * kWidth, from + j * kWidth, kWidth * sizeof(T));
    __builtin_memcpy(to + (2 * j + 1) * kWidth, from + j * kWidth, kWidth * sizeof(T));
  }
}

// The pairs inside panel a: half as many as in other tiles.
inline void AddOnePanel(const PairTiles& block, size_t a, Tile& tile, PairSums& sums) {
  constexpr size_t kRows = TurnedLanes::kRows;
  constexpr size_t kGroup = kRowGroup < kRows ? kRowGroup : kRows;
  TileSides sides = Sides(block, a, a);
  float r[2 * kWidth], w[2 * kWidth], slopes[kRows][2 * kWidth];
  int32_t gate[2 * kWidth];
#if defined(__AVX512BW__)
  size_t narrow = block.narrow;
#else
  size_t narrow = 0;
#endif
  Double(sides.lane_bytes, narrow, block.twice_bytes);
  Double(sides.lane_codes + narrow * kWidth, block.dense - narrow,
         block.twice_codes + narrow * 2 * kWidth);
  Double(sides.lane_signs, block.binary, block.twice_signs);
  Double(sides.lane_r, 1, r);
  Double(sides.lane_w, 1, w);
  if (block.gate != nullptr) Double(sides.lane_gate, 1, gate);
  sides.row_codes = block.twice_codes;
  sides.row_bytes = block.twice_bytes;
  sides.row_signs = block.twice_signs;
  sides.row_gate = gate;
  sides.row_r = r;
  sides.row_w = w;
  auto add_narrow = [&](size_t first, F16* sum) {
    AddByFields<TurnedLanes, kGroup>(block, sides, first, sum);
  };
  LogWeights<TurnedLanes, kGroup>(block, sides, add_narrow, tile);
  F16 lane_slope = Zero();
  auto slope = [&](size_t i, F16 x) {
    lane_slope = lane_slope - x;
    Store(slopes[i], x);
    Store(slopes[i] + kWidth, x);
  };
  AddTile<TurnedLanes>(block, sides, Ties(block, a, a), tile, slope, sums);
  // Row i's other side at lane l is lane l + 1 + i, whose slopes turn back.
  for (size_t i = 0; i < kRows; ++i) lane_slope = lane_slope + Load(slopes[i] + kWidth - 1 - i);
  float* out = block.slope + a * kWidth;
  Store(out, Load(out) + lane_slope);
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
      StoreInt(codes + at, ShiftLeft<4>(LoadBytes(bytes + at)));
    }
  }
#if defined(__AVX512BW__)
  PreparePatterns(block);
#endif
  PairSums sums = {Zero(), Zero()};
  size_t unflushed = 0;
  Tile tile;
  for (size_t a = 0; a < block.panels; ++a) {
    AddOnePanel(block, a, tile, sums);
    if (a + 1 < block.panels) FindLevels(block, a);
    F16 lane_slope = Zero();
    for (size_t c = a + 1; c < block.panels; ++c) {
      AddTwoPanels(block, a, c, tile, lane_slope, sums);
      if (++unflushed == kFlush) {
        Flush(block, sums);
        unflushed = 0;
      }
    }
    float* out = block.slope + a * kWidth;
    Store(out, Load(out) + lane_slope);
  }
  Flush(block, sums);
  for (size_t row = 0; row < block.panels * kWidth; ++row) {
    float* slopes = block.row_slope + row * kWidth;
    block.slope[row] += Sum(Load(slopes));
    Store(slopes, Zero());
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
