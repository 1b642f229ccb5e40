#pragma once

#include "jobs/compare.h"

namespace slm {

// Counts what goes through operator new, by thread: the executable's own operators, which cost a
// few nanoseconds each. Memory that a thread hands to another one to free counts against the first.
class AllocationMeter : public MemoryMeter {
 public:
  void Start() override;
  size_t Peak() override;
};

}  // namespace slm
