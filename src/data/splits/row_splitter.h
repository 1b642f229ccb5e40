#pragma once

// Cuts rows by a rule: at random with the share of every class in each part, with whole groups on
// one side, or with the past before the future.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "data/splits/split.h"
#include "data/table.h"
#include "slm/requests.h"

namespace slm {

// Rows to learn from, and rows held out to judge by; both ascending.
struct Fold {
  std::vector<size_t> learn, held_out;
};

class RowSplitter {
 public:
  // `classes` holds the class of each row of the table, empty for regression. Throws a DataError
  // for an unknown column, for cells of it that are missing, and for times that are text.
  RowSplitter(const Table& table, const SplitRule& rule, std::vector<int32_t> classes);

  // Parts of `rows` (ascending) by shares that sum to 1.
  //   group  the largest groups first, each where rows and classes lack most; the order of equal
  //          ones is drawn by the seed
  //   time   training before validation before test; rows of one time are never parted
  // Throws a DataError if a part would have no rows.
  Split Cut(const std::vector<size_t>& rows, std::array<double, 3> shares, uint64_t seed) const;

  // Each of `folds` parts of `rows` held out in turn, by the same rules; with time the rows are cut
  // into one part more, and each but the first is held out from those before it.
  std::vector<Fold> Folds(const std::vector<size_t>& rows, size_t folds, uint64_t seed) const;

  // A share of the rows, drawn at random: whole groups under that rule, else row by row.
  std::vector<size_t> Draw(const std::vector<size_t>& rows, double share, uint64_t seed) const;

 private:
  // Rows by part, with shares that sum to 1.
  std::vector<std::vector<size_t>> Deal(const std::vector<size_t>& rows,
                                        const std::vector<double>& shares, uint64_t seed) const;
  std::vector<std::vector<size_t>> DealGroups(const std::vector<size_t>& rows,
                                              const std::vector<double>& shares,
                                              uint64_t seed) const;
  std::vector<std::vector<size_t>> DealTimes(const std::vector<size_t>& rows,
                                             const std::vector<double>& shares) const;
  Split CutAtRandom(const std::vector<size_t>& rows, std::array<double, 3> shares,
                    uint64_t seed) const;
  void RequireRows(const std::vector<std::vector<size_t>>& parts,
                   const std::vector<double>& shares) const;

  const SplitRule rule_;
  const std::vector<int32_t> classes_;
  std::vector<int32_t> group_;  // of each row, dense from 0
  std::vector<double> time_;    // of each row
};

}  // namespace slm
