#include "data/encoding/calendar.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace slm {
namespace {

struct CalendarDate {
  int year, month, weekday;
};

CalendarDate DateOf(double days) {
  const std::chrono::sys_days day{
      std::chrono::days(static_cast<int>(std::floor(std::clamp(days, -kMostDays, kMostDays))))};
  const std::chrono::year_month_day date(day);
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(std::chrono::weekday(day).c_encoding())};
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
  std::map<int, size_t> years, months, weekdays;
  for (double day : days) {
    const CalendarDate date = DateOf(day);
    ++years[date.year];
    ++months[date.month];
    ++weekdays[date.weekday];
  }
  const double n = static_cast<double>(days.size());
  for (const auto& [year, count] : years) {
    calendar.year_mean += year * static_cast<double>(count) / n;
  }
  double variance = 0;
  for (const auto& [year, count] : years) {
    const double off = year - calendar.year_mean;
    variance += off * off * static_cast<double>(count) / n;
  }
  if (years.size() > 1) calendar.year_scale = 1 / std::sqrt(variance);
  calendar.months = FitLevels(months, days.size());
  calendar.weekdays = FitLevels(weekdays, days.size());
  return calendar;
}

void EncodeCalendar(const CalendarEncoding& calendar, double days, float* out) {
  const bool missing = std::isnan(days);
  const CalendarDate date = DateOf(missing ? 0 : days);
  if (calendar.year_scale != 0) {
    const double year = (date.year - calendar.year_mean) * calendar.year_scale;
    *out++ = missing ? 0.0f : static_cast<float>(year);
  }
  out = EncodeLevels(calendar.months, date.month, missing, out);
  EncodeLevels(calendar.weekdays, date.weekday, missing, out);
}

}  // namespace slm
