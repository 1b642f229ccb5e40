#include "data/readers/written_number.h"

#include <gtest/gtest.h>

#include <string>

namespace slm {
namespace {

double Value(std::string_view text, char decimal) {
  WrittenNumber number;
  return ReadWrittenNumber(text, decimal, &number) ? number.value : -12345;
}

bool IsNumber(std::string_view text, char decimal) {
  WrittenNumber number;
  return ReadWrittenNumber(text, decimal, &number);
}

TEST(WrittenNumber, HasGroupsUnitsAndSigns) {
  EXPECT_EQ(Value("$1,610.00", '.'), 1610);
  EXPECT_EQ(Value("1.234,56 €", ','), 1234.56);
  EXPECT_EQ(Value("12 %", '.'), 12);
  EXPECT_EQ(Value("(1,234.50)", '.'), -1234.5);
  EXPECT_EQ(Value("-$5", '.'), -5);
  EXPECT_EQ(Value("$-5", '.'), -5);
  EXPECT_EQ(Value("1'000'000", '.'), 1e6);
  EXPECT_EQ(Value("1\u202f234,5", ','), 1234.5);
  EXPECT_EQ(Value("₹12,34,567", '.'), 1234567);
  EXPECT_EQ(Value("\u22123", '.'), -3);
  EXPECT_EQ(Value("1,5e3", ','), 1500);
  WrittenNumber number;
  ASSERT_TRUE(ReadWrittenNumber("€ 7", '.', &number));
  EXPECT_EQ(number.unit, "€");
}

TEST(WrittenNumber, IsNothingElse) {
  for (const char* text :
       {"", "$", "1,23", "1,2345", "0,123", "1,,234", "1.2.3", "12 34", "1,234 567", "(-5)", "--5",
        "5%%", "$5€", "12 kg", "1,23,45", "10.0.0.1", "()", "- -5"}) {
    EXPECT_FALSE(IsNumber(text, '.')) << text;
  }
  EXPECT_FALSE(IsNumber("1.5", ','));
  EXPECT_FALSE(IsNumber("0.123", ','));
  EXPECT_FALSE(IsNumber(std::string(200, '1'), '.'));
}

TEST(WrittenNumber, MeansDifferentThingsByTheDecimalSign) {
  EXPECT_EQ(Value("1,234", '.'), 1234);
  EXPECT_EQ(Value("1,234", ','), 1.234);
  EXPECT_EQ(Value("1.234", ','), 1234);
}

}  // namespace
}  // namespace slm
