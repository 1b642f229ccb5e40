#pragma once

// Text laid out for a terminal, and what that terminal can show.

#include <string>
#include <string_view>

namespace slm {

struct Terminal {
  bool interactive = false;  // a terminal, so that a line may be drawn over
  bool color = false;        // interactive, and neither NO_COLOR nor TERM=dumb is against it
  int width = 80;
};

// Names and cells come from files: control characters, which could steer the terminal, are shown as
// \xNN instead.
std::string Printable(std::string_view text);

// Columns of UTF-8 text on the terminal, counting each code point as one.
size_t DisplayWidth(std::string_view text);

// Names are cut at this width.
inline constexpr size_t kMaxNameWidth = 48;

// `text` with spaces added, or cut with "~" at the end, to exactly `width` columns.
std::string Fit(std::string_view text, size_t width);

}  // namespace slm
