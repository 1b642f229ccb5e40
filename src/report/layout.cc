#include "report/layout.h"

#include "base/utf8.h"

namespace slm {
namespace {

bool ContinuesSequence(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string Printable(std::string_view text) { return EscapeControls(text); }

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
