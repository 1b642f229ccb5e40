#include "jobs/compare.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <numeric>
#include <set>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "jobs/choice_archive.h"
#include "jobs/judge.h"
#include "jobs/keep_columns.h"
#include "jobs/side_by_side.h"

namespace slm {
namespace {

// Every feature, which is what a selection is held against.
class AllFeatures : public Selector {
 public:
  Choice Select(const Problem& problem, int, uint64_t, const Context&) override {
    Choice choice;
    const size_t d = problem.layout.features();
    choice.features.resize(d);
    std::iota(choice.features.begin(), choice.features.end(), 0);
    choice.weights.assign(d, 1.0f / static_cast<float>(d));
    choice.scores.assign(d, 0.0f);
    return choice;
  }
};

ComparedRun RunMethod(const ComparedMethod& method, const Preparation& prepared,
                      const CompareRequest& request, uint64_t seed, const Context& context) {
  ComparedRun run{.seed = seed, .failure = {}, .selected = {}, .test_metric = {}, .peak_bytes = {}};
  try {
    const int k = request.select.k;
    std::unique_ptr<Selector> selector = method.make();
    CheckMemory(method.name, *selector, prepared.problem(), k);
    Context own = context;
    const Clock::time_point start = Clock::now();
    if (request.time_limit > 0) own.deadline = start + SecondsLong(request.time_limit);
    if (request.memory != nullptr) request.memory->Start();
    Choice choice = SelectKept(*selector, prepared.problem(), k, seed, own);
    if (request.memory != nullptr) run.peak_bytes = request.memory->Peak();
    run.select_seconds = SecondsSince(start);
    if (context.ShouldStop()) return run;  // cut short: not what the method would have chosen
    run.late = own.ShouldStop();
    choice.model = {};
    run.selected = prepared.Describe(choice);
    const Clock::time_point refit_start = Clock::now();
    const Model model =
        Judge(prepared.problem(), choice.features, request.refits, seed, context).model;
    if (context.ShouldStop()) return run;
    run.valid_metric = prepared.Validate(model);
    run.test_metric = prepared.Test(model);
    run.refit_seconds = SecondsSince(refit_start);
    run.done = true;
  } catch (const CheckpointFailure&) {
    throw;  // not the method's fault
  } catch (const std::bad_alloc&) {
    run.failure = "out of memory";
  } catch (const std::exception& error) {
    run.failure = error.what();
  }
  return run;
}

void Serialize(Archive& archive, ComparedRun& run) {
  uint8_t done = run.done, late = run.late, tested = run.test_metric.has_value();
  uint8_t measured = run.peak_bytes.has_value();
  double test_metric = run.test_metric.value_or(0);
  uint64_t peak_bytes = run.peak_bytes.value_or(0);
  archive.Value(run.seed);
  archive.Value(done);
  archive.Value(late);
  archive.Text(run.failure);
  Serialize(archive, run.selected);
  archive.Value(run.valid_metric);
  archive.Value(tested);
  archive.Value(test_metric);
  archive.Value(run.select_seconds);
  archive.Value(run.refit_seconds);
  archive.Value(measured);
  archive.Value(peak_bytes);
  run.done = done != 0;
  run.late = late != 0;
  if (tested != 0) run.test_metric = test_metric;
  if (measured != 0) run.peak_bytes = peak_bytes;
}

// Longest first by what the runs so far took, so that the threads end together.
std::vector<size_t> OrderByTime(const std::vector<ComparisonRow>& rows) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto seconds = [&](size_t i) {
    double sum = 0;
    for (const ComparedRun& run : rows[i].runs) sum += run.select_seconds + run.refit_seconds;
    return sum;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return seconds(a) > seconds(b); });
  return order;
}

double Shared(const ComparedRun& a, const ComparedRun& b) {
  std::set<int> first;
  for (const SelectedFeature& feature : a.selected) first.insert(feature.index);
  size_t both = 0;
  for (const SelectedFeature& feature : b.selected) both += first.count(feature.index);
  return static_cast<double>(both) /
         static_cast<double>(std::min(a.selected.size(), b.selected.size()));
}

