#pragma once

// What a date says beside how long ago it was: its year, month and day of the week, and its hour
// and time of day where training has seen times.

#include <cstddef>
#include <span>
#include <vector>

namespace slm {

// The days since 1970-01-01, either way, that std::chrono can tell the date of; no real date is
// beyond.
inline constexpr double kMostDays = 11'000'000;

// Values of which a row has one, each a part of its own: centred, on one scale that gives all of
// them together a variance of 1. Without parts where training has seen a single value.
struct CalendarLevels {
  std::vector<int> values;     // ascending
  std::vector<double> shares;  // of each among the dates of training
  double scale = 0;
};

struct CalendarEncoding {
  double year_mean = 0;
  double year_scale = 0;      // 1 / sd; 0 if all dates are of one year
  CalendarLevels months;      // from 1, January
  CalendarLevels weekdays;    // from 0, Sunday
  CalendarLevels hours = {};  // from 0
  double time_mean = 0;       // of the milliseconds since midnight
  double time_scale = 0;      // 1 / sd; 0 if all dates have one time, or if all are of one day, as
                              // then their age says the same

  size_t parts() const {
    return static_cast<size_t>(year_scale != 0) + months.values.size() + weekdays.values.size() +
           hours.values.size() + static_cast<size_t>(time_scale != 0);
  }
};

// `days` since 1970-01-01, without missing ones.
CalendarEncoding FitCalendar(std::span<const double> days);

// Writes the parts of one date: year, months, weekdays, hours, time. A missing one (NaN) is zero in
// all, which is the mean.
void EncodeCalendar(const CalendarEncoding& calendar, double days, float* out);

}  // namespace slm
