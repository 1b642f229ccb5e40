#pragma once

// Several files as one table: their rows one after the other, in the order of the names.

#include <functional>
#include <string>
#include <vector>

#include "data/readers/reader.h"

namespace slm {

// The files that `path` means, sorted: itself if there is such a file or it has none of *, ? and [;
// otherwise those that match it. Throws a DataError if none does.
std::vector<std::string> MatchingFiles(const std::string& path);

using ReadOneFile = std::function<Table(const std::string& path, const ReadOptions& options)>;

// Every file must have the columns of the first, in the same order; libsvm files, which say nothing
// of columns that are zero in all their rows, are padded to the widest. Where files of text suggest
// different types or formats of a column, the cells of all decide. Throws a DataError that names
// the file and the column that differs.
Table JoinFiles(const std::string& source, const std::vector<std::string>& files,
                const ReadOptions& options, const ReadOneFile& read);

}  // namespace slm
