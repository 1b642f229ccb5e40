#pragma once

// Cancels work at a moment that does not depend on the clock.

#include "slm/context.h"

namespace slm {

// Lets the work ask so many times whether to stop; then it has to.
class StopAfter : public Observer {
 public:
  explicit StopAfter(int asks) : left_(asks) {}
  void OnProgress(const Progress&) override {}
  bool Cancelled() override { return --left_ < 0; }
  int left() const { return left_; }  // of the asks; negative once it has to stop
  bool stopped() const { return left_ < 0; }

 private:
  int left_;
};

}  // namespace slm
