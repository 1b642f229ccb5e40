#pragma once

// Counts what operator new hands out, in the whole executable: to be included by one of its files.

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

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

inline void* CountedMemory(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const size_t now = live_bytes += malloc_usable_size(memory);
  for (size_t seen = peak_bytes; now > seen && !peak_bytes.compare_exchange_weak(seen, now);) {
  }
  return memory;
}

inline void ReleaseCounted(void* memory) {
  if (memory != nullptr) live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace slm

void* operator new(size_t size) { return slm::CountedMemory(std::malloc(size)); }
void* operator new(size_t size, std::align_val_t align) {
  const size_t alignment = static_cast<size_t>(align);
  return slm::CountedMemory(
      std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}
void operator delete(void* memory) noexcept { slm::ReleaseCounted(memory); }
void operator delete(void* memory, size_t) noexcept { slm::ReleaseCounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { slm::ReleaseCounted(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  slm::ReleaseCounted(memory);
}
