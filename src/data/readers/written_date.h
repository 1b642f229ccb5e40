#pragma once

// Dates as files write them, by patterns like those of strptime.
//
//   %Y %y   year, of four or two digits (69 to 99 are of the 1900s)    %H %I  hour, to 23 or to 12
//   %m %b   month, as a number or by its English name                  %M %S  minute, second
//   %q      quarter, 1 to 4, whose first month it is                   %p     AM or PM
//   %d      day                                                        %z     zone: Z, +01:00
//   %a      day of the week, which is not checked
//
// Besides, seconds may follow %M, a fraction %S, and a zone any time; a blank stands for several;
// and where the text ends before the time, it is midnight. Times with a zone are turned into UTC.

#include <string>
#include <string_view>
#include <vector>

namespace slm {

// Days since 1970-01-01, with a fraction for the time of the day. An empty pattern is ISO 8601:
// 2021-03-04, 2021-03-04T05:06:07.8Z.
bool DateFromText(std::string_view text, std::string_view pattern, double* days);
inline bool DateFromText(std::string_view text, double* days) {
  return DateFromText(text, "", days);
}

// Whether it is made of these and gives at least a year and a month or quarter, or an hour.
bool IsDatePattern(std::string_view pattern);

// The patterns of the common ways to write a date that fit the text.
std::vector<std::string> PatternsOf(std::string_view text);

// The pattern with day and month in the other order; empty if it has not both as numbers.
std::string SwapDayAndMonth(std::string_view pattern);

// What is usual where both orders fit: the day first, except between slashes.
bool IsUsualOrder(std::string_view pattern);
bool IsDayFirst(std::string_view pattern);

// The days of a number such as 20120131, if it is a date from 1900 to 2100.
bool DateFromDigits(double number, double* days);
inline constexpr std::string_view kDigitsPattern = "%Y%m%d";

}  // namespace slm
