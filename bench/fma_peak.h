#pragma once

// The most multiply-adds that one core of this machine does at a SIMD level: chains of them in
// registers, enough of them to hide the latency (4 cycles times 2 units), and nothing else.

#include <cstddef>

#include "bench/thread_time.h"
#include "kernels/dispatch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slm {

inline constexpr size_t kChains = 12;  // of 16 registers with AVX2
inline constexpr size_t kPeakRounds = 20000;

// Each returns something that depends on every chain, so that no compiler leaves one out.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] inline float FmaChainsV4() {
  __m512 chain[kChains], a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(1e-3f);
  for (size_t i = 0; i < kChains; ++i) chain[i] = _mm512_set1_ps(static_cast<float>(i));
  for (size_t round = 0; round < kPeakRounds; ++round) {
#pragma GCC unroll 12
    for (size_t i = 0; i < kChains; ++i) chain[i] = _mm512_fmadd_ps(chain[i], a, b);
  }
  for (size_t i = 1; i < kChains; ++i) chain[0] = _mm512_add_ps(chain[0], chain[i]);
  return _mm512_cvtss_f32(chain[0]);
}

[[gnu::target("avx2,fma")]] inline float FmaChainsV3() {
  __m256 chain[kChains], a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(1e-3f);
  for (size_t i = 0; i < kChains; ++i) chain[i] = _mm256_set1_ps(static_cast<float>(i));
  for (size_t round = 0; round < kPeakRounds; ++round) {
#pragma GCC unroll 12
    for (size_t i = 0; i < kChains; ++i) chain[i] = _mm256_fmadd_ps(chain[i], a, b);
  }
  for (size_t i = 1; i < kChains; ++i) chain[0] = _mm256_add_ps(chain[0], chain[i]);
  return _mm256_cvtss_f32(chain[0]);
}
#endif

// A product and a sum where the level has no fused form.
inline float FmaChainsV2() {
  using Vector [[gnu::vector_size(16)]] = float;
  Vector chain[kChains], a = {0.999f, 0.999f, 0.999f, 0.999f}, b = {1e-3f, 1e-3f, 1e-3f, 1e-3f};
  for (size_t i = 0; i < kChains; ++i) chain[i] = a * static_cast<float>(i);
  for (size_t round = 0; round < kPeakRounds; ++round) {
#pragma GCC unroll 12
    for (size_t i = 0; i < kChains; ++i) chain[i] = chain[i] * a + b;
  }
  for (size_t i = 1; i < kChains; ++i) chain[0] = chain[0] + chain[i];
  return chain[0][0];
}

// GFLOP/s of the active level over some hundred microseconds.
inline double FmaPeakOnce() {
  size_t lanes = 4;
  float (*chains)() = FmaChainsV2;
#if defined(__x86_64__)
  if (ActiveSimdLevel() == SimdLevel::kV4) {
    lanes = 16;
    chains = FmaChainsV4;
  } else if (ActiveSimdLevel() == SimdLevel::kV3) {
    lanes = 8;
    chains = FmaChainsV3;
  }
#endif
  const double start = ThreadMicroseconds();
  volatile float keep = chains();
  (void)keep;
  const double took = ThreadMicroseconds() - start;
  return 1e-3 * static_cast<double>(2 * lanes * kChains * kPeakRounds) / took;
}

}  // namespace slm
