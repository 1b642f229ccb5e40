#include "cli/terminal.h"

#include <cstdlib>

#include "base/system.h"

namespace slm {
Terminal DescribeTerminal(int fd) {
  Terminal terminal;
  terminal.interactive = ::isatty(fd) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  bool plain = (no_color != nullptr && *no_color != '\0') ||
               (kind != nullptr && std::string_view(kind) == "dumb");
  terminal.color = terminal.interactive && !plain;
  if (const int width = terminal.interactive ? TerminalWidth(fd) : 0; width > 0) {
    terminal.width = width;
  }
  return terminal;
}

}  // namespace slm
