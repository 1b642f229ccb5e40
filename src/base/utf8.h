#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slm {

// Appends the code point; U+FFFD for a number that is none.
void AppendUtf8(uint32_t point, std::string* out);

// The text with control characters (those of Unicode, too) and bytes that are not UTF-8 as \x9b, so
// that no text of a file can steer a terminal. `kept` are control characters that stay.
std::string EscapeControls(std::string_view text, std::string_view kept = "");

}  // namespace slm
