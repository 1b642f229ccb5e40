#pragma once

#include <algorithm>
#include <string_view>

namespace slm {

// Whether a path ends with one of several, which stand between blanks: ".parquet .pq".
inline bool HasExtension(std::string_view path, std::string_view extensions) {
  while (!extensions.empty()) {
    const std::string_view extension = extensions.substr(0, extensions.find(' '));
    if (path.ends_with(extension)) return true;
    extensions.remove_prefix(std::min(extension.size() + 1, extensions.size()));
  }
  return false;
}

}  // namespace slm
