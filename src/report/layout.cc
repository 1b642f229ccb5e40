#include "report/layout.h"

namespace slm {
namespace {

bool ContinuesSequence(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

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
