#pragma once

#include "slm/context.h"

namespace slm {

// Hands on the wish to stop, and nothing else: where many selections run side by side, progress is
// counted in whole ones.
class StopOnly : public Observer {
 public:
  explicit StopOnly(Observer* outer) : outer_(outer) {}
  void OnProgress(const Progress&) override {}
  bool Cancelled() override { return outer_ != nullptr && outer_->Cancelled(); }

 private:
  Observer* outer_;
};

}  // namespace slm
