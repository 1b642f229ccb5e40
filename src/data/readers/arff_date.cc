#include <chrono>
#include <string>

#include "data/readers/arff.h"
#include "data/readers/written_date.h"

namespace slm {

bool ArffDateFormat::Set(std::string_view pattern) {
  steps_.clear();
  bool quoted = false;
  for (char c : pattern) {
    if (c == '\'') {
      quoted = !quoted;
      continue;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (quoted || !letter) {
      steps_.push_back({'\0', 0, c});
    } else if (std::string_view("yMdHmsS").find(c) == std::string_view::npos) {
      return false;
    } else if (!steps_.empty() && steps_.back().letter == c) {
      ++steps_.back().digits;
    } else {
      steps_.push_back({c, 1, '\0'});
    }
  }
  return !quoted && !steps_.empty();
}

bool ArffDateFormat::Parse(std::string_view text, double* days) const {
  if (steps_.empty()) return DateFromText(text, days);
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  double fraction = 0;
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    if (step.letter == '\0') {
      if (text.empty() || text.front() != step.literal) return false;
      text.remove_prefix(1);
      continue;
    }
    // A number takes all digits that follow it, unless the next is a number too.
    const bool number_next = s + 1 < steps_.size() && steps_[s + 1].letter != '\0';
    const size_t most = number_next ? step.digits : 9;
    int value = 0;
    size_t taken = 0;
    for (; taken < most && taken < text.size() && text[taken] >= '0' && text[taken] <= '9';
         ++taken) {
      value = value * 10 + (text[taken] - '0');
    }
    if (taken == 0 || (number_next && taken < most)) return false;
    text.remove_prefix(taken);
    switch (step.letter) {
      case 'y':
        year = value;
        break;
      case 'M':
        month = value;
        break;
      case 'd':
        day = value;
        break;
      case 'H':
        hour = value;
        break;
      case 'm':
        minute = value;
        break;
      case 's':
        second = value;
        break;
      default:
        fraction = value / 1000.0;  // S counts milliseconds
    }
  }
  if (!text.empty() || year > 9999 || month > 12 || day > 31 || hour > 23 || minute > 59 ||
      second > 60) {
    return false;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  *days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) +
          (hour * 3600 + minute * 60 + second + fraction) / 86400.0;
  return true;
}

}  // namespace slm
