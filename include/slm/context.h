#pragma once

// What every long computation is handed instead of globals: threads, the clock, and who listens.

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace slm {

class Checkpoint;
class ThreadPool;
struct Warning;

// NaN, and 0 active features, stand for what a phase does not know.
struct Progress {
  std::string_view phase;  // "starts", "refits", "cross-fit", "predictors"
  int step = 0;            // of the whole phase, over all its runs, in a unit of its own
  int steps = 0;
  int active_features = 0;                                         // F_t
  double loss = std::numeric_limits<double>::quiet_NaN();          // of the latest batch
  double valid_metric = std::numeric_limits<double>::quiet_NaN();  // of the latest validation
};

// Progress goes to an observer; the library itself never prints. Calls may come from several
// threads at once.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnProgress(const Progress& progress) = 0;
  // Before the work begins: a line on what the data are, then what looks wrong with them.
  virtual void OnData(std::string_view) {}
  virtual void OnWarning(const Warning&) {}
  // Asked often; return true to end early with the best so far.
  virtual bool Cancelled() { return false; }
};

struct Context {
  using Clock = std::chrono::steady_clock;

  ThreadPool* pool;              // never null
  Observer* observer = nullptr;  // may be null
  std::optional<Clock::time_point> deadline = std::nullopt;
  Checkpoint* checkpoint = nullptr;  // where finished parts of the work are kept; may be null
  std::string place = {};            // what the work is called there
  // When work without which there would be no result is given up; somewhat later than the deadline.
  std::optional<Clock::time_point> latest = std::nullopt;

  // The same for a part of the work.
  Context Inside(std::string_view part) const {
    Context own = *this;
    if (checkpoint != nullptr) own.place.append(place.empty() ? "" : "/").append(part);
    return own;
  }

  // True when the work should end with what it has: the deadline has passed or the observer asks.
  bool ShouldStop() const {
    if (observer != nullptr && observer->Cancelled()) return true;
    return deadline.has_value() && Clock::now() >= *deadline;
  }
};

}  // namespace slm
