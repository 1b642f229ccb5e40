// The executable.

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "base/system.h"
#include "cli/command_line.h"
#include "cli/commands.h"

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  // A write beyond a file-size limit must come back as an error, to be reported and cleaned up
  // after.
  std::signal(SIGXFSZ, SIG_IGN);
#endif
  slm::ReserveStandardDescriptors();
  try {
    return slm::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc));
  } catch (...) {
    // There was not even memory for the message.
    std::fputs("slm: out of memory\n", stderr);
    return slm::kRuntimeFailure;
  }
}
