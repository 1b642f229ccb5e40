#pragma once

// Tables from files. A format is one line in a table in reader.cc.

#include <cstddef>
#include <string>

#include "base/thread_pool.h"
#include "data/table.h"

namespace slm {

class OptionList;

struct ReadOptions {
  enum class Format { kAuto, kCsv, kTsv };
  enum class Delimiter : char { kAuto, kComma = ',', kTab = '\t', kSemicolon = ';', kSpace = ' ' };
  enum class Header { kAuto, kYes, kNo };

  Format format = Format::kAuto;  // by the extension; csv if that says nothing
  Delimiter delimiter = Delimiter::kAuto;
  Header header = Header::kAuto;
  size_t max_bytes = 0;  // of decompressed content; 0 is half of the memory of this machine

  // A table whose column types this file must share, by name: for validation and test files, whose
  // own rows may suggest other types. May be null; must outlive the call.
  const Table* like = nullptr;
};

// Adds format, delimiter and header.
void DescribeOptions(ReadOptions* options, OptionList* list);

// Reads the table in `path` ("-" is standard input), gzip or zstd compressed or not. Cells that are
// empty, NA, NaN, null or ? are missing. A column is numeric, boolean or date if all its cells are,
// else text. Throws a DataError that names file, line, column and the fix. The result does not
// depend on the number of threads.
Table ReadTable(const std::string& path, const ReadOptions& options, ThreadPool& pool);

}  // namespace slm
