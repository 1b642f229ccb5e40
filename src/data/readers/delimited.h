#pragma once

// Delimited text (CSV, TSV and their kin) to a table, in parallel over chunks of whole rows.

#include <string>
#include <string_view>

#include "data/readers/reader.h"

namespace slm {

// `source` names the text in messages and in the table. See ReadTable.
Table ReadDelimited(std::string_view text, const std::string& source, const ReadOptions& options,
                    ThreadPool& pool);

}  // namespace slm
