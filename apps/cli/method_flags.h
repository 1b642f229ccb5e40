#pragma once

// Commands whose flags depend on the method.

#include <string>
#include <string_view>

#include "cli/commands.h"

namespace slm {

// What follows `flag` ("--method") on the line, also as --method=NAME, the last one if it is there
// twice; `otherwise` if it is not. For flags that decide which others exist, and so have to be
// known before the line is parsed.
std::string FlagValue(Arguments arguments, std::string_view flag, std::string otherwise);

// "it belongs to --method x, y" for an option that other methods have; else empty.
std::string OwnersOf(std::string_view flag);

}  // namespace slm
