#include "slm/errors.h"

#include <algorithm>

namespace slm {
namespace {

// Control characters that no text of a message has otherwise: cells and names are shown printable.
constexpr char kBegin = '\x02', kValue = '\x01', kEnd = '\x03';

}  // namespace

std::string FieldRef(std::string_view field) { return kBegin + std::string(field) + kEnd; }

std::string FieldRef(std::string_view field, std::string_view value) {
  std::string marked = kBegin + std::string(field) + kValue;
  // Names of columns may hold anything; the marks stay ours.
  for (char c : value) marked += c == kBegin || c == kValue || c == kEnd ? '?' : c;
  return marked + kEnd;
}

std::string KeywordStyle(std::string_view field, std::string_view value) {
  std::string keyword(field);
  if (value.empty()) return keyword;
  const bool number = value.find_first_not_of("0123456789.") == value.npos;
  if (number) return keyword.append("=").append(value);
  keyword += "='";
  for (char c : value) keyword += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return keyword + "'";
}

std::string RenderFields(std::string_view marked, const FieldStyle& style) {
  std::string out;
  while (!marked.empty()) {
    const size_t begin = std::min(marked.find(kBegin), marked.size());
    const size_t end = begin == marked.size() ? marked.npos : marked.find(kEnd, begin);
    if (end == marked.npos) return out.append(marked);
    out.append(marked.substr(0, begin));
    const std::string_view both = marked.substr(begin + 1, end - begin - 1);
    const std::string_view field = both.substr(0, both.find(kValue));
    const std::string_view value = both.substr(std::min(field.size() + 1, both.size()));
    out += style ? style(field, value) : KeywordStyle(field, value);
    marked.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace slm
