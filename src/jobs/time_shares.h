#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "slm/context.h"

namespace slm {

// Whether somebody asks for an early end, whatever the clock says.
inline bool Cancelled(const Context& context) {
  return context.observer != nullptr && context.observer->Cancelled();
}

// Whether what a result cannot do without is left undone: only if somebody asks for that. A time
// limit that has passed already leaves it to end at once.
inline bool GivesUp(const Context& context, bool needed) {
  return needed ? Cancelled(context) : context.ShouldStop();
}

// Shares of the time that is left for tasks that begin one after the other on several threads, so
// that each has its turn before the deadline and there is a result for all. A task may take twice
// what is its due: estimates of what tasks need are rough, and where the time is enough for all of
// them, none should be cut short. Without a deadline there are no limits.
class TimeShares {
 public:
  // One weight for each task, in the order they begin: its part of the whole work.
  TimeShares(const Context& context, std::vector<double> weights, int threads)
      : context_(context), rest_(std::move(weights)), threads_(threads) {
    weights_ = rest_;
    std::partial_sum(rest_.rbegin(), rest_.rend(), rest_.rbegin());
  }

  // For a task that begins now.
  Context Of(size_t task, const Context& base) const {
    Context own = base;
    if (!context_.deadline) return own;
    const double due = std::min(1.0, weights_[task] * threads_ / rest_[task]);
    return Part(own, due < 1 ? std::min(2 * due, (1 + due) / 2) : 1);
  }

  // The same, with no more than that part of the time that is left to it.
  static Context Part(Context context, double part) {
    if (!context.deadline) return context;
    const Clock::time_point now = Clock::now();
    const double left = std::chrono::duration<double>(*context.deadline - now).count();
    if (left > 0) context.deadline = now + SecondsLong(part * left);
    return context;
  }

 private:
  const Context& context_;
  std::vector<double> weights_, rest_;  // rest: of a task and all after it
  int threads_;
};

}  // namespace slm
