#include "eval/select.h"

#include <chrono>

#include "base/options.h"
#include "base/version.h"
#include "eval/ensemble.h"

namespace slm {
namespace {

double SecondsSince(Context::Clock::time_point start) {
  return std::chrono::duration<double>(Context::Clock::now() - start).count();
}

}  // namespace

SelectionResult SelectFromTable(const SelectTables& tables, const SelectRequest& request,
                                std::string_view method, Selector& selector,
                                const Context& context) {
  const auto start = Context::Clock::now();
  const Preparation prepared(tables, request, *context.pool);
  CheckMemory(method, selector, prepared.problem(), request.k);
  SelectionResult result;
  result.method = method;
  result.request = request;
  result.data = prepared.summary();
  result.metric = prepared.metric().name;

  const auto select_start = Context::Clock::now();
  EnsembleChoice ensemble;
  Choice& choice = ensemble.choice;
  if (request.ensemble == 1) {
    choice = selector.Select(prepared.problem(), request.k, request.seed, context);
  } else {
    ensemble = SelectByMean(prepared.problem(), request.k, request.seed, request.ensemble, selector,
                            context);
  }
  result.select_seconds = SecondsSince(select_start);
  result.stopped_early = context.ShouldStop();
  result.selected = prepared.Describe(choice);
  for (size_t i = 0; i < ensemble.frequency.size(); ++i) {
    result.selected[i].frequency = ensemble.frequency[i];
  }
  if (!choice.model.predictor) {
    choice.model = FitChosen(prepared.problem(), choice.features, request.seed, context);
  }
  result.valid_metric = prepared.Validate(choice.model);
  result.test_metric = prepared.Test(choice.model);
  OptionList options;
  selector.DescribeOptions(options);
  result.options = options.ToJson();
  result.fit_seconds = SecondsSince(start);
  return result;
}

Json SelectionResult::ToJson() const {
  Json metrics = Json::MakeObject();
  metrics.Add("name", metric);
  metrics.Add("valid", valid_metric);
  metrics.Add("test", test_metric ? Json(*test_metric) : Json(nullptr));

  Json seconds = Json::MakeObject();
  seconds.Add("read", read_seconds);
  seconds.Add("select", select_seconds);
  seconds.Add("fit", fit_seconds);
  seconds.Add("total", total_seconds);

  Json json = Json::MakeObject();
  json.Add("schema", "slm.selection/1");
  json.Add("version", Version());
  json.Add("method", method);
  json.Add("task", data.TaskName());
  json.Add("target", request.target);
  json.Add("k", request.k);
  json.Add("seed", request.seed);
  json.Add("data", data.ToJson());
  json.Add("selected", SelectedToJson(selected));
  json.Add("metrics", std::move(metrics));
  json.Add("seconds", std::move(seconds));
  json.Add("options", options);
  if (request.ensemble > 1) json.Add("ensemble", request.ensemble);
  if (k_path) json.Add("k_path", *k_path);
  return json;
}

}  // namespace slm
