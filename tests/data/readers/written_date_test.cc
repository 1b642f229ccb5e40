#include "data/readers/written_date.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace slm {
namespace {

double Days(std::string_view text, std::string_view pattern) {
  double days = 0;
  return DateFromText(text, pattern, &days) ? days : NAN;
}

TEST(WrittenDate, FollowsThePattern) {
  EXPECT_EQ(Days("1970-01-02", ""), 1);
  EXPECT_EQ(Days("1/2/1970", "%d/%m/%Y"), 31);
  EXPECT_EQ(Days("2/1/70", "%m/%d/%y"), 31);
  EXPECT_EQ(Days("1/1/68", "%m/%d/%y"), 35794) << "of the 2000s";
  EXPECT_EQ(Days("Sept. 1, 1970", "%b %d, %Y"), 243);
  EXPECT_EQ(Days("SEP 1, 1970", "%b %d, %Y"), 243);
  EXPECT_EQ(Days("Thu, 1 January 1970", "%a, %d %b %Y"), 0);
  EXPECT_EQ(Days("1970 Feb", "%Y %b"), 31);
  EXPECT_EQ(Days("1970 Q2", "%Y Q%q"), 90) << "the first day of a quarter";
  EXPECT_EQ(Days("Q4/1970", "Q%q/%Y"), 273);
  EXPECT_EQ(Days("01.01.1970 18:00", "%d.%m.%Y %H:%M"), 0.75);
  EXPECT_EQ(Days("01.01.1970 18:00:00.0", "%d.%m.%Y %H:%M"), 0.75) << "with seconds";
  EXPECT_EQ(Days("01.01.1970", "%d.%m.%Y %H:%M"), 0) << "midnight";
  EXPECT_EQ(Days("1/1/1970 6:00PM", "%m/%d/%Y %I:%M %p"), 0.75);
  EXPECT_EQ(Days("1/1/1970 12:00 a.m.", "%m/%d/%Y %I:%M %p"), 0);
  EXPECT_EQ(Days("1970-01-01T06:00:00+06:00", ""), 0);
  EXPECT_EQ(Days("1969-12-31T18:00-0600", ""), 0);
  EXPECT_EQ(Days("12:00", "%H:%M"), 0.5);
}

TEST(WrittenDate, RefusesWhatIsNone) {
  EXPECT_TRUE(std::isnan(Days("31.02.2020", "%d.%m.%Y")));
  EXPECT_TRUE(std::isnan(Days("2020 Q5", "%Y Q%q")));
  EXPECT_TRUE(std::isnan(Days("13/13/2020", "%m/%d/%Y")));
  EXPECT_TRUE(std::isnan(Days("2020-1-5", ""))) << "ISO 8601 has two digits";
  EXPECT_TRUE(std::isnan(Days("25:00", "%H:%M")));
  EXPECT_TRUE(std::isnan(Days("13:00 PM", "%I:%M %p")));
  EXPECT_TRUE(std::isnan(Days("Mayor 1 2020", "%b %d %Y")));
  EXPECT_TRUE(std::isnan(Days("1.1.2020 x", "%d.%m.%Y")));
  EXPECT_TRUE(std::isnan(Days("1", "%")));
  EXPECT_TRUE(std::isnan(Days("", "%d.%m.%Y")));
}

TEST(WrittenDate, PatternsOfATextReadIt) {
  for (const char* text : {"01/31/2012", "31.01.2012", "2012/01/31", "Jan 1 2000", "1-Jan-2000",
                           "01-JAN-00", "2012-01-31 10:00", "1/31/2012, 5:06:07 PM", "13:45:10",
                           "2012Q1", "2012-Q1", "2012 Q1", "Q1 2012", "Q1-2012", "Q1/2012"}) {
    const std::vector<std::string> patterns = PatternsOf(text);
    EXPECT_FALSE(patterns.empty()) << text;
    for (const std::string& pattern : patterns) {
      EXPECT_FALSE(std::isnan(Days(text, pattern))) << text << " by " << pattern;
      EXPECT_TRUE(pattern.empty() || IsDatePattern(pattern)) << pattern;
    }
  }
  for (const char* text : {"red", "1.2.3", "12345", "id-0001", "10.0.0.1", "B12-3", "3/4", "2012Q5",
                           "Q0 2012", "Q1", "12 Q1"}) {
    EXPECT_TRUE(PatternsOf(text).empty()) << text;
  }
  EXPECT_FALSE(IsDatePattern("%d."));
  EXPECT_FALSE(IsDatePattern("%Y-%k"));
  EXPECT_EQ(SwapDayAndMonth("%d/%m/%Y %H:%M"), "%m/%d/%Y %H:%M");
  EXPECT_EQ(SwapDayAndMonth("%Y-%m-%d"), "");
}

TEST(WrittenDate, DigitsAreDatesOfTwoCenturies) {
  double days = 0;
  EXPECT_TRUE(DateFromDigits(19700102, &days));
  EXPECT_EQ(days, 1);
  for (double other : {20120230.0, 20121301.0, 18991231.0, 21010101.0, 20120131.5, 2012.0}) {
    EXPECT_FALSE(DateFromDigits(other, &days)) << other;
  }
}

}  // namespace
}  // namespace slm
