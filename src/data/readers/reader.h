#pragma once

// Tables from files and queries: the one way in. A format is one line in a table in reader.cc.

#include <cstddef>
#include <span>
#include <string>

#include "base/thread_pool.h"
#include "data/table.h"

namespace slm {

class OptionList;

// Adds format, delimiter, header and remote.
void DescribeOptions(ReadOptions* options, OptionList* list);

// Reads the table in `path`, gzip or zstd compressed or not. It is a file; "-", which is standard
// input; a pattern with *, ? or [, which means all files that match it, as one table; or a query
// that begins with SELECT, WITH or FROM. docs/reference/formats.md has what each format means.
//
// In text, cells that are empty, NA, NaN, null or ? are missing, and a column is numeric, boolean
// or date if all its cells are, else text. Throws a DataError that names file, line, column and the
// fix; a RuntimeFailure if the format needs DuckDB and there is none. The result does not depend on
// the number of threads.
Table ReadTable(const std::string& path, const ReadOptions& options, ThreadPool& pool);

// Several of them, in this order, as one table: files and patterns, but neither standard input nor
// queries. A single one may be anything that ReadTable takes.
Table ReadTables(std::span<const std::string> paths, const ReadOptions& options, ThreadPool& pool);

}  // namespace slm
