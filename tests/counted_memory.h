#pragma once

// Counts what operator new hands out, in executables that counted_memory.cc is part of.

#include <atomic>
#include <cstddef>

namespace slm {

inline std::atomic<size_t> live_bytes{0}, peak_bytes{0};

// The most bytes that `work` held at a time, beyond what was there before.
template <class Work>
size_t PeakOf(const Work& work) {
  const size_t before = live_bytes;
  peak_bytes = before;
  work();
  return peak_bytes - before;
}

}  // namespace slm
