#pragma once

#include <string>
#include <string_view>

namespace slm {

// The SHA-256 of some bytes (FIPS 180-4), as 64 hexadecimal digits.
std::string Sha256(std::string_view bytes);

}  // namespace slm
