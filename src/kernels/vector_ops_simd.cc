#include "kernels/simd.h"
#include "kernels/vector_ops.h"

namespace slm::SLM_SIMD_LEVEL {

void Gather(const GatherArgs& g) noexcept {
  for (size_t i = 0; i < g.row_count; ++i) {
    const float* x = g.x + static_cast<size_t>(g.rows[i]) * g.x_stride;
    float* out = g.out + i * g.out_stride;
    // The next row is somewhere else in memory; ask for its start while this one is copied.
    if (i + 1 < g.row_count) {
      __builtin_prefetch(g.x + static_cast<size_t>(g.rows[i + 1]) * g.x_stride);
    }
    for (size_t a = 0; a < g.column_count; a += kWidth) {
      int32_t run = g.runs[a / kWidth];
      Store(out + a, run >= 0 ? Load(x + run) : Gather(x, g.columns + a));
    }
  }
}

void ScaleRows(const WeightRows& rows, const float* scale, float* out) noexcept {
  for (size_t a = 0; a < rows.count; ++a, out += rows.stride) {
    const float* w = rows.w + static_cast<size_t>(rows.index[a]) * rows.stride;
    F16 f = Set(scale[a]);
    for (size_t j = 0; j < rows.stride; j += kWidth) Store(out + j, f * Load(w + j));
  }
}

void RowDots(const WeightRows& rows, const float* x, float* out) noexcept {
  for (size_t a = 0; a < rows.count; ++a, x += rows.stride) {
    const float* w = rows.w + static_cast<size_t>(rows.index[a]) * rows.stride;
    F16 sum = Zero();
    for (size_t j = 0; j < rows.stride; j += kWidth) sum = MulAdd(Load(w + j), Load(x + j), sum);
    out[a] = Sum(sum);
  }
}

namespace {

// Several strips of columns side by side, so that sums need not wait for each other.
template <size_t kStrips>
void SumStrips(const float* x, size_t stride, size_t rows, float* out) {
  F16 sum[kStrips];
  for (size_t s = 0; s < kStrips; ++s) sum[s] = Zero();
  for (size_t i = 0; i < rows; ++i, x += stride) {
    for (size_t s = 0; s < kStrips; ++s) sum[s] = sum[s] + Load(x + s * kWidth);
  }
  for (size_t s = 0; s < kStrips; ++s) Store(out + s * kWidth, sum[s]);
}

}  // namespace

void ColumnSums(const float* x, size_t stride, size_t rows, size_t width, float* out) noexcept {
  constexpr size_t kStrips = 4;
  size_t j = 0;
  for (; j + kStrips * kWidth <= width; j += kStrips * kWidth) {
    SumStrips<kStrips>(x + j, stride, rows, out + j);
  }
  for (; j < width; j += kWidth) SumStrips<1>(x + j, stride, rows, out + j);
}

void Softmax(const SoftmaxArgs& s) noexcept {
  // Lanes past the last class get a score from which Exp makes 0.
  alignas(64) float tail[kWidth];
  size_t full = s.classes / kWidth * kWidth;
  for (size_t i = 0; i < kWidth; ++i) tail[i] = full + i < s.classes ? 0.0f : -1e30f;
  bool partial = full < s.classes;
  for (size_t row = 0; row < s.rows; ++row) {
    const float* z = s.z + row * s.z_stride;
    float* r = s.r + row * s.r_stride;
    F16 last = Set(-1e30f);
    if (partial) last = Load(z + full) + Load(tail);
    F16 top = last;
    for (size_t c = 0; c < full; c += kWidth) top = Max(top, Load(z + c));
    float max = MaxLane(top);
    F16 m = Set(max), sum = Zero();
    for (size_t c = 0; c < full; c += kWidth) {
      F16 e = Exp(Load(z + c) - m);
      Store(r + c, e);
      sum = sum + e;
    }
    if (partial) {
      F16 e = Exp(last - m);
      Store(r + full, e);
      sum = sum + e;
    }
    float total = Sum(sum);
    F16 inverse = Set(1.0f / total), squares = Zero();
    for (size_t c = 0; c < s.classes; c += kWidth) {
      F16 p = Load(r + c) * inverse;
      Store(r + c, p);
      squares = MulAdd(p, p, squares);
    }
    s.max[row] = max;
    s.sum[row] = total;
    s.square_sum[row] = Sum(squares);
  }
}

void SoftmaxGrad(const SoftmaxGradArgs& s) noexcept {
  for (size_t row = 0; row < s.rows; ++row) {
    F16 c0 = Set(s.c0[row]), c1 = Set(s.c1[row]);
    for (size_t c = 0; c < s.classes; c += kWidth) {
      F16 r = Load(s.r + row * s.r_stride + c);
      Store(s.dz + row * s.dz_stride + c, r * MulAdd(c1, r, c0));
    }
  }
}

void Adam(const AdamArgs& a) noexcept {
  F16 g_scale = Set(a.g_scale), l2 = Set(a.l2), rate = Set(a.rate), epsilon = Set(a.epsilon);
  F16 beta1 = Set(a.beta1), beta2 = Set(a.beta2);
  F16 rest1 = Set(1.0f - a.beta1), rest2 = Set(1.0f - a.beta2);
  for (size_t i = 0; i < a.n; i += kWidth) {
    F16 w = Load(a.w + i);
    F16 g = MulAdd(l2, w, g_scale * Load(a.gradient + i));
    F16 m = MulAdd(beta1, Load(a.m + i), rest1 * g);
    F16 v = MulAdd(beta2, Load(a.v + i), rest2 * (g * g));
    Store(a.m + i, m);
    Store(a.v + i, v);
    Store(a.w + i, NegMulAdd(rate, m * Inverse(Sqrt(v) + epsilon), w));
  }
}

void Momentum(const MomentumArgs& a) noexcept {
  F16 g_scale = Set(a.g_scale), decay = Set(a.decay), rate = Set(a.rate), kept = Set(a.kept);
  for (size_t i = 0; i < a.n; i += kWidth) {
    F16 w = Load(a.w + i);
    F16 m = MulAdd(kept, Load(a.m + i), MulAdd(decay, w, g_scale * Load(a.gradient + i)));
    Store(a.m + i, m);
    Store(a.w + i, NegMulAdd(rate, m, w));
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
