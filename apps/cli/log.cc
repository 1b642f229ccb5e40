#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"

namespace slm {

void Log(std::string_view message) {
  bool color = DescribeTerminal(STDERR_FILENO).color;
  std::string out;
  while (!message.empty()) {
    size_t end = std::min(message.find('\n'), message.size());
    out += color ? "\x1b[1mslm:\x1b[0m " : "slm: ";
    out += Printable(message.substr(0, end)) + "\n";
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  std::fputs(out.c_str(), stderr);
}

}  // namespace slm
