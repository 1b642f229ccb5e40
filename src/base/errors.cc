#include "slm/errors.h"

#include <algorithm>

namespace slm {
namespace {

// Control characters that no text of a message has otherwise: cells and names are shown printable.
constexpr char kBegin = '\x02', kEnd = '\x03';

}  // namespace

std::string FieldRef(std::string_view field) { return kBegin + std::string(field) + kEnd; }

std::string RenderFields(std::string_view marked, const FieldStyle& style) {
  std::string out;
  while (!marked.empty()) {
    const size_t begin = std::min(marked.find(kBegin), marked.size());
    const size_t end = begin == marked.size() ? marked.npos : marked.find(kEnd, begin);
    if (end == marked.npos) return out.append(marked);
    out.append(marked.substr(0, begin));
    const std::string_view field = marked.substr(begin + 1, end - begin - 1);
    out += style ? style(field) : std::string(field);
    marked.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace slm
