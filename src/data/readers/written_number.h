#pragma once

// Numbers as people and spreadsheets write them: $1,610.00, 1.234,56, 12 %, (1,234), 1'000.

#include <string_view>

namespace slm {

struct WrittenNumber {
  double value = 0;
  std::string_view unit;  // a currency sign or %; empty if there is none
};

// Reads the whole of `text` with '.' or ',' as decimal sign. The other one, blanks (no-break ones
// too) and apostrophes may group thousands; parentheses around a number make it negative; a percent
// sign is a unit, so 12 % is 12.
bool ReadWrittenNumber(std::string_view text, char decimal, WrittenNumber* number);

}  // namespace slm
