#pragma once

// Kernels are compiled once for each SIMD level and chosen at run time. A file `foo_simd.cc`
// defines its functions inside namespace slm::SLM_SIMD_LEVEL; CMake compiles it as v2 (SSE2, any
// x86-64), v3 (AVX2 + FMA) and v4 (AVX-512). On other architectures only v2 exists, in plain C++.
//
// Levels v3 and v4 give the same bits: every kernel works on 16 virtual lanes (simd.h) and fixes
// the order of its sums. v2 has no fused multiply-add and may differ in the last bit.
//
// A `_simd.cc` file includes no header with inline functions other than *simd.h and <cmath>'s
// builtins: the linker keeps one copy of an inline function, and it must not be the AVX-512 one.

namespace slm {

enum class SimdLevel { kV2, kV3, kV4 };

// The best level of this machine; the environment variable SLM_SIMD (v2, v3, v4) may lower it.
SimdLevel ActiveSimdLevel();

// Throws a UsageError if SLM_SIMD names no level. ActiveSimdLevel then has the best.
void CheckSimdSetting();

// The level, or one that gives the same bits as it: what a result hangs on.
SimdLevel ActiveArithmetic();

// For tests and benchmarks: uses `level` from now on, or the best there is if it is too high.
void SetSimdLevel(SimdLevel level);

const char* SimdLevelName(SimdLevel level);

}  // namespace slm

#if defined(__x86_64__)
// Declares `name` in every level's namespace, for use by SLM_DISPATCH.
#define SLM_DECLARE_LEVELS(result, name, ...) \
  namespace v2 {                              \
  result name(__VA_ARGS__) noexcept;          \
  }                                           \
  namespace v3 {                              \
  result name(__VA_ARGS__) noexcept;          \
  }                                           \
  namespace v4 {                              \
  result name(__VA_ARGS__) noexcept;          \
  }
#define SLM_DISPATCH(name, ...)                                  \
  (ActiveSimdLevel() == SimdLevel::kV4   ? v4::name(__VA_ARGS__) \
   : ActiveSimdLevel() == SimdLevel::kV3 ? v3::name(__VA_ARGS__) \
                                         : v2::name(__VA_ARGS__))
#else
#define SLM_DECLARE_LEVELS(result, name, ...) \
  namespace v2 {                              \
  result name(__VA_ARGS__) noexcept;          \
  }
#define SLM_DISPATCH(name, ...) v2::name(__VA_ARGS__)
#endif
