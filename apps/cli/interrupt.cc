#include "cli/interrupt.h"

#include <atomic>

#include "base/system.h"

namespace slm {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

}  // namespace

void CatchInterrupt() {
  CatchSignals([](int) {
    interrupted = true;
    ReleaseSignals();  // the second signal, of whichever kind, finds the default action
  });
}

bool Interrupted() { return interrupted.load(std::memory_order_relaxed); }

}  // namespace slm
