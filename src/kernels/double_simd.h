#pragma once

// Eight doubles at every SIMD level, as simd.h has sixteen floats. For `_simd.cc` files only.

#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slm::SLM_SIMD_LEVEL {
namespace {

#if defined(__AVX512F__)

struct D8 {
  __m512d v;
};

inline D8 SetDouble(double x) { return {_mm512_set1_pd(x)}; }
inline D8 LoadDouble(const double* p) { return {_mm512_loadu_pd(p)}; }
inline D8 Widen(const float* p) { return {_mm512_cvtps_pd(_mm256_loadu_ps(p))}; }
inline void Store(double* p, D8 a) { _mm512_storeu_pd(p, a.v); }
inline D8 operator+(D8 a, D8 b) { return {_mm512_add_pd(a.v, b.v)}; }
inline D8 MulAdd(D8 a, D8 b, D8 c) { return {_mm512_fmadd_pd(a.v, b.v, c.v)}; }  // a b + c

#elif defined(__AVX2__)

struct D8 {
  __m256d lo, hi;
};

inline D8 SetDouble(double x) { return {_mm256_set1_pd(x), _mm256_set1_pd(x)}; }
inline D8 LoadDouble(const double* p) { return {_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}; }
inline D8 Widen(const float* p) {
  return {_mm256_cvtps_pd(_mm_loadu_ps(p)), _mm256_cvtps_pd(_mm_loadu_ps(p + 4))};
}
inline void Store(double* p, D8 a) {
  _mm256_storeu_pd(p, a.lo);
  _mm256_storeu_pd(p + 4, a.hi);
}
inline D8 operator+(D8 a, D8 b) { return {_mm256_add_pd(a.lo, b.lo), _mm256_add_pd(a.hi, b.hi)}; }
inline D8 MulAdd(D8 a, D8 b, D8 c) {
  return {_mm256_fmadd_pd(a.lo, b.lo, c.lo), _mm256_fmadd_pd(a.hi, b.hi, c.hi)};
}

#else

struct D8 {
  double v[8];
};

template <class Op>
inline D8 MapDouble(Op op) {
  D8 r;
  for (int i = 0; i < 8; ++i) r.v[i] = op(i);
  return r;
}
inline D8 SetDouble(double x) {
  return MapDouble([&](int) { return x; });
}
inline D8 LoadDouble(const double* p) {
  return MapDouble([&](int i) { return p[i]; });
}
inline D8 Widen(const float* p) {
  return MapDouble([&](int i) { return static_cast<double>(p[i]); });
}
inline void Store(double* p, D8 a) {
  for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}
inline D8 operator+(D8 a, D8 b) {
  return MapDouble([&](int i) { return a.v[i] + b.v[i]; });
}
inline D8 MulAdd(D8 a, D8 b, D8 c) {
  return MapDouble([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}

#endif

// Lane i with lane i + 4, then with i + 2 and i + 1, at every level.
inline double Sum(D8 a) {
  double lane[8];
  Store(lane, a);
  for (int half = 4; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
  }
  return lane[0];
}

}  // namespace
}  // namespace slm::SLM_SIMD_LEVEL
