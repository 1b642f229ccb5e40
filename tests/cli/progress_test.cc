#include "cli/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace slm {
namespace {

Progress At(int step, int steps) {
  return {.phase = "starts",
          .step = step,
          .steps = steps,
          .active_features = 120,
          .loss = 0.532,
          .valid_metric = 0.9125};
}

std::string WrittenBy(ProgressMeter::Mode mode, int steps) {
  std::string text;
  {
    ProgressMeter meter(mode, 100, [&](std::string_view part) { text += part; });
    for (int step = 1; step <= steps; ++step) meter.OnProgress(At(step, steps));
  }
  return text;
}

TEST(RenderProgress, ShowsPhaseShareFeaturesLossMetricAndTimeLeft) {
  EXPECT_EQ(RenderProgress(At(30, 120), 25, 200),
            "starts [#####...............]  25%  F 120  loss 0.532  valid 0.9125  1:15 left of "
            "this phase");
}

TEST(RenderProgress, LeavesOutWhatIsNotKnown) {
  const Progress progress{.phase = "features", .step = 1, .steps = 2};
  EXPECT_EQ(RenderProgress(progress, 1, 200),
            "features [##########..........]  50%  0:01 left of this phase");
}

TEST(RenderProgress, NeverExceedsTheWidthOfTheTerminal) {
  for (int width : {0, 1, 10, 40}) {
    EXPECT_LE(RenderProgress(At(1, 2), 5, width).size(), static_cast<size_t>(width));
  }
}

TEST(ProgressMeter, SilentWritesNothing) {
  EXPECT_EQ(WrittenBy(ProgressMeter::Mode::kSilent, 100), "");
}

TEST(ProgressMeter, LinesAreFewAndHoldNoControlCharacters) {
  std::string text = WrittenBy(ProgressMeter::Mode::kLines, 1000);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_EQ(text.find_first_of("\r\x1b"), std::string::npos);
}

TEST(ProgressMeter, TheBarIsOneLineAndIsWipedAtTheEnd) {
  std::string text = WrittenBy(ProgressMeter::Mode::kBar, 10);
  EXPECT_TRUE(text.starts_with("\rstarts ["));
  EXPECT_TRUE(text.ends_with("\r\x1b[K"));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace slm
