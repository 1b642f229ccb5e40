#include "kernels/gemm.h"
#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

// A tile of C of kMaxRows x (kVectors * 16) stays in registers while k runs: 28 of 32 registers
// with AVX-512, 12 of 16 with AVX2.
#if defined(__AVX512F__)
constexpr size_t kMaxRows = 14;
constexpr size_t kMaxVectors = 2;
#elif defined(__AVX2__)
constexpr size_t kMaxRows = 6;
constexpr size_t kMaxVectors = 1;
#else
constexpr size_t kMaxRows = 2;
constexpr size_t kMaxVectors = 1;
#endif

constexpr size_t kInnerBlock = 256;         // of k: a panel of B (32 columns) is then 32 KiB
constexpr size_t kRowGroup = kMaxRows * 8;  // rows of A that share a panel while it is in cache

template <size_t kVectors>
inline void Finish(const GemmArgs& g, size_t i, size_t j, const F16* acc) {
  float* c = g.c + i * g.c_stride + j;
  for (size_t v = 0; v < kVectors; ++v) {
    F16 sum = acc[v];
    switch (g.epilogue) {
      case GemmEpilogue::kNone:
        break;
      case GemmEpilogue::kBias:
        sum = sum + Load(g.bias + j + v * kWidth);
        break;
      case GemmEpilogue::kBiasRelu:
        sum = Max(sum + Load(g.bias + j + v * kWidth), Zero());
        break;
      case GemmEpilogue::kReluGrad: {
        F16 mask = Load(g.mask + i * g.mask_stride + j + v * kWidth);
        sum = Select(Greater(mask, Zero()), sum, Zero());
        break;
      }
    }
    Store(c + v * kWidth, sum);
  }
}

// C[i .. i + kRows) x [j .. j + 16 kVectors) over k in [p0, p1).
template <size_t kRows, size_t kVectors, bool kTransposed>
void Tile(const GemmArgs& g, size_t i, size_t j, size_t p0, size_t p1) {
  F16 acc[kRows][kVectors];
  const float* c = g.c + i * g.c_stride + j;
  if (p0 == 0) {
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t v = 0; v < kVectors; ++v) acc[r][v] = Zero();
    }
  } else {
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t v = 0; v < kVectors; ++v) acc[r][v] = Load(c + r * g.c_stride + v * kWidth);
    }
  }
  const float* b = g.b + p0 * g.b_stride + j;
  const size_t s = g.a_stride;
  if constexpr (kTransposed) {
    const float* a = g.a + p0 * s + i;
#pragma GCC unroll 4
    for (size_t p = p0; p < p1; ++p, a += s, b += g.b_stride) {
      // The rows of a wide A lie pages apart, out of the reach of the hardware's prefetcher.
      __builtin_prefetch(a + 8 * s);
      F16 bv[kVectors];
      for (size_t v = 0; v < kVectors; ++v) bv[v] = Load(b + v * kWidth);
      for (size_t r = 0; r < kRows; ++r) {
        F16 ar = Set(a[r]);
        for (size_t v = 0; v < kVectors; ++v) acc[r][v] = MulAdd(ar, bv[v], acc[r][v]);
      }
    }
  } else {
    // Every third row gets a pointer; the two between are reached by the stride, so that fourteen
    // rows need six registers.
    constexpr size_t kBases = (kRows + 2) / 3;
    const float* a[kBases];
    for (size_t q = 0; q < kBases; ++q) a[q] = g.a + (i + 3 * q) * s + p0;
#pragma GCC unroll 4
    for (size_t p = p0; p < p1; ++p, b += g.b_stride) {
      F16 bv[kVectors];
      for (size_t v = 0; v < kVectors; ++v) bv[v] = Load(b + v * kWidth);
      for (size_t r = 0; r < kRows; ++r) {
        F16 ar = Set(a[r / 3][(r % 3) * s]);
        for (size_t v = 0; v < kVectors; ++v) acc[r][v] = MulAdd(ar, bv[v], acc[r][v]);
      }
      for (size_t q = 0; q < kBases; ++q) ++a[q];
    }
  }
  if (p1 == g.k) {
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) Finish<kVectors>(g, i + r, j, acc[r]);
  } else {
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t v = 0; v < kVectors; ++v) {
        Store(g.c + (i + r) * g.c_stride + j + v * kWidth, acc[r][v]);
      }
    }
  }
}

using TileFunction = void (*)(const GemmArgs&, size_t, size_t, size_t, size_t);

template <size_t kVectors, bool kTransposed>
struct TileTable {
  TileFunction by_rows[kMaxRows + 1];

  constexpr TileTable() : by_rows{} { Fill<kMaxRows>(); }

  template <size_t kRows>
  constexpr void Fill() {
    by_rows[kRows] = &Tile<kRows, kVectors, kTransposed>;
    if constexpr (kRows > 1) Fill<kRows - 1>();
  }
};

template <bool kTransposed>
void Product(const GemmArgs& g) {
  static constexpr TileTable<kMaxVectors, kTransposed> kWide;
  static constexpr TileTable<1, kTransposed> kNarrow;
  // The mask of a ReLU's gradient may be C itself; then no partial sum may be stored in its place.
  const size_t block = g.epilogue == GemmEpilogue::kReluGrad ? g.k : kInnerBlock;
  for (size_t p0 = 0; p0 < g.k; p0 += block) {
    size_t p1 = p0 + block < g.k ? p0 + block : g.k;
    for (size_t group = 0; group < g.m; group += kRowGroup) {
      size_t group_end = group + kRowGroup < g.m ? group + kRowGroup : g.m;
      // Even tiles: 64 rows are better cut into five times 13 than into four times 14 and an 8.
      size_t rows = group_end - group;
      size_t tiles = (rows + kMaxRows - 1) / kMaxRows;
      for (size_t j = 0; j < g.n;) {
        bool wide = j + kMaxVectors * kWidth <= g.n;
        const TileFunction* by_rows = wide ? kWide.by_rows : kNarrow.by_rows;
        for (size_t t = 0; t < tiles; ++t) {
          size_t i = group + rows * t / tiles;
          size_t i_end = group + rows * (t + 1) / tiles;
          by_rows[i_end - i](g, i, j, p0, p1);
        }
        j += wide ? kMaxVectors * kWidth : kWidth;
      }
    }
  }
}

}  // namespace

void Gemm(const GemmArgs& args) noexcept {
  if (args.a_transposed) {
    Product<true>(args);
  } else {
    Product<false>(args);
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
