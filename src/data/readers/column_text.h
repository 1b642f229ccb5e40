#pragma once

// Columns that are not numbers: distinct texts first, then what they mean. Booleans and dates are
// recognised on the distinct texts, so a type is decided on all rows at the cost of a few.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/table.h"

namespace slm {

// The distinct texts of one column within one chunk of a file, coded in order of appearance.
class TextDictionary {
 public:
  int32_t Code(std::string_view text);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> codes_;
  std::vector<std::string> texts_;
};

// Days since 1970-01-01 of "2021-03-04", with an optional time after a T or a blank: hh:mm, seconds
// and their fraction optional, a closing Z allowed.
bool DateFromText(std::string_view text, double* days);

// true/false, yes/no, t/f in upper or lower case.
bool BooleanFromText(std::string_view text, double* value);

// The narrowest type that holds every level; booleans must be written in one way.
ColumnType TypeOfLevels(const std::vector<std::string>& levels);

// Turns a text column into one of `type`. Returns the index of the first level that is no such
// value, leaving the column as it was, or -1.
int32_t ConvertLevels(ColumnType type, Column* column);

}  // namespace slm
