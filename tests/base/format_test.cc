#include "base/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"

namespace slm {
namespace {

std::string Printf(const char* format, double value) {
  char text[512];
  // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral)
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

TEST(Format, WritesWhatPrintfWritesInThePlainLocale) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> values = {0,    -0.0,  1,      -1,   0.5,   2.5,       99.995,
                                1e-5, 1e300, -1e300, 5e-5, 1e100, kInfinity, -kInfinity};
  for (uint64_t i = 0; i < 2000; ++i) {
    const uint64_t bits = MixBits(i);
    values.push_back((static_cast<double>(bits >> 12) - 2e15) *
                     std::pow(10.0, static_cast<int>(bits % 40) - 30));
  }
  for (const char* format : {"%.0f", "%.1f GiB", "%.4f", "%+.2f", "%.3e", "%.2g", "%.4g %%", "%g",
                             "within %g of the best", "%.0f %%"}) {
    for (const double value : values) EXPECT_EQ(Format(format, value), Printf(format, value));
  }
}

TEST(Padded, PutsZerosBehindTheSign) {
  EXPECT_EQ(Padded(7, 2), "07");
  EXPECT_EQ(Padded(2024, 4), "2024");
  EXPECT_EQ(Padded(12345, 4), "12345");
  EXPECT_EQ(Padded(-5, 4), "-005");
}

}  // namespace
}  // namespace slm
