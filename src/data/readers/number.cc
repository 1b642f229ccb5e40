#include "data/readers/number.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace slm::number_internal {

double ParseExactly(const char* begin, const char* end) {
  if (*begin == '+') ++begin;
  double value = 0;
  if (std::from_chars(begin, end, value).ec == std::errc()) return value;
  // Out of range: the place of the first digit other than zero tells which side.
  bool negative = *begin == '-';
  if (negative) ++begin;
  const char* mantissa_end = std::find_if(begin, end, [](char c) { return (c | 0x20) == 'e'; });
  const char* point = std::find(begin, mantissa_end, '.');
  const char* first =
      std::find_if(begin, mantissa_end, [](char c) { return c != '0' && c != '.'; });
  int64_t power = 0;
  if (mantissa_end != end) {
    const char* text = mantissa_end + 1 + (mantissa_end[1] == '+' ? 1 : 0);
    if (std::from_chars(text, end, power).ec != std::errc()) {
      power =
          *text == '-' ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
    }
  }
  // Compared, not added: the power may be the largest number there is.
  double size = first != mantissa_end && power > first - point
                    ? std::numeric_limits<double>::infinity()
                    : 0.0;
  return negative ? -size : size;
}

}  // namespace slm::number_internal
