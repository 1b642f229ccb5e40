#include "data/readers/written_number.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "data/readers/dialect.h"

namespace slm {
namespace {

constexpr std::array<std::string_view, 6> kUnits = {"$", "€", "£", "¥", "₹", "%"};
constexpr std::array<std::string_view, 4> kBlanks = {" ", "\u00A0", "\u202F", "\u2009"};
constexpr std::array<std::string_view, 2> kApostrophes = {"'", "\u2019"};
constexpr std::string_view kMinus = "\u2212";
constexpr size_t kGroupDigits = 3;
constexpr size_t kLongest = 64;  // bytes; no number that a person writes is longer

bool TakeFront(std::string_view what, std::string_view* text) {
  if (!text->starts_with(what)) return false;
  text->remove_prefix(what.size());
  return true;
}

bool TakeBack(std::string_view what, std::string_view* text) {
  if (!text->ends_with(what)) return false;
  text->remove_suffix(what.size());
  return true;
}

void Trim(std::string_view* text) {
  auto take_any = [&](auto take) {
    return std::any_of(kBlanks.begin(), kBlanks.end(),
                       [&](std::string_view blank) { return take(blank, text); });
  };
  while (take_any(TakeFront)) {
  }
  while (take_any(TakeBack)) {
  }
}

template <class Take>
void TakeUnit(Take take, std::string_view* text, std::string_view* unit) {
  for (std::string_view one : kUnits) {
    if (!unit->empty() || !take(one, text)) continue;
    *unit = one;
    Trim(text);
  }
}

// The sign at the front, if any: 1, -1, or 0 for none.
int TakeSign(std::string_view* text) {
  if (TakeFront("+", text)) return 1;
  return TakeFront("-", text) || TakeFront(kMinus, text) ? -1 : 0;
}

size_t CountDigits(std::string_view text) {
  return static_cast<size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; }) -
      text.begin());
}

void TakeDigits(size_t count, std::string_view* text, std::string* out) {
  out->append(text->substr(0, count));
  text->remove_prefix(count);
}

// What stands between the first two groups of digits, if it may group them.
std::string_view SeparatorAt(std::string_view text, char decimal) {
  for (const auto& list : {std::span<const std::string_view>(kBlanks),
                           std::span<const std::string_view>(kApostrophes)}) {
    for (std::string_view one : list) {
      if (text.starts_with(one)) return one;
    }
  }
  const std::string_view other = decimal == '.' ? "," : ".";
  return text.starts_with(other) ? other : std::string_view();
}

// Takes the groups behind the first; false if they are not groups of thousands. Indian numbers have
// groups of two before the last: 1,23,456.
bool TakeGroups(char decimal, std::string_view* text, std::string* plain) {
  const std::string_view separator = SeparatorAt(*text, decimal);
  if (separator.empty()) return true;
  if (plain->empty() || plain->size() > kGroupDigits || plain->front() == '0') return false;
  size_t digits = 0;
  while (TakeFront(separator, text)) {
    const bool short_before = digits == kGroupDigits - 1;
    const size_t next = CountDigits(*text);
    if (next != kGroupDigits && next != kGroupDigits - 1) return false;
    if (digits != 0 && next != digits && !short_before) return false;
    digits = next;
    TakeDigits(digits, text, plain);
  }
  return digits == kGroupDigits;
}

}  // namespace

bool ReadWrittenNumber(std::string_view text, char decimal, WrittenNumber* number) {
  if (text.empty() || text.size() > kLongest) return false;
  number->unit = {};
  // Most are plain, which takes a tenth of the time to see.
  if (decimal == '.' && NumberFromText(text, &number->value)) return true;
  Trim(&text);
  const bool accounting = text.size() > 2 && text.front() == '(' && text.back() == ')';
  if (accounting) {
    text = text.substr(1, text.size() - 2);
    Trim(&text);
  }
  int sign = TakeSign(&text);
  if (sign != 0) Trim(&text);
  TakeUnit(TakeFront, &text, &number->unit);
  if (sign == 0) sign = TakeSign(&text);
  TakeUnit(TakeBack, &text, &number->unit);
  if (accounting && sign != 0) return false;

  std::string plain;  // the number as NumberFromText takes it
  TakeDigits(CountDigits(text), &text, &plain);
  if (!TakeGroups(decimal, &text, &plain)) return false;
  if (!text.empty() && text.front() == decimal) {
    text.remove_prefix(1);
    plain.push_back('.');
    TakeDigits(CountDigits(text), &text, &plain);
  }
  plain.append(text);  // an exponent, infinity, or what is no number
  if (plain.starts_with('-') || plain.starts_with('+')) return false;
  if (!NumberFromText(plain, &number->value)) return false;
  if (accounting || sign < 0) number->value = -number->value;
  return true;
}

}  // namespace slm
