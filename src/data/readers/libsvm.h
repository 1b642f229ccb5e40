#pragma once

// The sparse text of libsvm and svmlight: "label index:value index:value ... # remark", one row to
// a line, indices rising.

#include <string>
#include <string_view>

#include "data/readers/reader.h"

namespace slm {

// Columns: target; qid if any row has one; then f1, f2, ... (from f0 if an index is 0), as many as
// the largest index says, and those of options.like. What a row does not name is 0.
Table ReadLibsvm(std::string_view text, const std::string& source, const ReadOptions& options,
                 ThreadPool& pool);

}  // namespace slm
