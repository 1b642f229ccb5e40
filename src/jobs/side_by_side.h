#pragma once

#include <limits>
#include <string_view>

#include "slm/context.h"

namespace slm {

// Where many selections run side by side, each of them hears only the wish to stop, and progress is
// counted in whole ones.
class SideBySide : private Observer {
 public:
  // `outer` must outlive this.
  explicit SideBySide(const Context& outer) : outer_(outer), each_(outer) { each_.observer = this; }
  SideBySide(const SideBySide&) = delete;

  // What each of them is handed.
  const Context& each() const { return each_; }

  // From any thread.
  void Tell(std::string_view phase, int step, int steps,
            double valid_metric = std::numeric_limits<double>::quiet_NaN()) const {
    if (outer_.observer == nullptr) return;
    outer_.observer->OnProgress(
        {.phase = phase, .step = step, .steps = steps, .valid_metric = valid_metric});
  }

 private:
  void OnProgress(const Progress&) override {}
  bool Cancelled() override { return outer_.observer != nullptr && outer_.observer->Cancelled(); }

  const Context& outer_;
  Context each_;
};

}  // namespace slm
