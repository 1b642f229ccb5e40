#pragma once

// Lets work that has nothing to give back before it is done be given up: reading, checking and
// encoding a table. Nobody hands a deadline down to each loop of it; the pool asks before each
// task, and long loops outside of the pool ask by themselves.

#include <functional>
#include <utility>

#include "slm/context.h"

namespace slm {

// While it lives, work of this thread, and what the thread gives to a pool, asks `check`, which
// throws once the work is to end. Called from any thread. Checks that were there before are asked
// as well.
class StopCheck {
 public:
  explicit StopCheck(std::function<void()> check) : check_(std::move(check)), outer_(current_) {
    current_ = this;
  }
  ~StopCheck() { current_ = outer_; }
  StopCheck(const StopCheck&) = delete;
  StopCheck& operator=(const StopCheck&) = delete;

  static void Ask() {
    for (const StopCheck* one = current_; one != nullptr; one = one->outer_) one->check_();
  }

  // For a pool, whose threads work under the checks of whoever calls it.
  static const StopCheck* Current() { return current_; }
  static const StopCheck* Exchange(const StopCheck* check) {
    return std::exchange(current_, check);
  }

 private:
  static inline thread_local const StopCheck* current_ = nullptr;

  const std::function<void()> check_;
  const StopCheck* const outer_;
};

// Runs `work` and returns true, or false if `context` said to stop before its end. What was half
// done then stays as it was left.
template <class Work>
bool EndsInTime(const Context& context, Work&& work) {
  struct Stopped {};
  try {
    const StopCheck check([&] {
      if (context.ShouldStop()) throw Stopped();
    });
    StopCheck::Ask();
    work();
    return true;
  } catch (const Stopped&) {
    return false;
  }
}

}  // namespace slm
