#include "eval/select.h"

#include <algorithm>
#include <chrono>

#include "base/options.h"
#include "base/text.h"
#include "base/version.h"
#include "data/split.h"
#include "data/value_codes.h"
#include "data/weights.h"
#include "eval/metrics.h"
#include "nn/fit.h"
#include "slm/errors.h"
#include "slm/trainer.h"

namespace slm {
namespace {

// Rows of one part and the table they are in.
struct Part {
  const Table* table;
  std::vector<size_t> rows;
};

struct Parts {
  Part train, valid, test;
};

Parts CutRows(const SelectTables& tables, const SelectRequest& request, size_t target, Task task) {
  std::array<double, 3> shares =
      SharesOfDataFile(request.split, tables.valid.has_value(), tables.test.has_value());
  std::vector<int32_t> classes;
  if (task == Task::kClassification) classes = ClassOfRows(tables.data, target);
  Split split = SplitRows(tables.data.rows, classes, shares, request.seed);
  auto part = [&](const std::optional<Table>& own, std::vector<size_t>& cut) {
    return own ? Part{&*own, AllIndices(own->rows)} : Part{&tables.data, std::move(cut)};
  };
  return {Part{&tables.data, std::move(split.train)}, part(tables.valid, split.valid),
          part(tables.test, split.test)};
}

// The columns that may be chosen; the others are in `dropped` with the reason.
std::vector<size_t> FeatureColumns(const Table& table, const SelectRequest& request, size_t target,
                                   std::vector<DroppedColumn>* dropped) {
  for (const std::string& name : request.drop) {
    if (table.IndexOf(name) == target) {
      throw UsageError("--drop names the target '" + name + "'; leave it out of the list");
    }
  }
  std::vector<size_t> columns;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c].name;
    if (c == target || (!request.weights.empty() && name == request.weights)) continue;
    if (std::find(request.drop.begin(), request.drop.end(), name) != request.drop.end()) {
      dropped->push_back({name, "dropped by the user"});
    } else {
      columns.push_back(c);
    }
  }
  return columns;
}

void CheckK(int k, size_t usable, const std::vector<DroppedColumn>& dropped) {
  if (k < 1) throw UsageError("k is " + FormatNumber(k) + "; it must be at least 1");
  if (static_cast<size_t>(k) <= usable) return;
  std::string why = dropped.empty()
                        ? ""
                        : " (" + std::to_string(dropped.size()) + " more cannot be chosen; '" +
                              dropped[0].name + "' is " + dropped[0].reason + ")";
  throw DataError("k is " + FormatNumber(k) + ", but only " + std::to_string(usable) +
                  " columns can be chosen" + why + "; lower -k");
}

// The predictor for methods that only rank.
Model FitChosen(const Problem& problem, const std::vector<int>& features, uint64_t seed,
                const Context& context) {
  std::vector<int32_t> ascending(features.begin(), features.end());
  std::sort(ascending.begin(), ascending.end());
  return Fit(problem.train, problem.valid, ColumnsOf(problem.layout, ascending), {},
             RandomStream(seed, 0), context)
      .model;
}

}  // namespace

