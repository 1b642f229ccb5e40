// The requests of slm/slm.h: checked, carried out, and their results seen from outside.

#include <utility>

#include "base/json_reader.h"
#include "base/thread_pool.h"
#include "jobs/execute.h"
#include "jobs/predict.h"
#include "jobs/requests.h"
#include "model/predict.h"
#include "selectors/catalog.h"
#include "slm/slm.h"

namespace slm {
namespace {

constexpr int kIndent = 2;

// Public result Seen from what the job of the request finds, on its files or on `tables`.
template <class Seen, class Request>
Seen Run(std::string_view command, const Request& request, const Tables* tables) {
  ValidateRequest(request);
  if (tables != nullptr) {
    Job job(command, request, *tables);
    auto found = Execute(request, job);
    return Seen(std::make_shared<const decltype(found)>(std::move(found)));
  }
  Job job(command, request);
  auto found = Execute(request, job);
  return Seen(std::make_shared<const decltype(found)>(std::move(found)));
}

}  // namespace

SelectResult Select(const SelectRequest& request) {
  return Run<SelectResult>("select", request, nullptr);
}
SelectResult Select(const SelectRequest& request, const Tables& tables) {
  return Run<SelectResult>("select", request, &tables);
}
CompareResult Compare(const CompareRequest& request) {
  return Run<CompareResult>("compare", request, nullptr);
}
CompareResult Compare(const CompareRequest& request, const Tables& tables) {
  return Run<CompareResult>("compare", request, &tables);
}
TuneResult Tune(const TuneRequest& request) { return Run<TuneResult>("tune", request, nullptr); }
TuneResult Tune(const TuneRequest& request, const Tables& tables) {
  return Run<TuneResult>("tune", request, &tables);
}
KPath FindPath(const PathRequest& request) { return Run<KPath>("path", request, nullptr); }
KPath FindPath(const PathRequest& request, const Tables& tables) {
  return Run<KPath>("path", request, &tables);
}
StabilityReport MeasureStability(const StabilityRequest& request) {
  return Run<StabilityReport>("stability", request, nullptr);
}
StabilityReport MeasureStability(const StabilityRequest& request, const Tables& tables) {
  return Run<StabilityReport>("stability", request, &tables);
}

Predictions Predict(const PredictRequest& request) { return Execute(request).predictions; }
Predictions Predict(const FittedModel& model, const Table& table, int threads) {
  ThreadPool pool(threads);
  return PredictTable(model, table, false, pool).predictions;
}
Table Apply(const ApplyRequest& request) { return Execute(request).chosen; }
Table Apply(const FittedModel& model, const Table& table) {
  return ApplyModel(model, table).chosen;
}

template <class Request>
std::string ToJson(const Request& request) {
  return RequestToJson(request).Dump(kIndent);
}
template <class Request>
Request FromJson(std::string_view json) {
  Request request;
  FillRequest(ParseJson(json), &request);
  return request;
}
#define SLM_REQUEST(name)                           \
  template std::string ToJson(const name& request); \
  template name FromJson(std::string_view json)
SLM_REQUEST(SelectRequest);
SLM_REQUEST(CompareRequest);
SLM_REQUEST(TuneRequest);
SLM_REQUEST(PathRequest);
SLM_REQUEST(StabilityRequest);
SLM_REQUEST(PredictRequest);
SLM_REQUEST(ApplyRequest);
#undef SLM_REQUEST

std::vector<std::string> MethodNames() {
  std::vector<std::string> names;
  for (const MethodEntry& method : Methods()) names.emplace_back(method.name);
  return names;
}

std::vector<RankedFeature> SelectResult::features() const {
  std::vector<RankedFeature> features;
  for (const SelectedFeature& one : found_->selected) {
    features.push_back({one.name, one.index, one.weight, one.importance, one.importance_sd,
                        one.kept, one.p_value, one.q_value, one.significant, one.columns});
  }
  return features;
}
std::vector<SelectResult::Tested> SelectResult::tested() const {
  std::vector<Tested> tested;
  if (!found_->significance) return tested;
  for (const TestedColumn& one : found_->significance->columns) {
    tested.push_back(
        {one.name, one.index, one.statistic, one.p_value, one.q_value, one.significant});
  }
  return tested;
}
const std::vector<TriedSet>& SelectResult::tried() const { return found_->tried; }
const std::string& SelectResult::metric() const { return found_->metric; }
double SelectResult::valid() const { return found_->valid_metric; }
std::optional<double> SelectResult::test() const { return found_->test_metric; }
SelectResult::Evidence SelectResult::evidence() const {
  const MetricEvidence& own = found_->evidence;
  const bool tested = found_->test_metric.has_value();
  auto pick = [&](const auto& rows) { return tested ? rows->test : rows->valid; };
  Evidence seen;
  if (own.interval) {
    if (const auto interval = pick(own.interval)) {
      seen.low = (*interval)[0];
      seen.high = (*interval)[1];
    }
  }
  if (own.baseline) seen.baseline = pick(own.baseline);
  if (own.all_columns) seen.all_columns = pick(own.all_columns);
  return seen;
}
const std::vector<Warning>& SelectResult::warnings() const { return found_->data.warnings; }
std::optional<double> SelectResult::cross_validated() const {
  if (!found_->cross_validation) return std::nullopt;
  return found_->cross_validation->Metric().mean;
}
std::optional<double> SelectResult::p_value() const {
  if (!found_->null) return std::nullopt;
  return found_->null->Share();
}
bool SelectResult::stopped_early() const { return found_->stopped_early; }
const FittedModel& SelectResult::model() const { return found_->model; }
std::string SelectResult::ToJson() const { return found_->ToJson().Dump(kIndent); }

std::vector<CompareResult::Row> CompareResult::rows() const {
  std::vector<Row> rows;
  for (const ComparisonRow& row : found_->rows) {
    const Spread spread = row.Metric();
    rows.push_back({row.method, spread.mean, spread.sd, row.Failure()});
  }
  return rows;
}
const std::string& CompareResult::metric() const { return found_->metric; }
bool CompareResult::stopped_early() const { return found_->stopped_early; }
std::string CompareResult::ToJson() const { return found_->ToJson().Dump(kIndent); }

const std::vector<OptionSetting>& TuneResult::best() const { return found_->best().settings; }
const std::string& TuneResult::metric() const { return found_->metric; }
double TuneResult::valid() const { return found_->valid_metric; }
std::optional<double> TuneResult::test() const { return found_->test_metric; }
bool TuneResult::stopped_early() const { return found_->stopped_early; }
std::string TuneResult::ToJson() const { return found_->ToJson().Dump(kIndent); }

std::vector<KPath::Point> KPath::points() const {
  std::vector<Point> points;
  for (const PathPoint& point : found_->points) {
    points.push_back({point.k, point.Method().mean, point.Random().mean});
  }
  return points;
}
int KPath::k() const { return found_->chosen_k; }
const std::string& KPath::metric() const { return found_->metric; }
bool KPath::stopped_early() const { return found_->stopped_early; }
std::string KPath::ToJson() const { return found_->ToJson().Dump(kIndent); }

std::vector<StabilityReport::Row> StabilityReport::rows() const {
  std::vector<Row> rows;
  for (const StabilityRow& row : found_->rows) {
    const StabilityIndex& index = row.stability;
    rows.push_back({row.method, index.index, index.interval[0], index.interval[1], row.failure});
  }
  return rows;
}
bool StabilityReport::stopped_early() const { return found_->stopped_early; }
std::string StabilityReport::ToJson() const { return found_->ToJson().Dump(kIndent); }

}  // namespace slm
