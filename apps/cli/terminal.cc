#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace slm {
Terminal DescribeTerminal(int fd) {
  Terminal terminal;
  terminal.interactive = ::isatty(fd) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  bool plain = (no_color != nullptr && *no_color != '\0') ||
               (kind != nullptr && std::string_view(kind) == "dumb");
  terminal.color = terminal.interactive && !plain;
  winsize size{};
  if (terminal.interactive && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  }
  return terminal;
}

}  // namespace slm
