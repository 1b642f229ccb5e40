#include "kernels/dispatch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace slm {
namespace {

SimdLevel BestLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return SimdLevel::kV4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2")) {
    return SimdLevel::kV3;
  }
#endif
  return SimdLevel::kV2;
}

SimdLevel InitialLevel() {
  SimdLevel best = BestLevel();
  if (const char* wanted = std::getenv("SLM_SIMD")) {
    for (SimdLevel level : {SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4}) {
      if (std::string_view(wanted) == SimdLevelName(level)) return std::min(level, best);
    }
  }
  return best;
}

std::atomic<SimdLevel>& Level() {
  static std::atomic<SimdLevel> level = InitialLevel();
  return level;
}

}  // namespace

SimdLevel ActiveSimdLevel() { return Level().load(std::memory_order_relaxed); }

void SetSimdLevel(SimdLevel level) { Level() = std::min(level, BestLevel()); }

const char* SimdLevelName(SimdLevel level) {
  switch (level) {
    case SimdLevel::kV2:
      return "v2";
    case SimdLevel::kV3:
      return "v3";
    case SimdLevel::kV4:
      return "v4";
  }
  return "";
}

}  // namespace slm
