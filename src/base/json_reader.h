#pragma once

// Reads JSON, strictly: one value and nothing after it, no key twice, only UTF-8, at most 64 levels
// deep. What Json::Dump wrote comes back such that Dump writes the same text again.

#include <cstddef>
#include <string_view>

#include "base/json.h"

namespace slm {

// Throws a DataError that says what is wrong, on which line and at which byte of it (from 1); the
// text may be from the middle of a file.
Json ParseJson(std::string_view text, size_t first_line = 1);

}  // namespace slm
