#include "data/encoding/calendar.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

namespace slm {
namespace {

constexpr double kMillisecondsOfHour = 3'600'000, kMillisecondsOfDay = 24 * kMillisecondsOfHour;

struct CalendarDate {
  int year, month, weekday, hour;
  double day;   // since 1970-01-01, whole
  double time;  // milliseconds of it that are over, whole
};

CalendarDate DateOf(double days) {
  days = std::clamp(days, -kMostDays, kMostDays);
  const double whole = std::floor(days);
  const std::chrono::sys_days day{std::chrono::days(static_cast<int>(whole))};
  const std::chrono::year_month_day date(day);
  // A double holds one o'clock to a fraction of a millisecond, so without rounding it could be
  // noon, and a little different every day.
  const double time = std::floor((days - whole) * kMillisecondsOfDay + 0.5);
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .weekday = static_cast<int>(std::chrono::weekday(day).c_encoding()),
          .hour = std::min(23, static_cast<int>(time / kMillisecondsOfHour)),
          .day = whole,
          .time = time};
}

void FitYears(const std::map<int, size_t>& years, size_t rows, CalendarEncoding* calendar) {
  const double n = static_cast<double>(rows);
  for (const auto& [year, count] : years) {
    calendar->year_mean += year * static_cast<double>(count) / n;
  }
  double variance = 0;
  for (const auto& [year, count] : years) {
    const double off = year - calendar->year_mean;
    variance += off * off * static_cast<double>(count) / n;
  }
  if (years.size() > 1) calendar->year_scale = 1 / std::sqrt(variance);
}

void FitTime(std::span<const double> times, CalendarEncoding* calendar) {
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  if (*first == *last) return;
  const double n = static_cast<double>(times.size());
  calendar->time_mean = std::accumulate(times.begin(), times.end(), 0.0) / n;
  double squares = 0;
  for (double time : times) {
    squares += (time - calendar->time_mean) * (time - calendar->time_mean);
  }
  calendar->time_scale = 1 / std::sqrt(squares / n);
}

CalendarLevels FitLevels(const std::map<int, size_t>& counts, size_t rows) {
  CalendarLevels levels;
  if (counts.size() < 2) return levels;
  double variance = 0;
  for (const auto& [value, count] : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(rows);
    levels.values.push_back(value);
    levels.shares.push_back(share);
    variance += share * (1 - share);
  }
  levels.scale = 1 / std::sqrt(variance);
  return levels;
}

float* EncodeNumber(double mean, double scale, double value, bool missing, float* out) {
  if (scale != 0) *out++ = missing ? 0.0f : static_cast<float>((value - mean) * scale);
  return out;
}

float* EncodeLevels(const CalendarLevels& levels, int value, bool missing, float* out) {
  for (size_t i = 0; i < levels.values.size(); ++i) {
    const double hit = levels.values[i] == value ? 1.0 : 0.0;
    *out++ = missing ? 0.0f : static_cast<float>((hit - levels.shares[i]) * levels.scale);
  }
  return out;
}

}  // namespace

CalendarEncoding FitCalendar(std::span<const double> days) {
  CalendarEncoding calendar;
  if (days.empty()) return calendar;
  std::map<int, size_t> years, months, weekdays, hours;
  std::vector<double> times;
  bool one_day = true;
  for (double day : days) {
    const CalendarDate date = DateOf(day);
    ++years[date.year];
    ++months[date.month];
    ++weekdays[date.weekday];
    ++hours[date.hour];
    times.push_back(date.time);
    one_day = one_day && date.day == std::floor(days[0]);
  }
  FitYears(years, days.size(), &calendar);
  calendar.months = FitLevels(months, days.size());
  calendar.weekdays = FitLevels(weekdays, days.size());
  calendar.hours = FitLevels(hours, days.size());
  if (!one_day) FitTime(times, &calendar);
  return calendar;
}

void EncodeCalendar(const CalendarEncoding& calendar, double days, float* out) {
  const bool missing = std::isnan(days);
  const CalendarDate date = DateOf(missing ? 0 : days);
  out = EncodeNumber(calendar.year_mean, calendar.year_scale, date.year, missing, out);
  out = EncodeLevels(calendar.months, date.month, missing, out);
  out = EncodeLevels(calendar.weekdays, date.weekday, missing, out);
  out = EncodeLevels(calendar.hours, date.hour, missing, out);
  EncodeNumber(calendar.time_mean, calendar.time_scale, date.time, missing, out);
}

}  // namespace slm
