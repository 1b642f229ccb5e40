#pragma once

// Tables as CSV text that reads back as the same table.

#include <cstddef>
#include <string>

#include "data/table.h"

namespace slm {

// Rows [begin, end) under the header, to a file. The text of the whole table is never held.
void WriteCsv(const Table& table, size_t begin, size_t end, const std::string& path);

// A cell as WriteCsv writes it, without quotes; empty if it is missing.
std::string CellText(const Column& column, size_t row);

void AppendCsvHeader(const Table& table, std::string* out);
// Rows [begin, end).
void AppendCsvRows(const Table& table, size_t begin, size_t end, std::string* out);

}  // namespace slm
