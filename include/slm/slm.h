#pragma once

// slm: exactly the k columns that predict a target best.
//
//   std::vector<float> x = ...;   // rows x columns, row by row; NaN is a missing cell
//   std::vector<int> classes = ...;
//   slm::Selection s = slm::Select({x.data(), rows, columns}, classes, 10);
//   for (int column : s.columns) ...
//
// The same input, options and seed give the same bits, whatever the number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/errors.h"
#include "slm/matrix.h"
#include "slm/model.h"
#include "slm/options.h"
#include "slm/predictor.h"
#include "slm/problem.h"
#include "slm/selector.h"

namespace slm {

struct SelectOptions {
  SlmOptions slm;
  uint64_t seed = 0;
  int threads = 0;               // 0 for one for each core
  double valid_share = 0.125;    // rows kept apart to choose by
  Observer* observer = nullptr;  // progress and early end; may be null
  // Your own parts; empty for those of the library.
  PredictorFactory make_predictor;
  Selector* selector = nullptr;
};

struct Selection {
  std::vector<int> columns;    // exactly k, best first
  std::vector<float> weights;  // of each of them
  double valid_quality = 0;    // accuracy, or minus the mean absolute error, on the rows kept apart
  FittedModel model;           // the predictor, to predict with or to save; empty if it is your own
};

// The best k columns for classes 0, 1, 2 ..., or for values. Columns that are constant or repeat an
// earlier one are never chosen. Throws InputError for what the caller can fix.
Selection Select(MatrixView<const float> x, std::span<const int> classes, int k,
                 const SelectOptions& options = {});
Selection Select(MatrixView<const float> x, std::span<const float> values, int k,
                 const SelectOptions& options = {});

// One of the methods that `slm methods` lists, with its own defaults.
std::unique_ptr<Selector> MakeSelector(std::string_view method);

}  // namespace slm
