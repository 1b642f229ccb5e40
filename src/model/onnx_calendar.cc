#include "model/onnx_calendar.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/encoding/calendar.h"

namespace slm {
namespace {

// Days and years are counted from a March far enough back that no number below is negative, since
// Div and Mod of ONNX round towards zero. The calendar repeats every 400 years, weekdays included.
constexpr int64_t kDaysOfCycle = 146'097;
constexpr int64_t kCyclesBack = 80;
constexpr int64_t kDaysBefore1970 = 719'468 + kCyclesBack * kDaysOfCycle;  // since March of year 0
static_assert(kDaysBefore1970 > kMostDays);
constexpr int64_t kMillisecondsOfHour = 3'600'000;

// A value of int64, and arithmetic that adds nodes to its graph.
struct Whole {
  OnnxGraph* graph;
  std::string name;
};

Whole Apply(std::string_view op, const Whole& a, const std::string& b) {
  return {a.graph, a.graph->Node(op, std::vector{a.name, b})};
}

Whole Apply(std::string_view op, const Whole& a, int64_t b) {
  return Apply(op, a, a.graph->Constant(std::span<const int64_t>(&b, 1)));
}

Whole operator+(const Whole& a, const Whole& b) { return Apply("Add", a, b.name); }
Whole operator-(const Whole& a, const Whole& b) { return Apply("Sub", a, b.name); }
Whole operator+(const Whole& a, int64_t b) { return Apply("Add", a, b); }
Whole operator-(const Whole& a, int64_t b) { return Apply("Sub", a, b); }
Whole operator*(const Whole& a, int64_t b) { return Apply("Mul", a, b); }
Whole operator/(const Whole& a, int64_t b) { return Apply("Div", a, b); }
Whole operator%(const Whole& a, int64_t b) { return Apply("Mod", a, b); }

// Days and what is left of them, both doubles.
struct DayAndTime {
  std::string day, time;
};

DayAndTime Split(OnnxGraph& graph, const std::string& days) {
  const double low = -kMostDays, high = kMostDays;
  std::string x = graph.Node("Max", std::vector{days, graph.Constant(std::span(&low, 1))});
  x = graph.Node("Min", std::vector{x, graph.Constant(std::span(&high, 1))});
  const std::string day = graph.Node("Floor", std::vector{x});
  return {day, graph.Node("Sub", std::vector{x, day})};
}

// Rounded to the nearest as in data/encoding/calendar.cc.
Whole Milliseconds(OnnxGraph& graph, const std::string& time) {
  const double of_day = 24.0 * kMillisecondsOfHour, half = 0.5;
  std::string x = graph.Node("Mul", std::vector{time, graph.Constant(std::span(&of_day, 1))});
  x = graph.Node("Add", std::vector{x, graph.Constant(std::span(&half, 1))});
  return {&graph, graph.Cast(graph.Node("Floor", std::vector{x}), OnnxType::kInt64)};
}

}  // namespace

// Years begin in March, so that a leap day is the last one of its year, and the months before it
// repeat after five, which have 153 days.
OnnxDate AddDate(OnnxGraph& graph, const std::string& days) {
  const DayAndTime split = Split(graph, days);
  const Whole day = Whole{&graph, graph.Cast(split.day, OnnxType::kInt64)} + kDaysBefore1970;
  const Whole day_of_cycle = day % kDaysOfCycle;
  // Without leap days every year would have 365: one in 4 years, none in 100, one in 400.
  const Whole without_leaps = day_of_cycle - day_of_cycle / 1'460 + day_of_cycle / 36'524 -
                              day_of_cycle / (kDaysOfCycle - 1);
  const Whole year_of_cycle = without_leaps / 365;
  const Whole day_of_year =
      day_of_cycle - (year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100);
  const Whole month_from_march = (day_of_year * 5 + 2) / 153;
  // January and February are the last two months of the year that began before them.
  const Whole year = day / kDaysOfCycle * 400 + year_of_cycle + month_from_march / 10;
  const Whole month = (month_from_march + 2) % 12 + 1;
  const Whole weekday = (day + 3) % 7;  // the first of March of year 0 was a Wednesday
  const Whole time = Milliseconds(graph, split.time);
  const Whole hour = time / kMillisecondsOfHour;
  const int64_t last_hour = 23;  // what is rounded up to midnight belongs to it
  return {(year - kCyclesBack * 400).name, month.name, weekday.name,
          graph.Node("Min", std::vector{hour.name, graph.Constant(std::span(&last_hour, 1))}),
          time.name};
}

}  // namespace slm
