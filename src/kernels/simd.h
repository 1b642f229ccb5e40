#pragma once

// Sixteen floats at every SIMD level: one AVX-512 register, two AVX ones or four SSE ones. Kernels
// are written once against F16; the lanes and the order of sums are the same at every level.
// For `_simd.cc` files only (see dispatch.h).

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slm::SLM_SIMD_LEVEL {
namespace {

inline constexpr size_t kWidth = 16;
inline constexpr int32_t kInverseBits = 0x7EF311C7;  // see RoughInverse

#if defined(__AVX512F__)

struct F16 {
  __m512 v;
};
using M16 = __mmask16;
struct I16 {
  __m512i v;
};

inline F16 Zero() { return {_mm512_setzero_ps()}; }
inline F16 Set(float x) { return {_mm512_set1_ps(x)}; }
inline F16 Load(const float* p) { return {_mm512_loadu_ps(p)}; }
inline void Store(float* p, F16 a) { _mm512_storeu_ps(p, a.v); }
inline F16 Gather(const float* base, const int32_t* index) {
  return {_mm512_i32gather_ps(_mm512_loadu_si512(index), base, 4)};
}
inline F16 operator+(F16 a, F16 b) { return {_mm512_add_ps(a.v, b.v)}; }
inline F16 operator-(F16 a, F16 b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline F16 operator*(F16 a, F16 b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline F16 operator/(F16 a, F16 b) { return {_mm512_div_ps(a.v, b.v)}; }
inline F16 MulAdd(F16 a, F16 b, F16 c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }      // a b + c
inline F16 NegMulAdd(F16 a, F16 b, F16 c) { return {_mm512_fnmadd_ps(a.v, b.v, c.v)}; }  // c - a b
inline F16 Max(F16 a, F16 b) { return {_mm512_max_ps(a.v, b.v)}; }
inline F16 Min(F16 a, F16 b) { return {_mm512_min_ps(a.v, b.v)}; }
inline F16 Sqrt(F16 a) { return {_mm512_sqrt_ps(a.v)}; }
inline M16 Greater(F16 a, F16 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ); }
inline M16 Equal(F16 a, F16 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ); }
inline F16 Select(M16 m, F16 yes, F16 no) { return {_mm512_mask_blend_ps(m, no.v, yes.v)}; }
// a + b where m holds, a elsewhere.
inline F16 AddIf(M16 m, F16 a, F16 b) { return {_mm512_mask_add_ps(a.v, m, a.v, b.v)}; }
// a where m holds, 0 elsewhere.
inline F16 ZeroUnless(M16 m, F16 a) { return {_mm512_maskz_mov_ps(m, a.v)}; }
inline I16 SetInt(int32_t x) { return {_mm512_set1_epi32(x)}; }
inline I16 LoadInt(const int32_t* p) { return {_mm512_loadu_si512(p)}; }
inline I16 LoadBytes(const uint8_t* p) {
  return {_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
}
inline void StoreInt(int32_t* p, I16 a) { _mm512_storeu_si512(p, a.v); }
template <unsigned kBits>
inline I16 ShiftLeft(I16 a) {
  return {_mm512_slli_epi32(a.v, kBits)};
}
inline M16 Equal(I16 a, I16 b) { return _mm512_cmpeq_epi32_mask(a.v, b.v); }
inline uint32_t Bits(M16 m) { return m; }
inline F16 RoundNearest(F16 a) { return {_mm512_roundscale_ps(a.v, 0)}; }
// a 2^n for integral n in [-126, 127].
inline F16 ScaleByPowerOfTwo(F16 a, F16 n) { return {_mm512_scalef_ps(a.v, n.v)}; }
// 1 / a to within an eighth, for normal a > 0: the exponent changes its sign.
inline F16 RoughInverse(F16 a) {
  __m512i bits = _mm512_sub_epi32(_mm512_set1_epi32(kInverseBits), _mm512_castps_si512(a.v));
  return {_mm512_castsi512_ps(bits)};
}
inline __m256 LowHalf(F16 a) { return _mm512_castps512_ps256(a.v); }
inline __m256 HighHalf(F16 a) { return _mm512_extractf32x8_ps(a.v, 1); }

#elif defined(__AVX2__)

struct F16 {
  __m256 lo, hi;
};
struct M16 {
  __m256 lo, hi;
};
struct I16 {
  __m256i lo, hi;
};

inline F16 Zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
inline F16 Set(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
inline F16 Load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline void Store(float* p, F16 a) {
  _mm256_storeu_ps(p, a.lo);
  _mm256_storeu_ps(p + 8, a.hi);
}
inline F16 Gather(const float* base, const int32_t* index) {
  const __m256i* at = reinterpret_cast<const __m256i*>(index);
  return {_mm256_i32gather_ps(base, _mm256_loadu_si256(at), 4),
          _mm256_i32gather_ps(base, _mm256_loadu_si256(at + 1), 4)};
}
inline F16 operator+(F16 a, F16 b) {
  return {_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)};
}
inline F16 operator-(F16 a, F16 b) {
  return {_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)};
}
inline F16 operator*(F16 a, F16 b) {
  return {_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)};
}
inline F16 operator/(F16 a, F16 b) {
  return {_mm256_div_ps(a.lo, b.lo), _mm256_div_ps(a.hi, b.hi)};
}
inline F16 MulAdd(F16 a, F16 b, F16 c) {
  return {_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)};
}
inline F16 NegMulAdd(F16 a, F16 b, F16 c) {
  return {_mm256_fnmadd_ps(a.lo, b.lo, c.lo), _mm256_fnmadd_ps(a.hi, b.hi, c.hi)};
}
inline F16 Max(F16 a, F16 b) { return {_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)}; }
inline F16 Min(F16 a, F16 b) { return {_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)}; }
inline F16 Sqrt(F16 a) { return {_mm256_sqrt_ps(a.lo), _mm256_sqrt_ps(a.hi)}; }
inline M16 Greater(F16 a, F16 b) {
  return {_mm256_cmp_ps(a.lo, b.lo, _CMP_GT_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_GT_OQ)};
}
inline M16 Equal(F16 a, F16 b) {
  return {_mm256_cmp_ps(a.lo, b.lo, _CMP_EQ_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_EQ_OQ)};
}
inline F16 Select(M16 m, F16 yes, F16 no) {
  return {_mm256_blendv_ps(no.lo, yes.lo, m.lo), _mm256_blendv_ps(no.hi, yes.hi, m.hi)};
}
inline F16 AddIf(M16 m, F16 a, F16 b) {
  return {_mm256_add_ps(a.lo, _mm256_and_ps(m.lo, b.lo)),
          _mm256_add_ps(a.hi, _mm256_and_ps(m.hi, b.hi))};
}
inline F16 ZeroUnless(M16 m, F16 a) {
  return {_mm256_and_ps(m.lo, a.lo), _mm256_and_ps(m.hi, a.hi)};
}
inline I16 SetInt(int32_t x) { return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)}; }
inline I16 LoadInt(const int32_t* p) {
  const __m256i* at = reinterpret_cast<const __m256i*>(p);
  return {_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1)};
}
inline I16 LoadBytes(const uint8_t* p) {
  return {_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))),
          _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + 8)))};
}
inline void StoreInt(int32_t* p, I16 a) {
  __m256i* at = reinterpret_cast<__m256i*>(p);
  _mm256_storeu_si256(at, a.lo);
  _mm256_storeu_si256(at + 1, a.hi);
}
template <unsigned kBits>
inline I16 ShiftLeft(I16 a) {
  return {_mm256_slli_epi32(a.lo, kBits), _mm256_slli_epi32(a.hi, kBits)};
}
inline M16 Equal(I16 a, I16 b) {
  return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.lo, b.lo)),
          _mm256_castsi256_ps(_mm256_cmpeq_epi32(a.hi, b.hi))};
}
inline uint32_t Bits(M16 m) {
  return static_cast<uint32_t>(_mm256_movemask_ps(m.lo)) |
         static_cast<uint32_t>(_mm256_movemask_ps(m.hi)) << 8;
}
inline F16 RoundNearest(F16 a) {
  constexpr int kMode = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  return {_mm256_round_ps(a.lo, kMode), _mm256_round_ps(a.hi, kMode)};
}
inline __m256 PowerOfTwo8(__m256 n) {
  __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
  return _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23));
}
inline F16 ScaleByPowerOfTwo(F16 a, F16 n) { return a * F16{PowerOfTwo8(n.lo), PowerOfTwo8(n.hi)}; }
inline __m256 RoughInverse8(__m256 a) {
  return _mm256_castsi256_ps(
      _mm256_sub_epi32(_mm256_set1_epi32(kInverseBits), _mm256_castps_si256(a)));
}
inline F16 RoughInverse(F16 a) { return {RoughInverse8(a.lo), RoughInverse8(a.hi)}; }
inline __m256 LowHalf(F16 a) { return a.lo; }
inline __m256 HighHalf(F16 a) { return a.hi; }

