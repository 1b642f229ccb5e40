// The public functions of slm/slm.h, on top of selection from a table.

#include <cmath>
#include <string>

#include "base/options.h"
#include "base/thread_pool.h"
#include "jobs/select.h"
#include "search/describe_options.h"
#include "search/search.h"
#include "selectors/catalog.h"
#include "slm/slm.h"

namespace slm {
namespace {

class SlmWithPredictor : public Selector {
 public:
  SlmWithPredictor(const SlmOptions& options, const PredictorFactory& make_predictor)
      : options_(options), make_predictor_(make_predictor) {}

  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return SearchMask(problem, k, options_, seed, context, make_predictor_);
  }
  void DescribeOptions(OptionList& list) override { slm::DescribeOptions(options_, list); }

 private:
  SlmOptions options_;
  const PredictorFactory& make_predictor_;
};

template <class Label>
Selection SelectFromMatrix(MatrixView<const float> x, std::span<const Label> labels,
                           const Target& target, TaskChoice task, int k,
                           const SelectOptions& options) {
  if (labels.size() != x.rows) {
    throw DataError("there are " + std::to_string(x.rows) + " rows, but " +
                    std::to_string(labels.size()) + " labels; pass one for each row");
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    if (std::isinf(static_cast<double>(labels[i]))) {
      throw DataError("the label of row " + std::to_string(i) + " is infinite; leave the row out");
    }
  }
  Tables tables{.data = TableFromMatrix(x), .valid = {}, .test = {}};
  tables.data.columns.push_back({.name = "target",
                                 .type = ColumnType::kNumeric,
                                 .numbers = {labels.begin(), labels.end()},
                                 .codes = {},
                                 .levels = {}});

  SlmWithPredictor slm(options.slm, options.make_predictor);
  OptionList list;
  slm.DescribeOptions(list);
  list.Validate();
  SelectionSpec request;
  request.target = "target";
  request.k = k;
  request.task = task;
  request.split = {1 - options.valid_share, options.valid_share, 0};
  request.seed = options.seed;
  request.metric = target.default_metric();
  request.explain = false;
  ThreadPool pool(options.threads);
  Context context{.pool = &pool, .observer = options.observer};
  SelectionResult result = SelectFromTable(
      tables, request, "", options.selector != nullptr ? *options.selector : slm, context);
  Selection selection;
  for (const SelectedFeature& feature : result.selected) {
    selection.columns.push_back(feature.index);
    selection.weights.push_back(*feature.weight);
  }
  selection.model = result.model;
  selection.valid_quality = FindMetric("auto", target.task()).larger_is_better
                                ? result.valid_metric
                                : -result.valid_metric;
  return selection;
}

}  // namespace

Selection Select(MatrixView<const float> x, std::span<const int> classes, int k,
                 const SelectOptions& options) {
  return SelectFromMatrix(x, classes, ClassTarget(), TaskChoice::kClassification, k, options);
}

Selection Select(MatrixView<const float> x, std::span<const float> values, int k,
                 const SelectOptions& options) {
  return SelectFromMatrix(x, values, ValueTarget(), TaskChoice::kRegression, k, options);
}

std::unique_ptr<Selector> MakeSelector(std::string_view method) {
  return FindMethod(method).make();
}

}  // namespace slm
