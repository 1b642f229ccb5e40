#include "data/readers/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace slm::number_internal {
namespace {

constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Appends the digits at p to *mantissa (modulo 2^64) and returns where they end.
[[gnu::always_inline]] inline const char* AppendDigits(const char* p, uint64_t* mantissa) {
  for (;;) {
    uint64_t digits = LoadDigits(p);
    // The carries of a byte of 128 or more only reach bytes after the first that is not a digit.
    uint64_t other = ((digits + Repeat(0x80 - 10)) | digits) & Repeat(0x80);
    if (other == 0) {
      *mantissa = *mantissa * kIntegerPowers[8] + FromDigits(digits, 8);
      p += 8;
      continue;
    }
    const unsigned count = static_cast<unsigned>(std::countr_zero(other)) / 8;
    if (count == 0) return p;
    *mantissa = *mantissa * kIntegerPowers[count] + FromDigits(digits, count);
    return p + count;
  }
}

double WithSign(double x, uint64_t negative) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) | negative << 63);
}

// The number in [begin, end), which has the form that ParseNumber accepts; infinity on overflow,
// zero on underflow. Not in line, as it is rare and would slow down what is around it.
[[gnu::noinline]] double ParseExactly(const char* begin, const char* end) {
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

}  // namespace

const char* ParseAnyNumber(const char* p, double* value, uint8_t* notes) {
  const char* begin = p;
  const uint64_t negative = *p == '-';
  p += negative | static_cast<uint64_t>(*p == '+');
  uint64_t mantissa = 0;
  const char* whole = p;
  p = AppendDigits(p, &mantissa);
  int64_t digits = p - whole;
  int64_t exponent = 0;
  if (*p == '.') {
    const char* fraction = p + 1;
    p = AppendDigits(fraction, &mantissa);
    exponent = fraction - p;
    digits -= exponent;
    *notes |= kFraction;
  } else if (*whole == '0' && digits >= 3) {
    *notes |= kZeroInFront;
  }
  if (digits == 0) return nullptr;
  if ((*p | 0x20) == 'e') {
    const char* power = p + 1;
    bool down = *power == '-';
    if (down || *power == '+') ++power;
    int64_t written = 0;
    const char* first = power;
    for (; *power >= '0' && *power <= '9'; ++power) {
      if (written < 100000) written = written * 10 + (*power - '0');
    }
    if (power == first) return nullptr;
    exponent += down ? -written : written;
    p = power;
    *notes |= kFraction;
  }
  // Nineteen digits always fit into 64 bits.
  if (digits <= 19 && mantissa < (1ULL << 53) && exponent >= -22 && exponent <= 22) {
    double x = static_cast<double>(static_cast<int64_t>(mantissa));
    x = exponent < 0 ? x / kExactPowers[-exponent] : x * kExactPowers[exponent];
    *value = WithSign(x, negative);
  } else {
    *value = ParseExactly(begin, p);
    if (std::isinf(*value)) *notes |= kOverflow;
  }
  return p;
}

}  // namespace slm::number_internal
