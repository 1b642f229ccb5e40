#pragma once

// What an observer of many runs lets each of them see.

#include "slm/context.h"

namespace slm {

// Hands on the wish to stop, and nothing else: progress is counted in finished runs.
class StopOnly : public Observer {
 public:
  explicit StopOnly(Observer* outer) : outer_(outer) {}
  void OnProgress(const Progress&) override {}
  bool Cancelled() override { return outer_ != nullptr && outer_->Cancelled(); }

 private:
  Observer* outer_;
};

}  // namespace slm
