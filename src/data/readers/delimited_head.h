#pragma once

// The head of a file of delimited text: what has to be known before its rows can be read.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/readers/dialect.h"
#include "data/table.h"

namespace slm {

struct DelimitedHead {
  std::string_view text;  // from the first line that was not skipped
  size_t lines_before = 0;
  Dialect dialect;
  bool has_header = false;
  size_t header_line = 0;                        // where titles seem to stand above the header
  size_t cells_below = 0;                        // of the first rows, if the header has others
  size_t body = 0;                               // where in the text the rows begin
  size_t first_line = 1;                         // of the rows
  std::vector<std::string> names;                // of the columns; all of them have one
  std::vector<std::vector<std::string>> sample;  // the first rows
  std::vector<std::string> remarks;              // on what looks odd

  // The line of the file in which the byte stands. Counts all lines before it.
  size_t LineAt(size_t offset) const;
};

// Finds delimiter and header, and names the columns. Throws a DataError for a binary file, an empty
// one, a row of more cells than a table may have, and two columns of one name.
DelimitedHead ReadHead(std::string_view text, const std::string& source,
                       const ReadOptions& options);

}  // namespace slm
