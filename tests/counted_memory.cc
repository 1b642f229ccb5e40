#include "tests/counted_memory.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

void* Counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const size_t now = slm::live_bytes += malloc_usable_size(memory);
  for (size_t seen = slm::peak_bytes;
       now > seen && !slm::peak_bytes.compare_exchange_weak(seen, now);) {
  }
  return memory;
}

void Release(void* memory) {
  if (memory != nullptr) slm::live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(size_t size) { return Counted(std::malloc(size)); }
void* operator new(size_t size, std::align_val_t align) {
  const size_t alignment = static_cast<size_t>(align);
  return Counted(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}
// That of std::stable_sort. The address sanitizer has its own, whose blocks the delete below may
// not free.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, size_t) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Release(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { Release(memory); }
