// The executable.

#include <csignal>
#include <string>
#include <vector>

#include "cli/command_line.h"

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  // A write beyond a file-size limit must come back as an error, to be reported and cleaned up
  // after.
  std::signal(SIGXFSZ, SIG_IGN);
#endif
  return slm::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc));
}
