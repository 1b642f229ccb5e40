#pragma once

// The command line `slm`, for the executable and for the command of the Python package.

#include <string>
#include <vector>

namespace slm {

// Runs the command that `args`, the words after the program's name, ask for. Returns the exit code;
// messages are on standard error.
int RunCommandLine(const std::vector<std::string>& args);

}  // namespace slm
