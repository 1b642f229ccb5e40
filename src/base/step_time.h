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
// caches and memory when it counts, too. Takes half a second unless 120 steps take longer.
//
// A run of the mask is validated about ten times, however short it is. Both pieces of slow work
// have to be timed for that to cancel out: with thousands of classes it takes longer than the
// steps.
template <class Run>
StepTime MeasureSteps(ThreadPool& pool, size_t copies, Run run) {
  struct Pieces {
    int few, many;
  };
  constexpr Pieces kFast{100, 400}, kSlow{40, 80};
  constexpr double kSlowSeconds = 0.1;  // of the fewest steps
  auto seconds = [&](int steps) {
    const Clock::time_point start = Clock::now();
    pool.ParallelFor(copies, [&](size_t) { run(steps); });
    return SecondsSince(start);
  };
  double few = seconds(kSlow.few);  // which also warms up
  const Pieces pieces = few >= kSlowSeconds ? kSlow : kFast;
  if (pieces.few != kSlow.few) few = seconds(pieces.few);
  const double many = seconds(pieces.many);
  if (many <= few) return {0, many / pieces.many};
  const double each = (many - few) / (pieces.many - pieces.few);
  return {std::max(0.0, few - pieces.few * each), each};
}

}  // namespace slm
