#pragma once

// Decimal numbers from text, correctly rounded: the same bits as std::from_chars.
//
// Eight digits at a time are turned into an integer by three multiplications, whatever their
// number, so that cells of varying length cost no mispredicted branches. A decimal w * 10^e with w
// < 2^53 and |e| <= 22 is one multiplication or division of two exact doubles, so it is rounded
// once (Clinger 1990). The rest goes to std::from_chars.

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slm {

// Bytes that must be readable after the end of the text of a number.
inline constexpr size_t kNumberSlack = 16;

namespace number_internal {

static_assert(std::endian::native == std::endian::little);

inline constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr uint64_t kIntegerPowers[] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};

constexpr uint64_t Repeat(uint64_t byte) { return byte * 0x0101010101010101ULL; }

// The value of the first `count` of eight digits, 1 to 8; digits are given as values, not letters,
// the first in the lowest byte.
inline uint64_t FromDigits(uint64_t digits, unsigned count) {
  digits <<= 64 - 8 * count;  // leading zeros take the place of what is missing
  // Bytes to pairs, pairs to fours and fours to the whole.
  digits = digits * 10 + (digits >> 8);
  constexpr uint64_t kPairs = 0x000000FF000000FFULL;
  uint64_t high = (digits & kPairs) * (100 + (1000000ULL << 32));
  uint64_t low = ((digits >> 16) & kPairs) * (1 + (10000ULL << 32));
  return (high + low) >> 32;
}

// Eight bytes with digits turned into their values; anything else becomes 10 or more.
inline uint64_t LoadDigits(const char* p) {
  uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  return bytes ^ Repeat('0');
}

// Appends the digits at p to *mantissa (modulo 2^64) and returns where they end.
inline const char* AppendDigits(const char* p, uint64_t* mantissa) {
  for (;;) {
    uint64_t digits = LoadDigits(p);
    // The carries of a byte of 128 or more only reach bytes after the first that is not a digit.
    uint64_t other = ((digits + Repeat(0x80 - 10)) | digits) & Repeat(0x80);
    unsigned count = other == 0 ? 8 : static_cast<unsigned>(std::countr_zero(other)) / 8;
    if (count == 0) return p;
    *mantissa = *mantissa * kIntegerPowers[count] + FromDigits(digits, count);
    p += count;
    if (count < 8) return p;
  }
}

inline double WithSign(double x, uint64_t negative) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) | negative << 63);
}

#if defined(__SSE2__)
// The common case: [+-] 1 to 8 digits [. 1 to 8 digits], ended by something else within 16 bytes.
// One look at the 16 bytes tells where everything ends, which is what the next cell waits for.
// Returns null for all other texts.
inline const char* ParseShortNumber(const char* p, double* value) {
  const uint64_t negative = *p == '-';
  const unsigned sign = static_cast<unsigned>(negative) | static_cast<unsigned>(*p == '+');
  __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
  const unsigned others = ~static_cast<unsigned>(_mm_movemask_epi8(is_digit)) >> sign;
  p += sign;
  const unsigned whole = static_cast<unsigned>(std::countr_zero(others));
  if (whole - 1 > 7) return nullptr;
  if (p[whole] != '.') {
    if ((p[whole] | 0x20) == 'e') return nullptr;
    *value = WithSign(static_cast<double>(static_cast<int64_t>(FromDigits(LoadDigits(p), whole))),
                      negative);
    return p + whole;
  }
  const unsigned fraction = static_cast<unsigned>(std::countr_zero(others >> (whole + 1)));
  const unsigned end = whole + 1 + fraction;
  if (fraction - 1 > 7 || sign + end >= 16 || (p[end] | 0x20) == 'e') return nullptr;
  const uint64_t mantissa = FromDigits(LoadDigits(p), whole) * kIntegerPowers[fraction] +
                            FromDigits(LoadDigits(p + whole + 1), fraction);
  if (mantissa >= (1ULL << 53)) return nullptr;
  *value = WithSign(static_cast<double>(static_cast<int64_t>(mantissa)) / kExactPowers[fraction],
                    negative);
  return p + end;
}
#else
inline const char* ParseShortNumber(const char*, double*) { return nullptr; }
#endif

// The number in [begin, end), which has the form that ParseNumber accepts; infinity on overflow,
// zero on underflow.
double ParseExactly(const char* begin, const char* end);

}  // namespace number_internal

// Reads [+-] digits [. digits] [e [+-] digits] at p, with a digit before or after the point.
// Returns where it ends, or null if there is no number. Overflow gives infinity; the words inf and
// nan are no numbers here. Up to kNumberSlack bytes after the end are read.
[[gnu::always_inline]] inline const char* ParseNumber(const char* p, double* value) {
  using namespace number_internal;
  if (const char* end = ParseShortNumber(p, value)) return end;
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
  }
  // Nineteen digits always fit into 64 bits.
  if (digits <= 19 && mantissa < (1ULL << 53) && exponent >= -22 && exponent <= 22) {
    double x = static_cast<double>(static_cast<int64_t>(mantissa));
    x = exponent < 0 ? x / kExactPowers[-exponent] : x * kExactPowers[exponent];
    *value = WithSign(x, negative);
  } else {
    *value = ParseExactly(begin, p);
  }
  return p;
}

}  // namespace slm
