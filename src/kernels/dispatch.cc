#include "kernels/dispatch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "slm/errors.h"

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

constexpr const char* kVariable = "SLM_SIMD";

// What the variable asks for; nothing if it is not set, or names no level.
std::optional<SimdLevel> WantedLevel() {
  const char* wanted = std::getenv(kVariable);
  if (wanted == nullptr) return std::nullopt;
  for (SimdLevel level : {SimdLevel::kV2, SimdLevel::kV3, SimdLevel::kV4}) {
    if (std::string_view(wanted) == SimdLevelName(level)) return level;
  }
  return std::nullopt;
}

SimdLevel InitialLevel() {
  const SimdLevel best = BestLevel();
  return std::min(WantedLevel().value_or(best), best);
}

std::atomic<SimdLevel>& Level() {
  static std::atomic<SimdLevel> level = InitialLevel();
  return level;
}

}  // namespace

SimdLevel ActiveSimdLevel() { return Level().load(std::memory_order_relaxed); }

void CheckSimdSetting() {
  const char* wanted = std::getenv(kVariable);
  if (wanted == nullptr || WantedLevel()) return;
  throw UsageError("the environment variable " + std::string(kVariable) + " is '" + wanted +
                   "', which is no level of instructions; set it to v2, v3 or v4, or unset it");
}

SimdLevel ActiveArithmetic() { return std::min(ActiveSimdLevel(), SimdLevel::kV3); }

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