double MeanOverlap(const ComparisonRow& a, const ComparisonRow& b) {
  std::vector<double> shares;
  for (const ComparedRun& x : a.runs) {
    for (const ComparedRun& y : b.runs) {
      if (x.done && y.done && x.seed == y.seed) shares.push_back(Shared(x, y));
    }
  }
  return shares.empty() ? std::numeric_limits<double>::quiet_NaN() : SpreadOf(shares).mean;
}

template <class Value>
Spread SpreadOverRuns(const std::vector<ComparedRun>& runs, Value value) {
  std::vector<double> values;
  for (const ComparedRun& run : runs) {
    if (run.done) values.push_back(value(run));
  }
  return SpreadOf(values);
}

Json RunToJson(const ComparedRun& run) {
  Json json = Json::MakeObject();
  json.Add("seed", run.seed);
  json.Add("done", run.done);
  json.Add("late", run.late);
  if (!run.failure.empty()) json.Add("reason", run.failure);
  json.Add("selected", SelectedToJson(run.selected));
  json.Add("valid", run.done ? Json(run.valid_metric) : Json(nullptr));
  json.Add("test", run.done ? Json(run.test_metric) : Json(nullptr));
  json.Add("select_seconds", run.select_seconds);
  json.Add("refit_seconds", run.refit_seconds);
  json.Add("peak_bytes", run.peak_bytes);
  return json;
}

Json RowToJson(const ComparisonRow& row, const std::string& metric, bool has_test) {
  const std::vector<ComparedRun>& runs = row.runs;
  auto first = std::find_if(runs.begin(), runs.end(), [](const auto& run) { return run.done; });
  const bool any = first != runs.end();
  const Spread valid = SpreadOverRuns(runs, [](const auto& run) { return run.valid_metric; });
  const Spread test = row.Metric();
  auto mean = [&](const Spread& spread) { return any ? Json(spread.mean) : Json(nullptr); };

  Json metrics = Json::MakeObject();
  metrics.Add("name", metric);
  metrics.Add("valid", mean(valid));
  metrics.Add("test", has_test ? mean(test) : Json(nullptr));
  metrics.Add("valid_sd", valid.sd);
  metrics.Add("test_sd", has_test ? Json(test.sd) : Json(nullptr));

  Json seconds = Json::MakeObject();
  seconds.Add("select", row.Seconds().mean);
  seconds.Add("select_sd", row.Seconds().sd);
  seconds.Add("refit",
              SpreadOverRuns(runs, [](const auto& run) { return run.refit_seconds; }).mean);

  Json json = Json::MakeObject();
  json.Add("method", row.method);
  json.Add("status", !row.Failure().empty() ? "failed"
                     : row.Late()           ? "late"
                     : any                  ? "done"
                                            : "stopped");
  if (!row.Failure().empty()) json.Add("reason", row.Failure());
  json.Add("reference", row.reference);
  json.Add("selected", SelectedToJson(any ? first->selected : std::vector<SelectedFeature>{}));
  json.Add("metrics", std::move(metrics));
  json.Add("seconds", std::move(seconds));
  json.Add("peak_bytes", row.PeakBytes());
  Json all = Json::MakeArray();
  for (const ComparedRun& run : runs) all.Push(RunToJson(run));
  json.Add("runs", std::move(all));
  return json;
}

}  // namespace

Spread ComparisonRow::Metric() const {
  return SpreadOverRuns(runs, [](const ComparedRun& run) { return run.metric(); });
}

Spread ComparisonRow::Seconds() const {
  return SpreadOverRuns(runs, [](const ComparedRun& run) { return run.select_seconds; });
}

std::optional<size_t> ComparisonRow::PeakBytes() const {
  std::optional<size_t> largest;
  for (const ComparedRun& run : runs) largest = std::max(largest, run.peak_bytes);
  return largest;
}

