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

// How a number is written, as far as it matters to a column of them; a bit for each.
enum NumberNote : uint8_t {
  kZeroInFront = 1,  // it has at least three digits, begins with a zero, and has no point: 007
  kFraction = 2,     // a point or an exponent, without which it is whole
  kOverflow = 4,     // too large for a double
};

namespace number_internal {

static_assert(std::endian::native == std::endian::little);

inline constexpr double kSigns[] = {1, -1};
// Of each sign, as far as ParseShortNumber needs them.
inline constexpr double kSignedPowers[2][9] = {
    {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8},
    {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7, -1e8}};
inline constexpr uint64_t kIntegerPowers[] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};
// Whole numbers of so many digits that are less have a zero in front; shorter ones pass as plain.
inline constexpr uint64_t kLeastWithoutZero[] = {0,     0,      0,       100,     1000,
                                                 10000, 100000, 1000000, 10000000};

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

#if defined(__SSE2__)
// std::countr_zero without its branch for zero.
inline unsigned FirstBit(unsigned bits) { return static_cast<unsigned>(__builtin_ctz(bits)); }

// The common case: [+-] 1 to 8 digits [. 1 to 8 digits], ended by something else within 16 bytes.
// One look at the 16 bytes tells where everything ends, which is what the next cell waits for.
// Returns null for all other texts. Notes cost a cell with a point one instruction, others three.
[[gnu::always_inline]] inline const char* ParseShortNumber(const char* p, double* value,
                                                           uint8_t* notes) {
  const uint64_t negative = *p == '-';
  const unsigned sign = static_cast<unsigned>(negative) | static_cast<unsigned>(*p == '+');
  __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
  const unsigned others = ~static_cast<unsigned>(_mm_movemask_epi8(is_digit)) >> sign;
  p += sign;
  const unsigned whole = FirstBit(others);
  if (whole - 1 > 7) return nullptr;
  if (p[whole] != '.') {
    if ((p[whole] | 0x20) == 'e') return nullptr;
    const uint64_t number = FromDigits(LoadDigits(p), whole);
    static_assert(kZeroInFront == 1);
    *notes |= static_cast<uint8_t>(number < kLeastWithoutZero[whole]);
    *value = static_cast<double>(static_cast<int64_t>(number)) * kSigns[negative];
    return p + whole;
  }
  const unsigned fraction = FirstBit(others >> (whole + 1));
  const unsigned end = whole + 1 + fraction;
  if (fraction - 1 > 7 || sign + end >= 16 || (p[end] | 0x20) == 'e') return nullptr;
  const uint64_t mantissa = FromDigits(LoadDigits(p), whole) * kIntegerPowers[fraction] +
                            FromDigits(LoadDigits(p + whole + 1), fraction);
  if (mantissa >= (1ULL << 53)) return nullptr;
  *value = static_cast<double>(static_cast<int64_t>(mantissa)) / kSignedPowers[negative][fraction];
  *notes |= kFraction;
  return p + end;
}
#else
inline const char* ParseShortNumber(const char*, double*, uint8_t*) { return nullptr; }
#endif

// As ParseNumber, for all texts.
const char* ParseAnyNumber(const char* p, double* value, uint8_t* notes);

}  // namespace number_internal

// Reads [+-] digits [. digits] [e [+-] digits] at p, with a digit before or after the point.
// Returns where it ends, or null if there is no number. Overflow gives infinity; the words inf and
// nan are no numbers here. Up to kNumberSlack bytes after the end are read. Adds to *notes; where
// something else than a delimiter follows, they are of the part before it.
[[gnu::always_inline]] inline const char* ParseNumber(const char* p, double* value,
                                                      uint8_t* notes) {
  using namespace number_internal;
  const char* end = ParseShortNumber(p, value, notes);
  return end != nullptr ? end : ParseAnyNumber(p, value, notes);
}

inline const char* ParseNumber(const char* p, double* value) {
  uint8_t notes = 0;
  return ParseNumber(p, value, &notes);
}

}  // namespace slm
