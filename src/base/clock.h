#pragma once

#include <algorithm>
#include <chrono>

#include "slm/context.h"

namespace slm {

using Clock = Context::Clock;

inline double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Thirty years stand for more, which the clock could not count to.
inline Clock::duration SecondsLong(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(seconds, 1e9)));
}

}  // namespace slm
