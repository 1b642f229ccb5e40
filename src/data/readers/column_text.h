#pragma once

// Columns that are not numbers: distinct texts first; typing.h has what they mean.

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

// true/false, yes/no, t/f in upper or lower case.
bool BooleanFromText(std::string_view text, double* value);

// Whether all of them are, and written in one of these ways.
bool BooleansOfOneKind(const std::vector<std::string_view>& texts);

}  // namespace slm
