#include "kernels/double_simd.h"
#include "kernels/products.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

// A tile of kMaxColumns x 16 sums stays in registers while the rows of a block go by.
#if defined(__AVX512F__)
constexpr size_t kMaxColumns = 9;
#else
constexpr size_t kMaxColumns = 3;
#endif
constexpr size_t kStrip = 16;      // columns of x
constexpr size_t kRowBlock = 256;  // a strip of them is 16 KiB

template <size_t kColumns>
void Tile(const ProductArgs& p, size_t a, size_t j, size_t begin, size_t end) {
  D8 low[kColumns], high[kColumns];
  double* out = p.out + a * p.out_stride + j;
  for (size_t c = 0; c < kColumns; ++c) {
    low[c] = begin == 0 ? SetDouble(0) : LoadDouble(out + c * p.out_stride);
    high[c] = begin == 0 ? SetDouble(0) : LoadDouble(out + c * p.out_stride + 8);
  }
  const float* x = p.x + begin * p.x_stride + j;
  const double* left = p.left + begin * p.left_stride + a;
  for (size_t i = begin; i < end; ++i, x += p.x_stride, left += p.left_stride) {
    const D8 x_low = Widen(x), x_high = Widen(x + 8);
    for (size_t c = 0; c < kColumns; ++c) {
      const D8 factor = SetDouble(left[c]);
      low[c] = MulAdd(factor, x_low, low[c]);
      high[c] = MulAdd(factor, x_high, high[c]);
    }
  }
  for (size_t c = 0; c < kColumns; ++c) {
    Store(out + c * p.out_stride, low[c]);
    Store(out + c * p.out_stride + 8, high[c]);
  }
}

using TileFunction = void (*)(const ProductArgs&, size_t, size_t, size_t, size_t);

struct TileTable {
  TileFunction by_columns[kMaxColumns + 1];
};

template <size_t kColumns>
constexpr TileTable TilesUpTo() {
  TileTable table{};
  if constexpr (kColumns > 1) table = TilesUpTo<kColumns - 1>();
  table.by_columns[kColumns] = &Tile<kColumns>;
  return table;
}

}  // namespace

void TransposedProduct(const ProductArgs& p) noexcept {
  static constexpr TileTable kTiles = TilesUpTo<kMaxColumns>();
  const size_t tiles = (p.left_columns + kMaxColumns - 1) / kMaxColumns;
  for (size_t begin = 0; begin < p.rows || begin == 0; begin += kRowBlock) {
    const size_t end = begin + kRowBlock < p.rows ? begin + kRowBlock : p.rows;
    for (size_t j = 0; j < p.width; j += kStrip) {
      for (size_t t = 0; t < tiles; ++t) {
        const size_t a = p.left_columns * t / tiles;
        const size_t a_end = p.left_columns * (t + 1) / tiles;
        kTiles.by_columns[a_end - a](p, a, j, begin, end);
      }
    }
  }
}

double Dot(const double* a, const double* b, size_t n) noexcept {
  D8 sum[2] = {SetDouble(0), SetDouble(0)};
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    sum[0] = MulAdd(LoadDouble(a + i), LoadDouble(b + i), sum[0]);
    sum[1] = MulAdd(LoadDouble(a + i + 8), LoadDouble(b + i + 8), sum[1]);
  }
  double total = Sum(sum[0] + sum[1]);
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

void AddScaled(double scale, const double* x, double* y, size_t n) noexcept {
  const D8 factor = SetDouble(scale);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) Store(y + i, MulAdd(factor, LoadDouble(x + i), LoadDouble(y + i)));
  for (; i < n; ++i) y[i] += scale * x[i];
}

}  // namespace slm::SLM_SIMD_LEVEL
