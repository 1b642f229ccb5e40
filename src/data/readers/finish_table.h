#pragma once

// What every reader does once its cells are read, so that the same content is the same table
// whatever the format.

#include <cstddef>
#include <string>

#include "data/readers/column_text.h"
#include "data/readers/reader.h"
#include "data/table.h"

namespace slm {

// Throws a DataError unless rows x columns numbers of 8 bytes fit into max_bytes (0: half of the
// memory of this machine). For readers that know the size before the cells.
void CheckFits(const std::string& source, size_t rows, size_t columns, size_t max_bytes);

// The same for sparse files, where few bytes can stand for many cells: also at most kSparseFactor
// bytes of table for each byte of the file, 64 MiB being always allowed.
inline constexpr size_t kSparseFactor = 1000;
void CheckSparseFits(const std::string& source, size_t rows, size_t columns, size_t file_bytes,
                     size_t max_bytes);

// Makes a text column of codes in order of appearance: levels are sorted, codes follow.
void SortLevels(const TextDictionary& dictionary, Column* column);

// Throws a DataError that names the first cell that is infinite.
void CheckFinite(const Table& table);

// Makes cells missing that hold one of the words or numbers of options.na.
void RemoveNaWords(const std::vector<std::string>& words, Column* column);

// For readers of typed formats, once names, numbers and sorted levels stand: names what has no
// name, types texts that are dates or booleans and what options.types names, and throws a DataError
// for a table without rows or columns, for two columns of one name and for infinity.
void FinishTable(const ReadOptions& options, Table* table);

}  // namespace slm
