#pragma once

// Codes of equal values for the pair term (kernels/pair_term.h), of training rows only.

#include <cstdint>
#include <span>
#include <vector>

#include "data/table.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// A column with a smaller share of equal pairs of rows is sparse: visiting its few ties in a batch
// costs less than comparing all pairs.
inline constexpr double kSparseShare = 0.003;

// Codes for each of `columns`, over `rows` of the table in their order. Two rows share a code where
// their raw values are equal; all missing cells of a column share one of their own. With mi_bins >=
// 2 numeric columns of more than mi_bins values are coded by quantile bins instead, so that rows
// with close values count as equal. O(rows) for a column, O(rows log rows) with bins.
std::vector<ValueCodes> BuildValueCodes(const Table& table, std::span<const int32_t> columns,
                                        std::span<const int32_t> rows, int mi_bins);

// Codes of a feature of several columns: rows are alike where they are alike in each of them.
ValueCodes JoinCodes(std::span<const ValueCodes> columns, size_t rows);

// The same for every column of a matrix in memory; NaN is a missing cell.
std::vector<ValueCodes> BuildValueCodes(MatrixView<const float> x, int mi_bins);

}  // namespace slm
