#pragma once

// How long work in many equal steps takes, told from two short pieces of it: what is done once
// (buffers, measuring at the end) is the same in both and cancels out.

#include <algorithm>
#include <cstddef>

#include "base/clock.h"
#include "base/thread_pool.h"

namespace slm {

struct StepTime {
  double once = 0, each = 0;  // seconds

  double Of(double steps) const { return once + each * steps; }
};

// run(steps) does so many steps, on one thread; `copies` of it run side by side, since they share
// caches and memory when it counts, too. Takes half a second unless a hundred steps take longer.
template <class Run>
StepTime MeasureSteps(ThreadPool& pool, size_t copies, Run run) {
  constexpr int kShort = 100, kLong = 400;
  constexpr double kEnough = 0.2;  // seconds after which a single piece has to do
  auto seconds = [&](int steps) {
    const Clock::time_point start = Clock::now();
    pool.ParallelFor(copies, [&](size_t) { run(steps); });
    return SecondsSince(start);
  };
  double few = seconds(kShort);
  if (few >= kEnough) return {0, few / kShort};
  few = std::min(few, seconds(kShort));  // the first one also warms up
  const double many = seconds(kLong);
  if (many <= few) return {0, many / kLong};
  const double each = (many - few) / (kLong - kShort);
  return {std::max(0.0, few - kShort * each), each};
}

}  // namespace slm
