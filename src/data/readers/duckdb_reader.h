#pragma once

// What DuckDB reads for us: Parquet, JSON lines, and the results of queries. Its extensions and the
// network are out of reach unless options.remote is set.

#include <string>
#include <string_view>

#include "data/readers/bytes.h"
#include "data/readers/reader.h"

namespace slm {

Table ReadParquet(FileBytes& file, const ReadOptions& options, ThreadPool& pool);
Table ReadJsonLines(FileBytes& file, const ReadOptions& options, ThreadPool& pool);

// The rows of one SELECT. It runs on one thread, so that sums and the order of rows are the same
// for any number of threads. `source` names it in messages. Throws a UsageError if it is not SQL or
// another statement, a DataError for all else that is wrong with it.
Table ReadQuery(std::string_view query, const std::string& source, const ReadOptions& options,
                ThreadPool& pool);

}  // namespace slm
