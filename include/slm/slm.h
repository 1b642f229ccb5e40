#pragma once

// slm: exactly the k columns that predict a target best.
//
//   std::vector<float> x = ...;   // rows x columns, row by row; NaN is a missing cell
//   std::vector<int> classes = ...;
//   slm::Selection s = slm::Select({x.data(), rows, columns}, classes, 10);
//   for (int column : s.columns) ...
//
// With files or tables, any method and everything that the command line can do, fill a request:
//
//   slm::SelectRequest request;
//   request.data = {"houses.csv"};
//   request.target = "price";
//   request.k = 10;
//   for (const slm::RankedFeature& feature : slm::Select(request).features()) ...
//
// The same input, options and seed give the same bits, whatever the number of threads.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/context.h"
#include "slm/errors.h"
#include "slm/matrix.h"
#include "slm/model.h"
#include "slm/options.h"
#include "slm/predictor.h"
#include "slm/problem.h"
#include "slm/requests.h"
#include "slm/results.h"
#include "slm/selector.h"
#include "slm/table.h"

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

// Requests carried out, on their files or on tables in memory. All throw InputError for what the
// caller can fix, with every complaint about the request at once, and RuntimeFailure for what
// failed otherwise.
SelectResult Select(const SelectRequest& request);
SelectResult Select(const SelectRequest& request, const Tables& tables);
CompareResult Compare(const CompareRequest& request);
CompareResult Compare(const CompareRequest& request, const Tables& tables);
TuneResult Tune(const TuneRequest& request);
TuneResult Tune(const TuneRequest& request, const Tables& tables);
KPath FindPath(const PathRequest& request);
KPath FindPath(const PathRequest& request, const Tables& tables);
StabilityReport MeasureStability(const StabilityRequest& request);
StabilityReport MeasureStability(const StabilityRequest& request, const Tables& tables);

// New data through a model: from their files, or a table in memory.
Predictions Predict(const PredictRequest& request);
Predictions Predict(const FittedModel& model, const Table& table, int threads = 0);
Table Apply(const ApplyRequest& request);  // the chosen columns
Table Apply(const FittedModel& model, const Table& table);

// A request as JSON, and back; for each of the requests above.
template <class Request>
std::string ToJson(const Request& request);
template <class Request>
Request FromJson(std::string_view json);

// The methods of the catalog, sorted.
std::vector<std::string> MethodNames();

// One of the methods that `slm methods` lists, with its own defaults.
std::unique_ptr<Selector> MakeSelector(std::string_view method);

}  // namespace slm
