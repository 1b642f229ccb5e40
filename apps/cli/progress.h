#pragma once

// Progress for people: one line drawn over and over on a terminal, a few plain lines elsewhere.

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "slm/context.h"

namespace slm {

// One line without its end, at most `width` columns: phase, bar, F_t, loss, validation metric and
// the time left in the phase, which has run for `elapsed` seconds. Numbers that are not known yet
// are left out.
std::string RenderProgress(const Progress& progress, double elapsed, int width);

class ProgressMeter : public Observer {
 public:
  enum class Mode {
    kSilent,
    kLines,  // a line at the start of a phase and at each quarter of it
    kBar,    // one line, redrawn at most ten times a second
  };
  using Clock = std::chrono::steady_clock;

  // `write` gets the text and may be called from any thread, one at a time; `log` gets what looks
  // wrong with the data, and before that, unless `describe` is false, what they are.
  ProgressMeter(
      Mode mode, int width, std::function<void(std::string_view)> write,
      std::function<void(std::string_view)> log = [](std::string_view) {}, bool describe = true);
  // Wipes the bar.
  ~ProgressMeter() override;

  void OnProgress(const Progress& progress) override;
  void OnData(std::string_view text) override;
  void OnWarning(const Warning& warning) override;
  // True once the user has pressed Ctrl-C. From the first call on, Ctrl-C and SIGTERM only ask.
  bool Cancelled() override;

 private:
  void Draw(const Progress& progress, Clock::time_point now);

  const Mode mode_;
  const int width_;
  const std::function<void(std::string_view)> write_, log_;
  const bool describe_;
  std::once_flag catching_;
  std::mutex mutex_;
  std::string phase_;
  Clock::time_point phase_start_;
  Clock::time_point drawn_;
  int quarter_ = -1;  // of the phase, last written in mode kLines
  bool bar_visible_ = false;
};

}  // namespace slm
