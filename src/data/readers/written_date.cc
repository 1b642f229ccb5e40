#include "data/readers/written_date.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/text.h"

namespace slm {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
constexpr size_t kShortName = 3;

// Every way to write a date with every way to write a time behind it. Where several fit all cells
// of a column, the first counts.
constexpr std::string_view kDates[] = {
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d",  "%m/%d/%Y", "%d/%m/%Y",     "%d.%m.%Y",    "%m.%d.%Y",
    "%d-%m-%Y", "%m-%d-%Y", "%m/%d/%y",  "%d/%m/%y", "%d.%m.%y",     "%m.%d.%y",    "%d-%m-%y",
    "%m-%d-%y", "%b %d %Y", "%b %d, %Y", "%d %b %Y", "%d. %b %Y",    "%d-%b-%Y",    "%d-%b-%y",
    "%d %b %y", "%d/%b/%Y", "%Y-%b-%d",  "%Y %b %d", "%a, %d %b %Y", "%a %b %d %Y", "%b %Y",
    "%b-%Y",    "%b-%y",    "%Y %b",     "%Y-%b",    "%Y-%m",        "%m/%Y",       "%YQ%q",
    "%Y-Q%q",   "%Y Q%q",   "Q%q %Y",    "Q%q-%Y",   "Q%q/%Y"};
constexpr std::string_view kTimes[] = {"",          " %H:%M",  "T%H:%M",
                                       " %I:%M %p", ", %H:%M", ", %I:%M %p"};
constexpr std::string_view kTimesAlone[] = {"%H:%M", "%I:%M %p"};
constexpr std::string_view kCompactTimestamp = "%Y%m%dT%H%M";
constexpr size_t kLongestDate = 48;

struct Parts {
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  double fraction = 0;  // of a second
  int zone = 0;         // minutes ahead of UTC
  bool afternoon = false, twelve_hours = false, timed = false;
};

// Takes from `least` to `most` digits off the front.
bool TakeInteger(std::string_view* text, size_t least, size_t most, int* value) {
  size_t digits = 0;
  int read = 0;
  while (digits < std::min(most, text->size())) {
    const char c = (*text)[digits];
    if (c < '0' || c > '9') break;
    read = read * 10 + (c - '0');
    ++digits;
  }
  if (digits < least) return false;
  *value = read;
  text->remove_prefix(digits);
  return true;
}

bool TakeChar(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

void SkipBlanks(std::string_view* text) {
  while (TakeChar(text, " ")) {
  }
}

bool TakeWord(std::string_view word, std::string_view* text) {
  if (text->size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (ToLower((*text)[i]) != word[i]) return false;
  }
  text->remove_prefix(word.size());
  return true;
}

// A name in full, or its first three letters, "sept" too, with or without a point.
template <size_t n>
bool TakeName(const std::array<std::string_view, n>& names, std::string_view* text, int* index) {
  for (size_t i = 0; i < n; ++i) {
    std::string_view rest = *text;
    const bool whole = TakeWord(names[i], &rest);
    if (!whole) {
      if (!TakeWord(names[i].substr(0, kShortName), &rest)) continue;
      if (names[i] == "september") TakeWord("t", &rest);
      TakeChar(&rest, ".");
    }
    if (!rest.empty() && ((rest[0] | 0x20) >= 'a' && (rest[0] | 0x20) <= 'z')) continue;
    *text = rest;
    *index = static_cast<int>(i);
    return true;
  }
  return false;
}

bool TakeSeconds(std::string_view* text, Parts* parts) {
  if (!TakeInteger(text, 2, 2, &parts->second)) return false;
  if (!text->starts_with('.') && !text->starts_with(',')) return true;
  std::string_view rest = text->substr(1);
  int digit = 0;
  double unit = 0.1;
  if (rest.empty() || rest[0] < '0' || rest[0] > '9') return true;  // the sign is of the pattern
  for (; TakeInteger(&rest, 1, 1, &digit); unit /= 10) parts->fraction += digit * unit;
  *text = rest;
  return true;
}

bool TakeZone(std::string_view* text, int* minutes) {
  std::string_view rest = *text;
  SkipBlanks(&rest);
  if (TakeWord("utc", &rest) || TakeWord("gmt", &rest) || TakeWord("z", &rest)) {
    *text = rest;
    return true;
  }
  const bool west = rest.starts_with('-');
  int hours = 0, more = 0;
  if (!TakeChar(&rest, "+-") || !TakeInteger(&rest, 2, 2, &hours)) return false;
  TakeChar(&rest, ":");
  TakeInteger(&rest, 2, 2, &more);
  *minutes = (west ? -1 : 1) * (hours * 60 + more);
  *text = rest;
  return true;
}

bool TakeHalf(std::string_view* text, bool* afternoon) {
  SkipBlanks(text);
  *afternoon = text->starts_with('p') || text->starts_with('P');
  if (!TakeChar(text, "apAP")) return false;
  TakeChar(text, ".");
  if (!TakeChar(text, "mM")) return false;
  TakeChar(text, ".");
  return true;
}

bool TakePart(char letter, std::string_view* text, Parts* parts) {
  int index = 0;
  switch (letter) {
    case 'Y':
      return TakeInteger(text, 4, 4, &parts->year);
    case 'y':
      if (!TakeInteger(text, 2, 2, &parts->year)) return false;
      parts->year += parts->year < 69 ? 2000 : 1900;
      return true;
    case 'm':
      return TakeInteger(text, 1, 2, &parts->month);
    case 'd':
      return TakeInteger(text, 1, 2, &parts->day);
    case 'b':
      if (!TakeName(kMonths, text, &index)) return false;
      parts->month = index + 1;
      return true;
    case 'q':
      if (!TakeInteger(text, 1, 1, &index) || index < 1 || index > 4) return false;
      parts->month = 3 * index - 2;
      return true;
    case 'a':
      return TakeName(kWeekdays, text, &index);
    case 'H':
    case 'I':
      parts->timed = true;
      parts->twelve_hours = letter == 'I';
      return TakeInteger(text, 1, 2, &parts->hour);
    case 'M':
      return TakeInteger(text, 2, 2, &parts->minute);
    case 'S':
      return TakeSeconds(text, parts);
    case 'p':
      return TakeHalf(text, &parts->afternoon);
    case 'z':
      return TakeZone(text, &parts->zone);
    default:
      return letter == '%' && TakeChar(text, "%");
  }
}

// Where the pattern has no seconds but the text does.
bool TakeUnwrittenSeconds(std::string_view pattern, std::string_view* text, Parts* parts) {
  if (pattern.starts_with(":%S") || !text->starts_with(':')) return true;
  text->remove_prefix(1);
  return TakeSeconds(text, parts);
}

bool IsTime(std::string_view pattern) {
  const size_t at = pattern.find('%');
  return at < pattern.size() - 1 && (pattern[at + 1] == 'H' || pattern[at + 1] == 'I');
}

bool ReadParts(std::string_view pattern, std::string_view text, Parts* parts) {
  const std::string_view whole = pattern;
  while (!pattern.empty()) {
    if (text.empty() && pattern.size() < whole.size() && IsTime(pattern)) return true;  // midnight
    const char c = pattern.front();
    if (c == '%' && pattern.size() > 1) {
      const char letter = pattern[1];
      pattern.remove_prefix(2);
      if (!TakePart(letter, &text, parts)) return false;
      if (letter == 'M' && !TakeUnwrittenSeconds(pattern, &text, parts)) return false;
    } else if (c == ' ') {
      pattern.remove_prefix(1);
      const bool half = pattern.starts_with("%p");  // "5:30PM" as well
      if (!text.starts_with(' ') && !half) return false;
      SkipBlanks(&text);
    } else {
      pattern.remove_prefix(1);
      if (!TakeChar(&text, std::string_view(&c, 1))) return false;
    }
  }
  if (!text.empty() && parts->timed) TakeZone(&text, &parts->zone);
  return text.empty();
}

bool DaysOf(const Parts& parts, double* days) {
  const std::chrono::year_month_day date{std::chrono::year(parts.year),
                                         std::chrono::month(static_cast<unsigned>(parts.month)),
                                         std::chrono::day(static_cast<unsigned>(parts.day))};
  if (!date.ok() || parts.minute > 59 || parts.second > 60) return false;
  int hour = parts.hour;
  if (parts.twelve_hours) {
    if (hour < 1 || hour > 12) return false;
    hour = hour % 12 + (parts.afternoon ? 12 : 0);
  }
  if (hour > 23) return false;
  *days =
      static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) +
      (hour * 3600 + parts.minute * 60 + parts.second - parts.zone * 60 + parts.fraction) / 86400.0;
  return true;
}

// Two digits each for month and day, as the standard has it.
bool IsoFromText(std::string_view text, double* days) {
  Parts parts;
  if (!TakeInteger(&text, 4, 4, &parts.year) || !TakeChar(&text, "-") ||
      !TakeInteger(&text, 2, 2, &parts.month) || !TakeChar(&text, "-") ||
      !TakeInteger(&text, 2, 2, &parts.day)) {
    return false;
  }
  if (TakeChar(&text, "T ")) {
    if (!TakeInteger(&text, 2, 2, &parts.hour) || !TakeChar(&text, ":") ||
        !TakeInteger(&text, 2, 2, &parts.minute)) {
      return false;
    }
    if (TakeChar(&text, ":") && !TakeSeconds(&text, &parts)) return false;
    TakeZone(&text, &parts.zone);
  }
  return text.empty() && DaysOf(parts, days);
}

// Texts that cannot be dates are most; they should cost little.
bool MayBeDate(std::string_view text) {
  if (text.size() < 4 || text.size() > kLongestDate) return false;
  const bool digit = text[0] >= '0' && text[0] <= '9';
  const char letter = static_cast<char>(text[0] | 0x20);
  if (!digit && (letter < 'a' || letter > 'z')) return false;
  return std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) >=
             2 &&
         std::any_of(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
}

size_t PlaceOf(std::string_view pattern, std::string_view part) { return pattern.find(part); }

}  // namespace

