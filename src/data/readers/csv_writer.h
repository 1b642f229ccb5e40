#pragma once

// Tables as CSV text that reads back as the same table.

#include <cstddef>
#include <string>

#include "data/table.h"

namespace slm {

void AppendCsvHeader(const Table& table, std::string* out);

// Rows [begin, end): a caller that writes in pieces needs no text of the whole table.
void AppendCsvRows(const Table& table, size_t begin, size_t end, std::string* out);

}  // namespace slm
