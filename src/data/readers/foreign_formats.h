#pragma once

// Files that are tables, or could be taken for one, and that this program does not read.

#include <string>
#include <string_view>

namespace slm {

// Throws a DataError that names the format and what to do, if the first bytes or the name are those
// of a format that is known and not read. `name` may be in upper or lower case.
void RefuseForeignFormat(std::string_view name, std::string_view bytes, const std::string& source);

}  // namespace slm
