#include "cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace slm {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

}  // namespace

void CatchInterrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  // RESETHAND: the second signal finds the default action. RESTART: reading a file goes on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

bool Interrupted() { return interrupted.load(std::memory_order_relaxed); }

}  // namespace slm
