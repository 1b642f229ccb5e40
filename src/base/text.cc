#include "base/text.h"

#include <charconv>

namespace slm {
namespace {

template <class T>
std::string Format(T value) {
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end);
}

}  // namespace

std::string FormatNumber(double value) { return Format(value); }
std::string FormatNumber(float value) { return Format(value); }
std::string FormatNumber(int value) { return Format(value); }

}  // namespace slm
