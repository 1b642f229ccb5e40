#include "base/utf8.h"

#include "base/text.h"

namespace slm {

void AppendUtf8(uint32_t point, std::string* out) {
  if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) point = 0xFFFD;
  auto add = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

std::string EscapeControls(std::string_view text, std::string_view kept) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);  // 0 for a byte that is not UTF-8
    // U+0080 to U+009F, C2 80 to C2 9F in UTF-8, are control characters as well.
    const unsigned char byte = static_cast<unsigned char>(text[length == 2 ? i + 1 : i]);
    const bool control = length == 0 ||
                         (length == 1 && (byte < 0x20 || byte == 0x7F) &&
                          kept.find(text[i]) == std::string_view::npos) ||
                         (length == 2 && text[i] == '\xC2' && byte < 0xA0);
    if (control) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out.append(text.substr(i, length));
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace slm
