#pragma once

#include <time.h>

namespace slm {

// Microseconds that this thread has run. Unlike those on the wall they leave out the time that
// other work on the machine has had the core.
inline double ThreadMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

}  // namespace slm
