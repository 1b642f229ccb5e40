#include "base/format.h"

#include <charconv>
#include <cmath>

namespace slm {
namespace {

constexpr int kDefaultDigits = 6;  // of printf

std::chars_format Notation(char letter) {
  return letter == 'f'   ? std::chars_format::fixed
         : letter == 'e' ? std::chars_format::scientific
                         : std::chars_format::general;
}

std::string Digits(double value, char letter, int digits) {
  // The largest number has 309 digits before the point.
  char buffer[512];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), value, Notation(letter), digits);
  return {buffer, end};
}

}  // namespace

std::string Format(std::string_view format, double value) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    if (format[++i] == '%') {
      out.push_back('%');
      continue;
    }
    if (format[i] == '+') {
      if (!std::signbit(value)) out.push_back('+');
      ++i;
    }
    int digits = kDefaultDigits;
    if (format[i] == '.') {
      const char* begin = format.data() + i + 1;
      const auto [end, error] = std::from_chars(begin, format.data() + format.size(), digits);
      i += 1 + static_cast<size_t>(end - begin);
    }
    out += Digits(value, format[i], digits);
  }
  return out;
}

std::string Padded(int value, size_t width) {
  std::string digits = std::to_string(value);
  const size_t sign = value < 0 ? 1 : 0;
  if (digits.size() < width) digits.insert(sign, width - digits.size(), '0');
  return digits;
}

}  // namespace slm
