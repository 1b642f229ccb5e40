#pragma once

// JSON arrays as tables.

#include "data/readers/bytes.h"
#include "data/readers/reader.h"

namespace slm {

// An array of objects, whose keys name the columns, or of arrays, of which the first names them if
// it holds nothing but texts that differ. Values are numbers, texts, true, false and null; what is
// not of one type in all rows is text. A file of one object after the other is JSON lines, which
// DuckDB reads.
Table ReadJson(FileBytes& file, const ReadOptions& options, ThreadPool& pool);

// Whether a text begins as such an array does: "[{" or "[[", blanks aside.
bool LooksLikeJsonTable(std::string_view text);

}  // namespace slm
