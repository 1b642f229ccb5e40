#include "data/readers/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "base/random.h"

namespace slm {
namespace {

struct Parsed {
  bool found = false;
  size_t length = 0;
  double value = 0;
};

Parsed Parse(std::string text) {
  size_t size = text.size();
  text.append(kNumberSlack, '\0');
  Parsed parsed;
  const char* end = ParseNumber(text.data(), &parsed.value);
  parsed.found = end != nullptr;
  if (parsed.found) parsed.length = static_cast<size_t>(end - text.data());
  EXPECT_LE(parsed.length, size);
  return parsed;
}

void ExpectSameBits(const std::string& text) {
  double expected = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), expected);
  ASSERT_EQ(result.ec, std::errc()) << text;
  Parsed parsed = Parse(text);
  ASSERT_TRUE(parsed.found) << text;
  ASSERT_EQ(parsed.length, text.size()) << text;
  ASSERT_EQ(std::bit_cast<uint64_t>(parsed.value), std::bit_cast<uint64_t>(expected)) << text;
}

std::string RandomDigits(RandomStream* random, size_t count) {
  std::string digits;
  for (size_t i = 0; i < count; ++i) digits.push_back(static_cast<char>('0' + random->Below(10)));
  return digits;
}

TEST(ParseNumber, GivesTheBitsOfFromCharsOnAMillionRandomDecimals) {
  RandomStream random(11, 0);
  for (int i = 0; i < 700000; ++i) {
    std::string text = random.Below(2) == 0 ? "" : "-";
    text += RandomDigits(&random, 1 + random.Below(i % 7 == 0 ? 25 : 9));
    if (random.Below(4) != 0) text += "." + RandomDigits(&random, random.Below(18));
    if (random.Below(4) == 0) {
      text += random.Below(2) == 0 ? "e" : "E";
      text += random.Below(3) == 0 ? "-" : random.Below(2) == 0 ? "+" : "";
      text += std::to_string(random.Below(i % 5 == 0 ? 270 : 30));
    }
    ASSERT_NO_FATAL_FAILURE(ExpectSameBits(text));
  }
  for (int i = 0; i < 300000; ++i) {
    double value = std::bit_cast<double>(random.Bits());
    if (!std::isfinite(value)) continue;
    char buffer[64];
    auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
    ASSERT_NO_FATAL_FAILURE(ExpectSameBits(std::string(buffer, end)));
  }
}

TEST(ParseNumber, AgreesAtTheEdgesOfTheFastPath) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "5.",
                           ".5",
                           "9007199254740991",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740993e22",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23",
                           "18446744073709551615",
                           "18446744073709551616",
                           "99999999999999999999",
                           "0.00000000000000000000000012345",
                           "123456789012345678",
                           "12345678",
                           "123456789",
                           "1234567.12345678",
                           "4.9e-324",
                           "2.3e-308",
                           "1.7976931348623157e308"}) {
    ExpectSameBits(text);
  }
}

TEST(ParseNumber, OverflowIsInfiniteAndUnderflowIsZero) {
  EXPECT_EQ(Parse("1e400").value, INFINITY);
  EXPECT_EQ(Parse("-1e400").value, -INFINITY);
  EXPECT_EQ(Parse("1" + std::string(400, '0')).value, INFINITY);
  EXPECT_EQ(Parse("1e99999999999999999999").value, INFINITY);
  EXPECT_EQ(Parse("444e9223372036854775807").value, INFINITY);  // the largest power of 64 bits
  EXPECT_EQ(Parse("0.001e-9223372036854775808").value, 0.0);
  EXPECT_EQ(Parse("1e-400").value, 0.0);
  EXPECT_EQ(Parse("1e-99999999999999999999").value, 0.0);
  EXPECT_EQ(Parse("0." + std::string(400, '0') + "1").value, 0.0);
  EXPECT_EQ(Parse("0e999999").value, 0.0);
}

TEST(ParseNumber, StopsWhereTheNumberStops) {
  EXPECT_EQ(Parse("+12.5,7").length, 5u);
  EXPECT_EQ(Parse("+12.5,7").value, 12.5);
  EXPECT_EQ(Parse("12abc").length, 2u);
  EXPECT_EQ(Parse("2021-03-04").length, 4u);
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "-", "+", ".", "-.", "e5", "1e", "1e+", "abc", "inf", "nan", "--1"}) {
    EXPECT_FALSE(Parse(text).found) << text;
  }
}

uint8_t NotesOf(std::string text) {
  text.append(kNumberSlack, '\0');
  double value = 0;
  uint8_t notes = 0;
  EXPECT_NE(ParseNumber(text.data(), &value, &notes), nullptr) << text;
  return notes;
}

TEST(ParseNumber, NotesHowNumbersAreWritten) {
  for (const char* plain : {"0", "00", "01", "7", "10", "100", "12345678", "123456789", "-5", "+5"})
    EXPECT_EQ(NotesOf(plain), 0) << plain;
  for (const char* padded : {"000", "001", "007", "0123", "00530", "01234567", "00000000",
                             "012345678", "0000123456789", "01234567890123456789"})
    EXPECT_EQ(NotesOf(padded), kZeroInFront) << padded;
  for (const char* point : {"0.5", "007.5", "-0.25", "1.", ".5", "1e5", "3E-7", "0.123456789012",
                            "1234567890.5", "12345678901234567890123.5"})
    EXPECT_EQ(NotesOf(point), kFraction) << point;
  EXPECT_EQ(NotesOf("1e999"), kFraction | kOverflow);
  EXPECT_EQ(NotesOf("-1e999"), kFraction | kOverflow);
  EXPECT_EQ(NotesOf("9" + std::string(400, '0')), kOverflow);
}

TEST(ParseNumber, NotesAreAdded) {
  const std::string text = "12" + std::string(kNumberSlack, '\0');
  double value = 0;
  uint8_t notes = kFraction | kZeroInFront;
  ParseNumber(text.data(), &value, &notes);
  EXPECT_EQ(notes, kFraction | kZeroInFront);
}

}  // namespace
}  // namespace slm
