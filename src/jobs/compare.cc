#include "jobs/compare.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <set>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "jobs/choice_archive.h"
#include "jobs/described_columns.h"
#include "jobs/given_up.h"
#include "jobs/judge.h"
#include "jobs/keep_columns.h"
#include "jobs/method_failure.h"
#include "jobs/side_by_side.h"
#include "jobs/time_shares.h"

namespace slm {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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

// What the method would have chosen in more time than it has is not known. With `keep_late` what it
// has chosen by then is judged nevertheless.
ComparedRun RunMethod(const ComparedMethod& method, const Preparation& prepared,
                      const CompareSpec& request, int k, uint64_t seed, bool keep_late,
                      const Context& context) {
  ComparedRun run{.seed = seed,
                  .failure = {},
                  .selected = {},
                  .valid_metric = {},
                  .test_metric = {},
                  .peak_bytes = {}};
  run.failure = FailureOf([&] {
    std::unique_ptr<Selector> selector = method.make();
    CheckMemory(method.name, *selector, prepared.problem(), k);
    // Half of the time is for the predictors.
    Context own = keep_late ? TimeShares::Part(context, 0.5) : context;
    const Clock::time_point start = Clock::now();
    if (request.selection_limit > 0) {
      const Clock::time_point last = start + SecondsLong(request.selection_limit);
      own.deadline = own.deadline ? std::min(*own.deadline, last) : last;
    }
    if (request.memory != nullptr) request.memory->Start();
    Choice choice = SelectKept(*selector, prepared.problem(), k, seed, own);
    if (request.memory != nullptr) run.peak_bytes = request.memory->Peak();
    run.select_seconds = SecondsSince(start);
    if (GivesUp(context, keep_late)) return;
    run.late = own.ShouldStop();
    choice.model = {};
    run.selected = prepared.Describe(choice);
    const Clock::time_point refit_start = Clock::now();
    const Model model =
        Judge(prepared.problem(), choice.features, request.refits, seed, context).model;
    if (GivesUp(context, keep_late)) return;
    run.late |= context.ShouldStop();
    const double valid = prepared.Validate(model);
    run.test_metric = prepared.Test(model);
    run.valid_metric = valid;
    run.refit_seconds = SecondsSince(refit_start);
    run.done = true;
  });
  return run;
}

// A run that a checkpoint holds must be one that RunMethod can have come to.
void RequireRun(const Archive& archive, const ComparedRun& run, const Preparation& prepared,
                size_t k, uint64_t seed) {
  archive.Require(run.seed == seed, "has another seed");
  archive.Require(run.done == run.failure.empty(), "neither succeeded nor failed");
  if (!run.done) return;
  const std::string wrong = WrongWith(run.selected, k, prepared);
  archive.Require(wrong.empty(), wrong);
  archive.Require(run.valid_metric.has_value(), "has no metric");
  archive.Require(run.test_metric.has_value() == (prepared.summary().test > 0),
                  "has a metric of other rows");
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
  return shares.empty() ? kNaN : SpreadOf(shares).mean;
}

}  // namespace

Spread ComparisonRow::Over(double (*value)(const ComparedRun&)) const {
  std::vector<double> values;
  for (const ComparedRun& run : runs) {
    if (run.done) values.push_back(value(run));
  }
  return SpreadOf(values);
}

Spread ComparisonRow::Metric() const {
  return Over([](const ComparedRun& run) { return run.metric(); });
}

Spread ComparisonRow::Valid() const {
  return Over([](const ComparedRun& run) { return run.valid_metric.value_or(kNaN); });
}

Spread ComparisonRow::Seconds() const {
  return Over([](const ComparedRun& run) { return run.select_seconds; });
}

Spread ComparisonRow::RefitSeconds() const {
  return Over([](const ComparedRun& run) { return run.refit_seconds; });
}

const std::vector<SelectedFeature>& ComparisonRow::Selected() const {
  static const std::vector<SelectedFeature> kNone;
  for (const ComparedRun& run : runs) {
    if (run.done) return run.selected;
  }
  return kNone;
}

std::string_view ComparisonRow::Status() const {
  const bool any =
      std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return run.done; });
  return !Failure().empty() ? "failed" : Late() ? "late" : any ? "done" : "stopped";
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

ComparisonResult CompareMethods(const Tables& tables, const CompareSpec& request,
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
  for (int s = 0; s < request.seeds && !GivesUp(context, s == 0); ++s) {
    SelectionSpec select = request.select;
    select.seed += static_cast<uint64_t>(s);
    const std::unique_ptr<Preparation> encoded =
        s == 0 ? PrepareOrGiveUp(tables, select, CutRows(tables, select), context, /*needed=*/true)
               : PrepareIfTime(tables, select, CutRows(tables, select), context);
    if (encoded == nullptr) break;
    const Preparation& prepared = *encoded;
    if (s == 0) {
      result.data = prepared.summary();
      result.metric = prepared.metric().name;
      result.larger_is_better = prepared.metric().larger_is_better;
    }
    const std::vector<size_t> order = OrderByTime(rows);
    std::vector<ComparedRun> runs(methods.size());
    // The first round divides what time there is, so that each method has a result. Later ones
    // count only where they come to their end.
    const TimeShares shares(context, std::vector<double>(methods.size(), 1),
                            context.pool->threads());
    const bool divide = s == 0 && context.deadline;
    context.pool->ParallelFor(order.size(), [&](size_t i) {
      if (GivesUp(context, divide && i == 0)) return;
      const size_t m = order[i];
      const size_t k =
          rows[m].reference ? prepared.problem().layout.features() : static_cast<size_t>(select.k);
      runs[m] = Checkpointed(divide ? shares.Of(i, crowd.each()) : crowd.each(),
                             "seed " + std::to_string(select.seed) + " " + methods[m].name,
                             FieldsWith([&](const Archive& archive, const ComparedRun& run) {
                               RequireRun(archive, run, prepared, k, select.seed);
                             }),
                             [&](const Context& own) {
                               return RunMethod(methods[m], prepared, request, static_cast<int>(k),
                                                select.seed, divide, own);
                             });
      crowd.Tell("compare", ++finished, total);
    });
    for (size_t m = 0; m < methods.size(); ++m) {
      if (runs[m].done || !runs[m].failure.empty()) rows[m].runs.push_back(std::move(runs[m]));
    }
  }
  result.stopped_early = context.ShouldStop();
  for (const ComparisonRow& row : rows) {
    result.stopped_early |= context.deadline && row.Late();
  }

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

std::vector<std::string> ComparisonResult::Methods() const {
  std::vector<std::string> names;
  for (const ComparisonRow& row : rows) names.push_back(row.method);
  return names;
}

Json ComparisonResult::ToJson() const { return WriteFields(*this); }

ComparisonResult ComparisonResult::FromJson(const Json& json) {
  ComparisonResult result = ReadFields<ComparisonResult>(json);
  const size_t rows = result.rows.size();
  bool square = result.overlap.size() == rows;
  for (const std::vector<double>& shares : result.overlap) square &= shares.size() == rows;
  if (!square) throw DataError("its agreement.overlap: it has not one number for each two methods");
  return result;
}

}  // namespace slm
