#pragma once

// log W of a tile from tables of sums, for AVX-512. A comparison of bytes gives 64 equalities at
// once, and a table of 32 floats is two registers, so that five columns of sixteen pairs cost one
// lookup instead of five masked additions. For pair_term_tiles_simd.cc.
//
// Columns come in units of 15, three fields of 5. A unit's codes of one row are 16 bytes, the last
// of them 0. Row i beside row i + 1, compared with lane l beside itself, gives 32 bits: the pattern
// of pair (i, l) in the low half and of (i + 1, l) in the high half, a field in each 5 bits of it.

#include "kernels/pair_term_tiles.h"
#include "kernels/simd.h"

#if defined(__AVX512BW__)

namespace slm::SLM_SIMD_LEVEL {
namespace {

static_assert(kPairField == 5 && kPairUnit == 15);
inline constexpr size_t kFields = kPairUnit / kPairField;
inline constexpr size_t kUnitBytes = kWidth * 16;             // of one panel
inline constexpr size_t kPatternBytes = kWidth * 2 * kWidth;  // of one tile and unit

inline size_t Units(const PairTiles& block) { return (block.narrow + kPairUnit - 1) / kPairUnit; }

// Codes of a unit by row instead of by column. Four columns at a time are turned into 16 words of
// four bytes, a row each: first rows r, r + 4, r + 8 and r + 12 of a column come together, then the
// four columns, and then the bytes of a row. The words of the four fours of columns make a row.
inline void TransposeUnit(const uint8_t* columns, size_t count, uint8_t* out) {
  const __m512i by_four =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const __m512i together = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  __m512i words[4];
  for (size_t g = 0; g < 4; ++g) {
    size_t left = count > 4 * g ? (count - 4 * g) * kWidth : 0;
    __mmask64 have = left >= 64 ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    __m512i x = _mm512_maskz_loadu_epi8(have, columns + g * 4 * kWidth);
    x = _mm512_permutexvar_epi32(together, _mm512_shuffle_epi8(x, by_four));
    words[g] = _mm512_shuffle_epi8(x, by_four);
  }
  __m512i low[2], high[2];
  for (size_t g = 0; g < 2; ++g) {
    low[g] = _mm512_unpacklo_epi32(words[2 * g], words[2 * g + 1]);
    high[g] = _mm512_unpackhi_epi32(words[2 * g], words[2 * g + 1]);
  }
  _mm512_storeu_si512(out, _mm512_unpacklo_epi64(low[0], low[1]));
  _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi64(low[0], low[1]));
  _mm512_storeu_si512(out + 128, _mm512_unpacklo_epi64(high[0], high[1]));
  _mm512_storeu_si512(out + 192, _mm512_unpackhi_epi64(high[0], high[1]));
}

// Entry s of a table is the sum of the gains of the columns in s, in ascending order from 0.
inline void BuildTables(const PairTiles& block) {
  for (size_t field = 0; field < Units(block) * kFields; ++field) {
    auto gain = [&](size_t t) {
      size_t j = field * kPairField + t;
      return Set(j < block.narrow ? block.dense_gain[j] : 0.0f);
    };
    F16 low = AddIf(0xAAAA, Zero(), gain(0));
    low = AddIf(0xCCCC, low, gain(1));
    low = AddIf(0xF0F0, low, gain(2));
    low = AddIf(0xFF00, low, gain(3));
    Store(block.tables + field * 2 * kWidth, low);
    Store(block.tables + field * 2 * kWidth + kWidth, low + gain(4));
  }
}

inline void PreparePatterns(const PairTiles& block) {
  size_t units = Units(block);
  for (size_t panel = 0; panel < block.panels; ++panel) {
    for (size_t u = 0; u < units; ++u) {
      size_t first = u * kPairUnit;
      size_t left = block.narrow - first;
      TransposeUnit(block.bytes + (panel * block.narrow + first) * kWidth,
                    left < kPairUnit ? left : kPairUnit,
                    block.byte_rows + (panel * units + u) * kUnitBytes);
    }
  }
  BuildTables(block);
}

// Writes the patterns of the pairs of panels a and c.
inline void FindPatterns(const PairTiles& block, size_t a, size_t c) {
  const __m512i twice = _mm512_setr_epi64(0, 1, 0, 1, 2, 3, 2, 3);
  size_t units = Units(block);
  for (size_t u = 0; u < units; ++u) {
    auto two_rows = [&](size_t panel, size_t pair) {
      const uint8_t* at = block.byte_rows + (panel * units + u) * kUnitBytes + pair * 32;
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    };
    __m512i lanes[kWidth / 2];
    for (size_t q = 0; q < kWidth / 2; ++q) {
      lanes[q] = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(two_rows(c, q)));
    }
    for (size_t pair = 0; pair < kWidth / 2; ++pair) {
      __m512i rows = _mm512_broadcast_i64x4(two_rows(a, pair));
      __mmask64* out = reinterpret_cast<__mmask64*>(block.patterns + u * kPatternBytes + pair * 64);
#pragma GCC unroll 8
      for (size_t q = 0; q < kWidth / 2; ++q) {
        _store_mask64(out + q, _mm512_cmpeq_epi8_mask(rows, lanes[q]));
      }
    }
  }
}

// sum[i] += the gains of the pairs of row i in the first fields of unit u.
template <size_t kUsed>
inline void AddUnit(const PairTiles& block, size_t u, F16* sum) {
  const float* tables = block.tables + u * kFields * 2 * kWidth;
  F16 low[kUsed], high[kUsed];
  for (size_t f = 0; f < kUsed; ++f) {
    low[f] = Load(tables + f * 2 * kWidth);
    high[f] = Load(tables + f * 2 * kWidth + kWidth);
  }
#pragma GCC unroll 8
  for (size_t pair = 0; pair < kWidth / 2; ++pair) {
    __m512i pattern = _mm512_load_si512(block.patterns + u * kPatternBytes + pair * 64);
    // A lookup takes the lowest five bits of its index and nothing else.
    auto add = [&](size_t i, size_t f, unsigned shift) {
      __m512i index = shift == 0 ? pattern : _mm512_srli_epi32(pattern, shift);
      sum[i] = sum[i] + F16{_mm512_permutex2var_ps(low[f].v, index, high[f].v)};
    };
    add(2 * pair, 0, 0);
    add(2 * pair + 1, 0, 16);
    if constexpr (kUsed > 1) {
      add(2 * pair, 1, 5);
      add(2 * pair + 1, 1, 21);
    }
    if constexpr (kUsed > 2) {
      add(2 * pair, 2, 10);
      add(2 * pair + 1, 2, 26);
    }
  }
}

// sum[i] += the gains of the pairs of row i, field by field.
inline void AddByPatterns(const PairTiles& block, F16* sum) {
  size_t fields = (block.narrow + kPairField - 1) / kPairField;
  size_t u = 0;
  for (; u < fields / kFields; ++u) AddUnit<kFields>(block, u, sum);
  if (fields % kFields == 1) AddUnit<1>(block, u, sum);
  if (fields % kFields == 2) AddUnit<2>(block, u, sum);
}

}  // namespace
}  // namespace slm::SLM_SIMD_LEVEL

#endif