bool ComparisonRow::Late() const {
  return std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return run.late; });
}

std::string ComparisonRow::Failure() const {
  for (const ComparedRun& run : runs) {
    if (!run.failure.empty()) return run.failure;
  }
  return "";
}

ComparisonResult CompareMethods(const SelectTables& tables, const CompareRequest& request,
                                const Context& context) {
  const Clock::time_point start = Clock::now();
  ComparisonResult result;
  result.request = request;
  std::vector<ComparedMethod> methods = request.methods;
  methods.push_back({"all-features", [] { return std::make_unique<AllFeatures>(); }});
  std::vector<ComparisonRow>& rows = result.rows;
  for (const ComparedMethod& method : methods) rows.push_back({method.name, false, {}});
  rows.back().reference = true;

  const SideBySide crowd(context);
  const int total = static_cast<int>(methods.size()) * request.seeds;
  std::atomic<int> finished = 0;
  // Seed after seed: whoever stops early has whole rounds, and one encoded table is held at a time.
  for (int s = 0; s < request.seeds && !context.ShouldStop(); ++s) {
    SelectRequest select = request.select;
    select.seed += static_cast<uint64_t>(s);
    const Preparation prepared(tables, select, *context.pool);
    if (s == 0) {
      result.data = prepared.summary();
      result.metric = prepared.metric().name;
      result.larger_is_better = prepared.metric().larger_is_better;
    }
    const std::vector<size_t> order = OrderByTime(rows);
    std::vector<ComparedRun> runs(methods.size());
    context.pool->ParallelFor(order.size(), [&](size_t i) {
      if (context.ShouldStop()) return;
      const size_t m = order[i];
      runs[m] = Checkpointed(
          crowd.each(), "seed " + std::to_string(select.seed) + " " + methods[m].name,
          [](Archive& archive, ComparedRun& run) { Serialize(archive, run); },
          [&](const Context& own) {
            return RunMethod(methods[m], prepared, request, select.seed, own);
          });
      crowd.Tell("compare", ++finished, total);
    });
    for (size_t m = 0; m < methods.size(); ++m) {
      if (runs[m].done || !runs[m].failure.empty()) rows[m].runs.push_back(std::move(runs[m]));
    }
  }
  result.stopped_early = context.ShouldStop();

  const double sign = result.larger_is_better ? 1 : -1;
  auto rank = [&](const ComparisonRow& row) {
    const Spread spread = row.Metric();
    return spread.count == 0 ? -std::numeric_limits<double>::infinity() : sign * spread.mean;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const ComparisonRow& a, const ComparisonRow& b) {
    return rank(a) > rank(b);
  });
  for (const ComparisonRow& a : rows) {
    result.overlap.emplace_back();
    for (const ComparisonRow& b : rows) result.overlap.back().push_back(MeanOverlap(a, b));
  }
  result.total_seconds = SecondsSince(start);
  return result;
}

Json ComparisonResult::ToJson() const {
  Json results = Json::MakeArray();
  for (const ComparisonRow& row : rows) results.Push(RowToJson(row, metric, data.test > 0));
  Json names = Json::MakeArray(), shares = Json::MakeArray();
  for (size_t a = 0; a < rows.size(); ++a) {
    names.Push(rows[a].method);
    shares.Push(Json::ArrayOf(overlap[a]));
  }
  Json agreement = Json::MakeObject();
  agreement.Add("methods", std::move(names));
  agreement.Add("overlap", std::move(shares));

  Json json = Head("slm.comparison/1", "", request.select.target);
  json.Add("k", request.select.k);
  json.Add("seed", request.select.seed);
  json.Add("seeds", request.seeds);
  json.Add("refits", request.refits);
  json.Add("data", data.ToJson());
  json.Add("metric", metric);
  json.Add("results", std::move(results));
  json.Add("agreement", std::move(agreement));
  return WithEnd(std::move(json));
}

}  // namespace slm
