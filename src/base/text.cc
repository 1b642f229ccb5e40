#include "base/text.h"

#include <charconv>

namespace slm {
namespace {

template <class T>
std::string Format(T value) {
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end);
}

}  // namespace

std::string FormatNumber(double value) { return Format(value); }
std::string FormatNumber(float value) { return Format(value); }
std::string FormatNumber(int value) { return Format(value); }

std::string FormatHex(uint64_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text.push_back(kDigits[(value >> shift) & 15]);
  return text;
}

std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 40;
  std::string quoted = "'";
  return quoted.append(text.substr(0, kMost)).append(text.size() > kMost ? "...'" : "'");
}

size_t Utf8Length(std::string_view text, size_t i) {
  auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  unsigned char lead = byte(i);
  size_t length = lead < 0x80       ? 1
                  : lead >> 5 == 6  ? 2
                  : lead >> 4 == 14 ? 3
                  : lead >> 3 == 30 ? 4
                                    : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if (byte(i + k) >> 6 != 2) return 0;
  }
  // Neither a longer form of what is shorter, nor halves of UTF-16 pairs, nor beyond U+10FFFF:
  // programs that read UTF-8 strictly refuse these, and some terminals take the longer form of a
  // control character for it.
  const bool strict = length == 1 || (length == 2    ? lead >= 0xC2
                                      : lead == 0xE0 ? byte(i + 1) >= 0xA0
                                      : lead == 0xED ? byte(i + 1) < 0xA0
                                      : lead == 0xF0 ? byte(i + 1) >= 0x90
                                      : lead == 0xF4 ? byte(i + 1) < 0x90
                                                     : lead < 0xF4);
  return strict ? length : 0;
}

bool IsUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace slm