SelectionResult SelectFromTable(const SelectTables& tables, const SelectRequest& request,
                                std::string_view method, Selector& selector,
                                const Context& context) {
  if (request.k < 1) CheckK(request.k, 0, {});
  const auto start = Context::Clock::now();
  const size_t target = tables.data.IndexOf(request.target);
  RequireTarget(tables.data, target);
  SelectionResult result;
  result.method = method;
  result.request = request;
  result.task = DecideTask(tables.data, target, request.task);
  const Metric& metric = FindMetric(request.metric, result.task);
  const Parts parts = CutRows(tables, request, target, result.task);

  const std::vector<size_t> columns = FeatureColumns(tables.data, request, target, &result.dropped);
  const Encoder encoder = Encoder::Fit(tables.data, parts.train.rows, columns, {}, *context.pool);
  result.dropped.insert(result.dropped.end(), encoder.dropped().begin(), encoder.dropped().end());
  CheckK(request.k, encoder.layout().features(), result.dropped);
  const TargetEncoder target_encoder =
      TargetEncoder::Fit(tables.data, target, result.task, parts.train.rows);
  const WeightRule weights = WeightRule::Fit(tables.data, parts.train.rows,
                                             target_encoder.Encode(tables.data, parts.train.rows),
                                             request.weights, request.balanced);
  auto encode = [&](const Part& part) {
    Dataset data;
    data.x = encoder.Encode(*part.table, part.rows, *context.pool);
    data.y = target_encoder.Encode(*part.table, part.rows);
    data.weight = weights.Weights(*part.table, part.rows, data.y);
    return data;
  };
  Problem problem{.layout = encoder.layout(),
                  .train = encode(parts.train),
                  .valid = encode(parts.valid),
                  .test = {},
                  .value_codes = [&](int bins) {
                    std::vector<int32_t> sources, rows;
                    for (const FeatureEncoding& f : encoder.features()) {
                      sources.push_back(static_cast<int32_t>(f.source_column));
                    }
                    for (size_t row : parts.train.rows) rows.push_back(static_cast<int32_t>(row));
                    return BuildValueCodes(tables.data, sources, rows, bins);
                  }};
  Choice choice = selector.Select(problem, request.k, request.seed, context);
  result.stopped_early = context.ShouldStop();
  if (!choice.model.predictor) {
    choice.model = FitChosen(problem, choice.features, request.seed, context);
  }

  for (size_t i = 0; i < choice.features.size(); ++i) {
    const size_t j = static_cast<size_t>(choice.features[i]);
    const FeatureEncoding& feature = encoder.features()[j];
    result.selected.push_back({static_cast<int>(i) + 1, feature.name,
                               static_cast<int>(feature.source_column), choice.weights[j]});
  }
  // The test rows enter here, once.
  auto measure = [&](const Dataset& data) {
    return metric.measure(Scores(choice.model, data), data, target_encoder.sd());
  };
  result.metric = metric.name;
  result.valid_metric = measure(problem.valid);
  if (!parts.test.rows.empty()) result.test_metric = measure(encode(parts.test));
  result.rows = parts.train.rows.size() + parts.valid.rows.size() + parts.test.rows.size();
  result.features = columns.size();
  result.train = parts.train.rows.size();
  result.valid = parts.valid.rows.size();
  result.test = parts.test.rows.size();
  OptionList options;
  selector.DescribeOptions(options);
  result.options = options.ToJson();
  result.fit_seconds = std::chrono::duration<double>(Context::Clock::now() - start).count();
  return result;
}

Json SelectionResult::ToJson() const {
  Json data = Json::MakeObject();
  data.Add("rows", rows);
  data.Add("features", features);
  data.Add("train", train);
  data.Add("valid", valid);
  data.Add("test", test);
  Json dropped_json = Json::MakeArray();
  for (const DroppedColumn& column : dropped) {
    Json item = Json::MakeObject();
    item.Add("name", column.name);
    item.Add("reason", column.reason);
    dropped_json.Push(std::move(item));
  }
  data.Add("dropped", std::move(dropped_json));

  Json selected_json = Json::MakeArray();
  for (const SelectedFeature& feature : selected) {
    Json item = Json::MakeObject();
    item.Add("rank", feature.rank);
    item.Add("name", feature.name);
    item.Add("index", feature.index);
    item.Add("weight", feature.weight);
    selected_json.Push(std::move(item));
  }

  Json metrics = Json::MakeObject();
  metrics.Add("name", metric);
  metrics.Add("valid", valid_metric);
  metrics.Add("test", test_metric ? Json(*test_metric) : Json(nullptr));

  Json seconds = Json::MakeObject();
  seconds.Add("read", read_seconds);
  seconds.Add("fit", fit_seconds);
  seconds.Add("total", total_seconds);

  Json json = Json::MakeObject();
  json.Add("schema", "slm.selection/1");
  json.Add("version", Version());
  json.Add("method", method);
  json.Add("task", task == Task::kClassification ? "classification" : "regression");
  json.Add("target", request.target);
  json.Add("k", request.k);
  json.Add("seed", request.seed);
  json.Add("data", std::move(data));
  json.Add("selected", std::move(selected_json));
  json.Add("metrics", std::move(metrics));
  json.Add("seconds", std::move(seconds));
  json.Add("options", options);
  return json;
}

}  // namespace slm
