#include "data/readers/iso_text.h"

#include "base/format.h"

namespace slm {

std::string IsoDate(std::chrono::year_month_day date) {
  return Padded(static_cast<int>(date.year()), 4) + "-" +
         Padded(static_cast<int>(static_cast<unsigned>(date.month())), 2) + "-" +
         Padded(static_cast<int>(static_cast<unsigned>(date.day())), 2);
}

std::string IsoTime(int seconds) {
  return Padded(seconds / 3600, 2) + ":" + Padded(seconds / 60 % 60, 2) + ":" +
         Padded(seconds % 60, 2);
}

}  // namespace slm
