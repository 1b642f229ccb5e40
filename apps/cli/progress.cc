#include "cli/progress.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "slm/warning.h"

namespace slm {
namespace {

constexpr int kBarWidth = 20;
constexpr std::chrono::milliseconds kRedraw(100);

std::string FormatReal(const char* label, double value) {
  return std::isfinite(value) ? std::string("  ") + label + Format(" %.4g", value) : "";
}

std::string FormatTime(double seconds) {
  int whole = static_cast<int>(std::ceil(std::clamp(seconds, 0.0, 1e6)));
  return std::to_string(whole / 60) + ":" + Padded(whole % 60, 2);
}

double Share(const Progress& progress) {
  if (progress.steps <= 0) return 0;
  return std::clamp(static_cast<double>(progress.step) / progress.steps, 0.0, 1.0);
}

}  // namespace

std::string RenderProgress(const Progress& progress, double elapsed, int width) {
  double share = Share(progress);
  int full = static_cast<int>(share * kBarWidth);
  std::string line = Printable(progress.phase) + " [" +
                     std::string(static_cast<size_t>(full), '#') +
                     std::string(static_cast<size_t>(kBarWidth - full), '.') + "]";
  const std::string percent = Format("%.0f%%", share * 100);
  line += std::string(5 - percent.size(), ' ') + percent;
  if (progress.active_features > 0) line += "  F " + std::to_string(progress.active_features);
  line += FormatReal("loss", progress.loss);
  line += FormatReal("valid", progress.valid_metric);
  if (share > 0 && share < 1)
    line += "  " + FormatTime(elapsed * (1 - share) / share) + " left of this phase";
  return line.size() <= static_cast<size_t>(width) ? line : Fit(line, static_cast<size_t>(width));
}

ProgressMeter::ProgressMeter(Mode mode, int width, std::function<void(std::string_view)> write,
                             std::function<void(std::string_view)> log, bool describe)
    : mode_(mode),
      width_(width),
      write_(std::move(write)),
      log_(std::move(log)),
      describe_(describe) {}

void ProgressMeter::OnData(std::string_view text) {
  if (describe_) log_(text);
}

void ProgressMeter::OnWarning(const Warning& warning) {
  log_("warning: " + warning.text + (warning.flag.empty() ? "" : "; see " + warning.flag));
}

ProgressMeter::~ProgressMeter() {
  if (bar_visible_) write_("\r\x1b[K");
}

bool ProgressMeter::Cancelled() {
  // Before anybody asks, the data are read and encoded, and there is nothing to keep: a signal ends
  // the process as usual.
  std::call_once(catching_, CatchInterrupt);
  return Interrupted();
}

void ProgressMeter::OnProgress(const Progress& progress) {
  if (mode_ == Mode::kSilent) return;
  // A thread that finds another one drawing has older news than the next call will bring.
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  Clock::time_point now = Clock::now();
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_start_ = now;
    quarter_ = -1;
    drawn_ = {};
  }
  Draw(progress, now);
}

void ProgressMeter::Draw(const Progress& progress, Clock::time_point now) {
  double elapsed = std::chrono::duration<double>(now - phase_start_).count();
  if (mode_ == Mode::kBar) {
    if (now - drawn_ < kRedraw) return;
    drawn_ = now;
    // The last column stays free: a full line would make some terminals go to the next.
    write_("\r" + RenderProgress(progress, elapsed, width_ - 1) + "\x1b[K");
    bar_visible_ = true;
    return;
  }
  int quarter = static_cast<int>(Share(progress) * 4);
  if (quarter <= quarter_) return;
  quarter_ = quarter;
  write_(RenderProgress(progress, elapsed, width_) + "\n");
}

}  // namespace slm
