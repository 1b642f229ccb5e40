#include "data/readers/column_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "base/text.h"
#include "data/readers/dialect.h"

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

// Takes `digits` digits off the front.
bool TakeInteger(std::string_view* text, size_t digits, int* value) {
  if (text->size() < digits) return false;
  *value = 0;
  for (size_t i = 0; i < digits; ++i) {
    char c = (*text)[i];
    if (c < '0' || c > '9') return false;
    *value = *value * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  return true;
}

bool TakeChar(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

using Converter = bool (*)(std::string_view, double*);

Converter ConverterTo(ColumnType type) {
  switch (type) {
    case ColumnType::kBoolean:
      return BooleanFromText;
    case ColumnType::kDate:
      return DateFromText;
    default:
      return NumberFromText;
  }
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

bool DateFromText(std::string_view text, double* days) {
  int year, month, day, hour = 0, minute = 0, second = 0;
  if (!TakeInteger(&text, 4, &year) || !TakeChar(&text, "-") || !TakeInteger(&text, 2, &month) ||
      !TakeChar(&text, "-") || !TakeInteger(&text, 2, &day)) {
    return false;
  }
  std::chrono::year_month_day date{std::chrono::year(year),
                                   std::chrono::month(static_cast<unsigned>(month)),
                                   std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  double fraction = 0;
  if (TakeChar(&text, "T ")) {
    if (!TakeInteger(&text, 2, &hour) || !TakeChar(&text, ":") || !TakeInteger(&text, 2, &minute)) {
      return false;
    }
    if (TakeChar(&text, ":") && !TakeInteger(&text, 2, &second)) return false;
    if (TakeChar(&text, ".")) {
      int digit;
      double unit = 0.1;
      if (text.empty()) return false;
      for (; TakeInteger(&text, 1, &digit); unit /= 10) fraction += digit * unit;
    }
    TakeChar(&text, "Z");
    if (hour > 23 || minute > 59 || second > 60) return false;
  }
  if (!text.empty()) return false;
  *days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) +
          (hour * 3600 + minute * 60 + second + fraction) / 86400.0;
  return true;
}

bool BooleanFromText(std::string_view text, double* value) {
  size_t family;
  return FindBoolean(text, &family, value);
}

ColumnType TypeOfLevels(const std::vector<std::string>& levels) {
  if (levels.empty()) return ColumnType::kText;
  double value;
  size_t family, first_family = 0;
  bool boolean = FindBoolean(levels[0], &first_family, &value) &&
                 std::all_of(levels.begin(), levels.end(), [&](const std::string& level) {
                   return FindBoolean(level, &family, &value) && family == first_family;
                 });
  if (boolean) return ColumnType::kBoolean;
  bool date = std::all_of(levels.begin(), levels.end(),
                          [&](const std::string& level) { return DateFromText(level, &value); });
  return date ? ColumnType::kDate : ColumnType::kText;
}

int32_t ConvertLevels(ColumnType type, Column* column) {
  column->type = ColumnType::kText;
  if (type == ColumnType::kText) return -1;
  Converter convert = ConverterTo(type);
  std::vector<double> values(column->levels.size());
  for (size_t l = 0; l < values.size(); ++l) {
    if (!convert(column->levels[l], &values[l])) return static_cast<int32_t>(l);
  }
  column->numbers.resize(column->codes.size());
  for (size_t i = 0; i < column->codes.size(); ++i) {
    int32_t code = column->codes[i];
    column->numbers[i] =
        code < 0 ? std::numeric_limits<double>::quiet_NaN() : values[static_cast<size_t>(code)];
  }
  column->type = type;
  column->codes = {};
  column->levels = {};
  return -1;
}

}  // namespace slm
