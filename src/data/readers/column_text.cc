#include "data/readers/column_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace slm {
namespace {

constexpr std::array<std::array<std::string_view, 2>, 3> kBooleans = {
    {{"false", "true"}, {"no", "yes"}, {"f", "t"}}};

// Which way of writing booleans the text belongs to and its value; false if none.
bool FindBoolean(std::string_view text, size_t* family, double* value) {
  if (text.size() > 5) return false;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), ToLower);
  for (*family = 0; *family < kBooleans.size(); ++*family) {
    for (size_t b : {0u, 1u}) {
      if (lower != kBooleans[*family][b]) continue;
      *value = static_cast<double>(b);
      return true;
    }
  }
  return false;
}

}  // namespace

int32_t TextDictionary::Code(std::string_view text) {
  auto found = codes_.find(text);
  if (found != codes_.end()) return found->second;
  int32_t code = static_cast<int32_t>(texts_.size());
  texts_.emplace_back(text);
  codes_.emplace(texts_.back(), code);
  return code;
}

bool BooleanFromText(std::string_view text, double* value) {
  size_t family;
  return FindBoolean(text, &family, value);
}

bool BooleansOfOneKind(const std::vector<std::string_view>& texts) {
  double value;
  size_t family, first_family = 0;
  return !texts.empty() && FindBoolean(texts[0], &first_family, &value) &&
         std::all_of(texts.begin(), texts.end(), [&](std::string_view text) {
           return FindBoolean(text, &family, &value) && family == first_family;
         });
}

}  // namespace slm
