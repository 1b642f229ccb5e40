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
  action.sa_handler = [](int) {
    interrupted = true;
    // The second signal, of whichever kind, finds the default action.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  };
  action.sa_flags = SA_RESTART;  // reading a file continues
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool Interrupted() { return interrupted.load(std::memory_order_relaxed); }

}  // namespace slm
