#pragma once

// Long work beside Python. The work runs on a thread of its own and never touches Python; the
// thread that called sleeps without the interpreter's lock, and wakes up to look for Ctrl-C and to
// pass news of the progress on.

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "slm/context.h"

namespace slm {

// Collects progress until the calling thread asks for it: at most one event for each percent of a
// phase, so that what is kept does not grow with the work.
class Listener : public Observer {
 public:
  struct Event {
    std::string phase;
    Progress progress;
  };

  void OnProgress(const Progress& progress) override;
  bool Cancelled() override { return stop_.load(std::memory_order_relaxed); }

  void Stop() { stop_.store(true, std::memory_order_relaxed); }
  std::vector<Event> Take();

 private:
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::string phase_;
  int percent_ = -1;
  std::vector<Event> events_;
};

// Runs work(listener) and returns when it is done: true if Ctrl-C ended it early. `on_events` is
// None, or is called with a list of (phase, step, steps, active_features, loss, valid_metric); if
// it returns True the work ends with the best so far. What the work, `on_events` or a signal
// handler throws is thrown here, once the work has ended. A second Ctrl-C is KeyboardInterrupt.
bool RunBesidePython(nanobind::object on_events, const std::function<void(Observer&)>& work);

}  // namespace slm
