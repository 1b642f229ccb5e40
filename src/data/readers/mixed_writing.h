#pragma once

// Columns of numbers or dates that stay text because of the way in which they are written.

#include <optional>
#include <string>

#include "data/readers/type_evidence.h"
#include "data/table.h"

namespace slm {

struct MixedWriting {
  std::string why;     // the column is text
  std::string remark;  // what was seen, and what to do
};

// Finds numbers of several currencies, numbers with letters behind them, and dates with years of
// two and of four digits.
std::optional<MixedWriting> FindMixedWriting(const Column& column, const Evidence& evidence,
                                             const Table& table);

}  // namespace slm