bool DateFromText(std::string_view text, std::string_view pattern, double* days) {
  if (pattern.empty()) return IsoFromText(text, days);
  Parts parts;
  return ReadParts(pattern, text, &parts) && DaysOf(parts, days);
}

bool IsDatePattern(std::string_view pattern) {
  constexpr std::string_view kLetters = "YymbqdaHIMSpz%";
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (++i == pattern.size() || kLetters.find(pattern[i]) == std::string_view::npos) return false;
  }
  auto has = [&](std::string_view part) {
    return PlaceOf(pattern, part) != std::string_view::npos;
  };
  const bool date = (has("%Y") || has("%y")) && (has("%m") || has("%b") || has("%q"));
  return date || has("%H") || has("%I");
}

std::vector<std::string> PatternsOf(std::string_view text) {
  std::vector<std::string> found;
  if (!MayBeDate(text)) return found;
  double days = 0;
  if (DateFromText(text, "", &days)) found.emplace_back();
  auto try_one = [&](std::string pattern) {
    if (DateFromText(text, pattern, &days)) found.push_back(std::move(pattern));
  };
  for (std::string_view time : kTimesAlone) try_one(std::string(time));
  try_one(std::string(kCompactTimestamp));
  for (std::string_view date : kDates) {
    for (std::string_view time : kTimes) try_one(std::string(date).append(time));
  }
  return found;
}

std::string SwapDayAndMonth(std::string_view pattern) {
  std::string swapped(pattern);
  const size_t day = PlaceOf(pattern, "%d"), month = PlaceOf(pattern, "%m");
  // Nobody writes year, day, month.
  if (day == std::string::npos || month == std::string::npos || pattern.starts_with("%Y"))
    return "";
  std::swap(swapped[day + 1], swapped[month + 1]);
  return swapped;
}

bool IsDayFirst(std::string_view pattern) {
  return PlaceOf(pattern, "%d") < PlaceOf(pattern, "%m");
}

bool IsUsualOrder(std::string_view pattern) {
  const bool slashes = pattern.find('/') != std::string_view::npos;
  return IsDayFirst(pattern) != slashes;
}

bool DateFromDigits(double number, double* days) {
  if (!(number >= 19000101 && number <= 21001231) || number != std::floor(number)) return false;
  const int whole = static_cast<int>(number);
  Parts parts;
  parts.year = whole / 10000;
  parts.month = whole / 100 % 100;
  parts.day = whole % 100;
  return DaysOf(parts, days);
}

}  // namespace slm
