#pragma once

// Dates and times as ISO 8601 writes them.

#include <chrono>
#include <string>

namespace slm {

// 2021-03-04
std::string IsoDate(std::chrono::year_month_day date);

// 05:06:07, of the seconds since midnight.
std::string IsoTime(int seconds);

}  // namespace slm