#else

// Plain C++ that any compiler turns into SSE2 or NEON.
struct F16 {
  float v[16];
};
struct M16 {
  int32_t v[16];  // -1 or 0, which vectorises where bool does not
};
struct I16 {
  int32_t v[16];
};

template <class Op>
inline F16 Map(Op op) {
  F16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = op(i);
  return r;
}
inline F16 Set(float x) {
  return Map([&](int) { return x; });
}
inline F16 Zero() { return Set(0.0f); }
inline F16 Load(const float* p) {
  return Map([&](int i) { return p[i]; });
}
inline void Store(float* p, F16 a) {
  for (int i = 0; i < 16; ++i) p[i] = a.v[i];
}
inline F16 Gather(const float* base, const int32_t* index) {
  return Map([&](int i) { return base[index[i]]; });
}
inline F16 operator+(F16 a, F16 b) {
  return Map([&](int i) { return a.v[i] + b.v[i]; });
}
inline F16 operator-(F16 a, F16 b) {
  return Map([&](int i) { return a.v[i] - b.v[i]; });
}
inline F16 operator*(F16 a, F16 b) {
  return Map([&](int i) { return a.v[i] * b.v[i]; });
}
inline F16 operator/(F16 a, F16 b) {
  return Map([&](int i) { return a.v[i] / b.v[i]; });
}
inline F16 MulAdd(F16 a, F16 b, F16 c) {
  return Map([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}
inline F16 NegMulAdd(F16 a, F16 b, F16 c) {
  return Map([&](int i) { return c.v[i] - a.v[i] * b.v[i]; });
}
inline F16 Max(F16 a, F16 b) {
  return Map([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline F16 Min(F16 a, F16 b) {
  return Map([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline F16 Sqrt(F16 a) {
  return Map([&](int i) { return __builtin_sqrtf(a.v[i]); });
}
inline M16 Greater(F16 a, F16 b) {
  M16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = -static_cast<int32_t>(a.v[i] > b.v[i]);
  return r;
}
inline M16 Equal(F16 a, F16 b) {
  M16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = -static_cast<int32_t>(a.v[i] == b.v[i]);
  return r;
}
inline F16 Select(M16 m, F16 yes, F16 no) {
  return Map([&](int i) { return m.v[i] ? yes.v[i] : no.v[i]; });
}
inline F16 AddIf(M16 m, F16 a, F16 b) {
  return Map([&](int i) {
    return a.v[i] + __builtin_bit_cast(float, m.v[i] & __builtin_bit_cast(int32_t, b.v[i]));
  });
}
inline F16 ZeroUnless(M16 m, F16 a) {
  return Map([&](int i) {
    return __builtin_bit_cast(float, m.v[i] & __builtin_bit_cast(int32_t, a.v[i]));
  });
}
inline I16 SetInt(int32_t x) {
  I16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = x;
  return r;
}
inline I16 LoadInt(const int32_t* p) {
  I16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = p[i];
  return r;
}
inline I16 LoadBytes(const uint8_t* p) {
  I16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = p[i];
  return r;
}
inline void StoreInt(int32_t* p, I16 a) {
  for (int i = 0; i < 16; ++i) p[i] = a.v[i];
}
template <unsigned kBits>
inline I16 ShiftLeft(I16 a) {
  I16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = a.v[i] << kBits;
  return r;
}
inline M16 Equal(I16 a, I16 b) {
  M16 r;
  for (int i = 0; i < 16; ++i) r.v[i] = -static_cast<int32_t>(a.v[i] == b.v[i]);
  return r;
}
inline uint32_t Bits(M16 m) {
  uint32_t bits = 0;
  for (int i = 0; i < 16; ++i) bits |= (static_cast<uint32_t>(m.v[i]) & 1u) << i;
  return bits;
}
// Adding and taking away 1.5 * 2^23 leaves the nearest integer for |a| < 2^22.
inline F16 RoundNearest(F16 a) {
  return Map([&](int i) { return (a.v[i] + 12582912.0f) - 12582912.0f; });
}
inline F16 ScaleByPowerOfTwo(F16 a, F16 n) {
  return Map([&](int i) {
    uint32_t exponent = static_cast<uint32_t>(static_cast<int32_t>(n.v[i]) + 127);
    return a.v[i] * __builtin_bit_cast(float, exponent << 23);
  });
}
inline F16 RoughInverse(F16 a) {
  return Map([&](int i) {
    return __builtin_bit_cast(float, kInverseBits - __builtin_bit_cast(int32_t, a.v[i]));
  });
}

#endif

// Sum and maximum of the lanes, by the same tree at every level: lane i with lane i + 8, then with
// i + 4, i + 2 and i + 1.
#if defined(__AVX2__)
inline float Sum(F16 a) {
  __m256 eight = _mm256_add_ps(LowHalf(a), HighHalf(a));
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline float MaxLane(F16 a) {
  __m256 eight = _mm256_max_ps(LowHalf(a), HighHalf(a));
  __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
#else
template <class Op>
inline float FoldLanes(F16 a, Op op) {
  for (int half = 8; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) a.v[i] = op(a.v[i], a.v[i + half]);
  }
  return a.v[0];
}
inline float Sum(F16 a) {
  return FoldLanes(a, [](float x, float y) { return x + y; });
}
inline float MaxLane(F16 a) {
  return FoldLanes(a, [](float x, float y) { return x > y ? x : y; });
}
#endif

// 1 / a to about 1 ulp for normal a > 0 below 2^125. Three Newton steps by multiply-adds, which
// keep the divider free for square roots and give the same bits on every machine.
inline F16 Inverse(F16 a) {
  F16 y = RoughInverse(a);
  for (int i = 0; i < 3; ++i) y = MulAdd(y, NegMulAdd(a, y, Set(1.0f)), y);
  return y;
}

inline constexpr float kLeastExponent = -87.3f;
inline constexpr float kLargestExponent = 88.0f;

// e^x to about 2 ulp for x between these two. Range reduction by ln 2 in two parts (Cody and
// Waite), then a polynomial of degree 6 on [-ln 2 / 2, ln 2 / 2].
inline F16 ExpInRange(F16 x) {
  F16 n = RoundNearest(x * Set(1.44269504f));
  F16 r = NegMulAdd(n, Set(0.693359375f), x);
  r = NegMulAdd(n, Set(-2.12194440e-4f), r);
  F16 p = Set(1.9875691500e-4f);
  p = MulAdd(p, r, Set(1.3981999507e-3f));
  p = MulAdd(p, r, Set(8.3334519073e-3f));
  p = MulAdd(p, r, Set(4.1665795894e-2f));
  p = MulAdd(p, r, Set(1.6666665459e-1f));
  p = MulAdd(p, r, Set(5.0000001201e-1f));
  p = MulAdd(p, r * r, r + Set(1.0f));
  return ScaleByPowerOfTwo(p, n);
}

// For any x: below the least exponent it is 0, above the largest it is e^88.
inline F16 Exp(F16 x) {
  F16 power = ExpInRange(Min(Max(x, Set(kLeastExponent)), Set(kLargestExponent)));
  return Select(Greater(x, Set(kLeastExponent)), power, Zero());
}

}  // namespace
}  // namespace slm::SLM_SIMD_LEVEL
