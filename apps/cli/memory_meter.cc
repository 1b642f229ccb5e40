#include "cli/memory_meter.h"

#ifdef __linux__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__

namespace {

thread_local int64_t held = 0;  // may fall below zero in a thread that frees what others allocated
thread_local int64_t peak = 0;

void* Count(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  held += static_cast<int64_t>(malloc_usable_size(block));
  peak = std::max(peak, held);
  return block;
}

void Release(void* block) noexcept {
  if (block == nullptr) return;
  held -= static_cast<int64_t>(malloc_usable_size(block));
  std::free(block);
}

}  // namespace

namespace slm {

void AllocationMeter::Start() { held = peak = 0; }
size_t AllocationMeter::Peak() { return static_cast<size_t>(peak); }

}  // namespace slm

// The forms for arrays end in these. So do those without exceptions, but for the address sanitizer,
// which has its own and would meet their blocks in our operator delete.
void* operator new(size_t size) { return Count(std::malloc(std::max<size_t>(size, 1))); }
void* operator new(size_t size, std::align_val_t alignment) {
  const size_t step = static_cast<size_t>(alignment);
  return Count(std::aligned_alloc(step, (std::max<size_t>(size, 1) + step - 1) / step * step));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  try {
    return operator new(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept { Release(block); }
void operator delete(void* block, size_t) noexcept { Release(block); }
void operator delete(void* block, std::align_val_t) noexcept { Release(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { Release(block); }

#else  // the size of a block cannot be asked for, or is asked for otherwise

namespace slm {

void AllocationMeter::Start() {}
size_t AllocationMeter::Peak() { return 0; }

}  // namespace slm

#endif
