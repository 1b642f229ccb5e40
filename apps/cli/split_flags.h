#pragma once

// --split and --cv: how the rows are cut.

#include <array>

#include "base/options.h"
#include "data/splits/row_splitter.h"
#include "jobs/prepare.h"

namespace slm {

// A,B,C for parts drawn at random; group:COL or time:COL, with or without ",A,B,C" behind it, for
// the other rules.
OptionField SplitOption(std::array<double, 3>* shares, SplitRule* rule);

// N; group:COL or time:COL, with or without ",N" behind it (5).
OptionField CrossValidationOption(int* folds, SplitRule* rule);

// With folds that judge, no rows of the data are kept for testing. Throws a UsageError for -k auto.
void ValidateCrossValidation(bool auto_k, SelectRequest* request);

}  // namespace slm
