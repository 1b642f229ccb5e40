#include "data/encoding/calendar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace slm {
namespace {

// Days since 1970-01-01, a Thursday.
constexpr double kFriday = 1;       // 1970-01-02
constexpr double kLeapDay = 19782;  // 2024-02-29, a Thursday
constexpr double kBefore = -1;      // 1969-12-31, a Wednesday
constexpr double kNoonOfLeapDay = 19782.5;

TEST(Calendar, KnowsYearMonthAndWeekday) {
  const CalendarEncoding calendar = FitCalendar(std::vector<double>{kFriday, kLeapDay, kBefore});
  EXPECT_EQ(calendar.months.values, (std::vector<int>{1, 2, 12}));
  EXPECT_EQ(calendar.weekdays.values, (std::vector<int>{3, 4, 5}));
  EXPECT_DOUBLE_EQ(calendar.year_mean, (1970 + 2024 + 1969) / 3.0);
  ASSERT_EQ(calendar.parts(), 7u);
  std::vector<float> at_night(7), at_noon(7);
  EncodeCalendar(calendar, kLeapDay, at_night.data());
  EncodeCalendar(calendar, kNoonOfLeapDay, at_noon.data());
  EXPECT_EQ(at_night, at_noon) << "training has seen no times";
  EXPECT_GT(at_night[0], 1) << "the latest year";
  EXPECT_GT(at_night[2], 0) << "February";
  EXPECT_LT(at_night[1], 0) << "not January";
  EXPECT_GT(at_night[5], 0) << "Thursday";
}

TEST(Calendar, EachBlockIsCentredWithAVarianceOfOne) {
  std::vector<double> days;
  for (int i = 0; i < 1000; ++i) days.push_back(18000 + i * 1.7);
  const CalendarEncoding calendar = FitCalendar(days);
  const size_t parts = calendar.parts();
  ASSERT_EQ(parts, 1u + 12 + 7 + 10 + 1);  // of ten times of the day
  std::vector<double> mean(parts), square(parts);
  std::vector<float> out(parts);
  for (double day : days) {
    EncodeCalendar(calendar, day, out.data());
    for (size_t p = 0; p < parts; ++p) {
      mean[p] += out[p] / 1000;
      square[p] += out[p] * out[p] / 1000.0;
    }
  }
  for (double m : mean) EXPECT_NEAR(m, 0, 1e-6);
  EXPECT_NEAR(square[0], 1, 1e-5);
  EXPECT_NEAR(std::accumulate(square.begin() + 1, square.begin() + 13, 0.0), 1, 1e-5);
  EXPECT_NEAR(std::accumulate(square.begin() + 13, square.begin() + 20, 0.0), 1, 1e-5);
  EXPECT_NEAR(std::accumulate(square.begin() + 20, square.begin() + 30, 0.0), 1, 1e-5);
  EXPECT_NEAR(square[30], 1, 1e-5);
}

TEST(Calendar, HasNoPartsForWhatNeverChanges) {
  const CalendarEncoding one = FitCalendar(std::vector<double>{100, 100});
  EXPECT_EQ(one.parts(), 0u);
  const CalendarEncoding week = FitCalendar(std::vector<double>{kLeapDay, kLeapDay + 7});
  EXPECT_EQ(week.months.values.size(), 2u);
  EXPECT_TRUE(week.weekdays.values.empty());
  EXPECT_EQ(week.year_scale, 0);
}

// What DateFromText makes of a time on a day.
double At(double day, int hour, int minute = 0) {
  return day + (hour * 3600 + minute * 60) / 86400.0;
}

TEST(Calendar, KnowsTheHourWhereTrainingHasSeenTimes) {
  std::vector<double> days;
  for (double day : {kBefore, kFriday, kLeapDay}) {
    for (int hour = 0; hour < 24; ++hour) days.push_back(At(day, hour));
  }
  const CalendarEncoding calendar = FitCalendar(days);
  ASSERT_EQ(calendar.hours.values.size(), 24u);
  for (double share : calendar.hours.shares) EXPECT_DOUBLE_EQ(share, 1.0 / 24);
  const size_t first = calendar.parts() - 25;
  std::vector<float> out(calendar.parts());
  float last = -10;
  for (int hour = 0; hour < 24; ++hour) {
    EncodeCalendar(calendar, At(20000, hour, 59), out.data());
    for (int other = 0; other < 24; ++other) {
      EXPECT_EQ(out[first + static_cast<size_t>(other)] > 0, other == hour) << hour;
    }
    EXPECT_GT(out.back(), last);
    last = out.back();
  }
}

TEST(Calendar, HasNoTimeWhereItIsAlwaysTheSame) {
  // As doubles these differ: nine o'clock is no whole number of their units.
  const CalendarEncoding calendar =
      FitCalendar(std::vector<double>{At(-3, 9, 7), At(0, 9, 7), At(1, 9, 7), At(20001, 9, 7)});
  EXPECT_TRUE(calendar.hours.values.empty());
  EXPECT_EQ(calendar.time_scale, 0);
}

TEST(Calendar, OfTimesAloneOnlyTheHourIsLeft) {
  const CalendarEncoding calendar = FitCalendar(std::vector<double>{At(0, 8), At(0, 13, 45)});
  EXPECT_EQ(calendar.parts(), 2u);
  EXPECT_EQ(calendar.hours.values, (std::vector<int>{8, 13}));
}

TEST(Calendar, MissingAndAbsurdDatesAreNoDanger) {
  const CalendarEncoding calendar = FitCalendar(std::vector<double>{kFriday, kNoonOfLeapDay});
  ASSERT_NE(calendar.time_scale, 0);
  std::vector<float> out(calendar.parts(), 7);
  EncodeCalendar(calendar, std::nan(""), out.data());
  EXPECT_EQ(out, std::vector<float>(calendar.parts(), 0));
  for (double absurd : {1e300, -1e300}) {
    EncodeCalendar(calendar, absurd, out.data());
    for (float x : out) EXPECT_TRUE(std::isfinite(x));
  }
}

}  // namespace
}  // namespace slm
