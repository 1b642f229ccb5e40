#pragma once

// Workbooks as Excel and others save them: a zip archive of XML (ECMA-376).

#include <string>
#include <string_view>

#include "data/readers/reader.h"

namespace slm {

// One sheet: the one that the options name, or the first that is shown. It is read as if it had
// been saved as CSV, so that header and types are found as they are there, with line i for row i of
// the sheet. Dates are told by the format of their cells and become ISO 8601; errors such as
// #DIV/0! and the cells that a merged one covers are missing; a line end inside a cell becomes a
// blank.
Table ReadXlsx(std::string_view bytes, const std::string& source, const ReadOptions& options,
               ThreadPool& pool);

}  // namespace slm
