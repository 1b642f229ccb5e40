#pragma once

// The training rows in folds, for methods that measure on rows which they have not learned from.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/problem.h"

namespace slm {

struct RowFold {
  Dataset learn, held_out;
  Dataset choose;                  // rows in neither, to choose between epochs by; may have none
  std::vector<int32_t> held_rows;  // which rows are held out; they ascend
};

// Copies of these rows.
Dataset RowsOf(const Dataset& data, std::span<const int32_t> rows, const Metric* metric);

// Holds the i-th row out in fold i modulo their number, rows of classes sorted by class, so that
// neither folds nor a class's rows in them differ by more than one: nothing is drawn. Rows without
// weight are in no part. With `choosing`, the rows that the next fold holds out are those to choose
// by. `option` names the field that asks for so many folds. Throws a DataError for fewer than two
// rows for each, and where a part would have none. The rows of a fold are copies.
std::vector<RowFold> DealFolds(const Problem& problem, int folds, bool choosing,
                               const char* option);

}  // namespace slm
