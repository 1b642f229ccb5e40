#pragma once

// Numbers and letters as text, the same on every machine and in every locale.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace slm {

// The shortest text that reads back as the same number.
std::string FormatNumber(double value);
std::string FormatNumber(float value);
std::string FormatNumber(int value);

// Sixteen digits.
std::string FormatHex(uint64_t value);

// False, and *value is not to be used, unless the whole of `text` is a number of that type.
template <class T>
bool ParseNumber(std::string_view text, T* value) {
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && stop == end;
}

// For messages: the text between single quotes, cut short if it is long.
std::string Quoted(std::string_view text);

// ASCII only; bytes of UTF-8 sequences are left alone.
constexpr char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The length of the UTF-8 sequence at text[i], 0 if there is none.
size_t Utf8Length(std::string_view text, size_t i);
bool IsUtf8(std::string_view text);

}  // namespace slm
