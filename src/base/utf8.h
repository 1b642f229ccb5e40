#pragma once

#include <cstdint>
#include <string>

namespace slm {

// Appends the code point; U+FFFD for a number that is none.
void AppendUtf8(uint32_t point, std::string* out);

}  // namespace slm
