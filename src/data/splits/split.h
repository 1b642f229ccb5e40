#pragma once

// Which rows train, which validate, which test.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slm {

struct Split {
  std::vector<size_t> train;  // ascending, as the others
  std::vector<size_t> valid;
  std::vector<size_t> test;
};

// The shares of train, validation and test to cut from the data file, given which of the others
// come as files of their own. With a test file alone validation is an eighth of the rows; with
// both, all rows train; with a validation file alone the shares of train and test keep their ratio.
std::array<double, 3> SharesOfDataFile(std::array<double, 3> shares, bool has_valid_file,
                                       bool has_test_file);

// Cuts `rows` rows at random by shares that sum to 1. `classes` holds the class of each row, empty
// for regression: every class then has its share of every part, and a class with as many rows as
// there are parts is in each of them. Throws a UsageError for shares that are no shares, and a
// DataError if a part would have no rows.
Split SplitRows(size_t rows, std::span<const int32_t> classes, std::array<double, 3> shares,
                uint64_t seed);

// Cuts `rows` (indices into `classes`, which is empty for regression) at random into `folds` parts,
// each to be held out in turn, with the share of every class in each part. A class of one row is
// never held out: somebody has to learn it. Throws a DataError if there are fewer rows than folds.
std::vector<std::vector<size_t>> FoldRows(std::span<const size_t> rows,
                                          std::span<const int32_t> classes, size_t folds,
                                          uint64_t seed);

}  // namespace slm
