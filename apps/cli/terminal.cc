#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace slm {
namespace {

bool ContinuesSequence(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

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

std::string Printable(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  unsigned char last = 0;
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    // U+0080 to U+009F, C2 80 to C2 9F in UTF-8, are control characters as well.
    bool control = byte < 0x20 || byte == 0x7F || (last == 0xC2 && byte >= 0x80 && byte < 0xA0);
    if (control) {
      if (byte >= 0x80) out.pop_back();
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
    last = byte;
  }
  return out;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += ContinuesSequence(c) ? 0 : 1;
  return width;
}

std::string Fit(std::string_view text, size_t width) {
  size_t have = DisplayWidth(text);
  if (have <= width) return std::string(text) + std::string(width - have, ' ');
  if (width == 0) return "";
  size_t keep = 0;
  for (size_t columns = 0; keep < text.size(); ++keep) {
    if (!ContinuesSequence(text[keep]) && columns++ == width - 1) break;
  }
  return std::string(text.substr(0, keep)) + "~";
}

}  // namespace slm
