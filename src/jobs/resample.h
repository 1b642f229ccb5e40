#pragma once

// Ways to draw rows again and again: folds, subsamples, bootstrap. All draw from the rows of the
// data table that are not for testing, by the rule of the request; at random they keep the share of
// every class.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/splits/row_splitter.h"
#include "jobs/prepare.h"

namespace slm {

class Resampler {
 public:
  // The tables must outlive this. Throws InputError as Preparation does.
  Resampler(const Tables& tables, const SelectionSpec& request);

  // Each of `folds` parts held out for testing in turn; the rest is cut into rows for training and
  // validation by the ratio of the request, unless validation has a file of its own.
  std::vector<RowParts> Folds(size_t folds) const;

  // A share of the rows for training and validation, none for testing.
  RowParts Subsample(double share, uint64_t seed) const;

  // Training rows drawn with replacement, inside each class as many as it has. Validation rows
  // stay apart and are drawn once.
  RowParts Bootstrap(uint64_t seed) const;

 private:
  RowParts Parts(Split split) const;

  const Tables& tables_;
  const uint64_t seed_;
  std::vector<int32_t> strata_;
  const RowSplitter splitter_;
  const bool by_time_;
  std::vector<size_t> rows_;  // ascending
  double valid_share_;        // of rows to learn from; 0 if validation has a file
};

}  // namespace slm
