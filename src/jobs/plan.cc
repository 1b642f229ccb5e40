#include "jobs/plan.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/machine.h"
#include "base/options.h"
#include "jobs/estimate.h"
#include "jobs/given_up.h"
#include "jobs/judge.h"
#include "jobs/resample.h"
#include "jobs/significance.h"

namespace slm {
namespace {

using Make = std::function<std::unique_ptr<Selector>()>;

constexpr size_t kTrialsMeasured = 4;

TimeNeed Times(const TimeNeed& need, double factor) {
  return {need.low * factor, need.high * factor, need.basis};
}

double Bytes(const Problem& problem) {
  double cells = 0;
  for (const Dataset* data : {&problem.train, &problem.valid, &problem.test}) {
    cells += static_cast<double>(data->rows()) * static_cast<double>(data->x->stride());
  }
  return cells * sizeof(float);
}

// Whether the method leaves a trained predictor behind, so that none is fitted after it.
bool TrainsPredictor(const Make& make) {
  const std::unique_ptr<Selector> selector = make();
  OptionList options;
  selector->DescribeOptions(options);
  return options.Find("final_predictors") != nullptr;
}

class Planner {
 public:
  Planner(std::string command, const Tables& tables, const SelectionSpec& request,
          const Context& context)
      : tables_(tables), context_({.pool = context.pool, .observer = context.observer}) {
    plan_.command = std::move(command);
    plan_.request = request;
    plan_.k = request.k;
    plan_.threads = context.pool->threads();
  }

  // k is to be found by the work.
  void LeaveKOpen() { plan_.k.reset(); }

  // The rows that a selection would work on, `times` times; the first ones are those of the head.
  // Encoded tables of `at_once` of them would be held.
  const Preparation& Prepare(RowParts parts, int times, int at_once) {
    const Clock::time_point start = Clock::now();
    prepared_ = PrepareOrGiveUp(tables_, plan_.request, std::move(parts), context_,
                                /*needed=*/true);
    plan_.prepare_seconds += SecondsSince(start) * times;
    const Problem& problem = prepared_->problem();
    if (plan_.encoded == 0) {
      plan_.data = prepared_->summary();
      plan_.usable = problem.layout.features();
      plan_.encoded = problem.layout.columns();
    }
    others_ = std::max(others_, (at_once - 1) * Bytes(problem));
    base_ = ResidentMemory();
    return *prepared_;
  }

  const Problem& problem() const { return prepared_->problem(); }
  // Tasks that run side by side on as many threads as can run at once.
  double Lanes(int tasks) const {
    return std::max(1, std::min({plan_.threads, UsableCores(), tasks}));
  }
  // The time of judging a set of k features, beside others.
  double Judging(int k, int refits, int count) const {
    return TimeOfJudge(problem(), k, refits, static_cast<size_t>(Lanes(count)), context_);
  }
  const Context& context() const { return context_; }

  // The time of one selection; `beside` so many others, it has one thread, else all of them.
  std::optional<TimeNeed> Method(const std::string& name, const Make& make, std::span<const int> ks,
                                 int beside = 1) {
    const double peak = PeakMemory();
    const uint64_t seed = plan_.request.seed;
    const size_t lanes = static_cast<size_t>(Lanes(beside));
    std::optional<TimeNeed> time =
        beside > 1 ? EstimateTimeBeside(lanes, make, problem(), ks, seed, context_)
                   : EstimateTime(make, problem(), ks, seed, context_);
    // What was measured, what the method says, and a copy of the table where it says nothing.
    const double said = make()->Memory(problem(), ks.back()).bytes;
    const double seen = std::max(0.0, PeakMemory() - std::max(peak, base_));
    const double bytes = std::max({said, seen / static_cast<double>(lanes), Bytes(problem())});
    work_ = std::max(work_, bytes * std::min(beside, plan_.threads));
    auto known = std::find_if(plan_.methods.begin(), plan_.methods.end(),
                              [&](const PlannedMethod& method) { return method.name == name; });
    if (known == plan_.methods.end()) plan_.methods.push_back({name, time, bytes});
    return time;
  }

  // Held beside what the method needs.
  void AddMemory(double bytes) { others_ += bytes; }

  void Add(std::string what, int count, std::optional<TimeNeed> time) {
    plan_.parts.push_back({std::move(what), count, std::move(time)});
  }
  void Add(std::string what, int count, double seconds) {
    Add(std::move(what), count, TimeNeed{seconds, seconds, ""});
  }
  // `count` tasks of this time each, side by side.
  void AddBeside(std::string what, int count, const std::optional<TimeNeed>& each) {
    const double lanes = Lanes(count);
    Add(std::move(what), count,
        each ? std::optional(Times(*each, std::max(1.0, count / lanes))) : std::nullopt);
  }

  Plan Finish() {
    plan_.peak_bytes = std::max(PeakMemory(), base_ + others_ + work_);
    plan_.available_bytes = AvailableMemory();
    return std::move(plan_);
  }

 private:
  const Tables& tables_;
  const Context context_;
  std::unique_ptr<Preparation> prepared_;
  double base_ = 0, others_ = 0, work_ = 0;  // bytes
  Plan plan_;
};

// The folds of a path: selections, and the predictors that judge what they give. Returns a k in the
// middle of what is tried.
int AddPath(const Tables& tables, const PathSpec& request, Planner* planner) {
  planner->LeaveKOpen();
  SelectionSpec select = request.select;
  select.k = std::max(1, static_cast<int>(select.keep.size()));
  std::vector<RowParts> folds = Resampler(tables, select).Folds(static_cast<size_t>(request.folds));
  const int count = static_cast<int>(folds.size());
  const int beside = static_cast<int>(planner->Lanes(count));
  planner->Prepare(std::move(folds[0]), count, beside);
  const std::vector<int> ks = ChooseGrid(request, planner->problem());
  planner->AddBeside("folds selected", count,
                     planner->Method(request.method, request.make, ks, beside));
  // For each k one set at random, and one to all of those that the method may give, which repeat
  // each other more or less.
  const int most = request.make()->SetsForEachK(planner->problem());
  const int sets = static_cast<int>(ks.size()) * count;
  const double small = planner->Judging(ks.front(), request.refits, sets);
  const double large = planner->Judging(ks.back(), request.refits, sets);
  double all = 0;
  for (int k : ks) {
    const double share =
        ks.back() > ks.front() ? static_cast<double>(k - ks.front()) / (ks.back() - ks.front()) : 1;
    all += small + share * (large - small);
  }
  const double each = all / static_cast<double>(ks.size());
  planner->AddBeside("sets judged", sets * 2, TimeNeed{each, each * (1 + most) / 2, ""});
  return ks[ks.size() / 2];
}

}  // namespace

Plan PlanSelection(const SelectionWork& work, int null_runs, const PathSpec* path,
                   const Context& context) {
  SelectionSpec request = work.request;
  if (path != nullptr) request.k = std::max(1, static_cast<int>(request.keep.size()));
  Planner planner("select", *work.tables, request, context);
  int k = request.k;
  if (path != nullptr) {
    PathSpec own = *path;
    own.select = request;
    k = AddPath(*work.tables, own, &planner);
  }
  planner.Prepare(CutRows(*work.tables, request), 1, 1);
  const size_t features = planner.problem().layout.features();
  const std::optional<SignificanceSpec> test =
      TestOf(request, features, planner.problem().train.rows());
  if (request.choose_significant) {
    planner.LeaveKOpen();
    k = std::max(1, PlanTest(*test, features, 0).k);
  }
  const std::array ks = {k};
  auto whole = planner.Method(work.method, work.make, ks);
  if (test) {
    planner.AddMemory(BytesOf(*test, planner.problem(), k));
    // Of twice the columns, in twice the time.
    const int runs = PlanTest(*test, features, k).runs;
    if (runs > 0) {
      planner.Add("selections beside copies", runs,
                  whole ? std::optional(Times(*whole, 2 * runs)) : std::nullopt);
    }
  }
  if (request.choose_significant) {
    planner.Add("predictor", 1, TimeOfChosen(planner.problem(), k, planner.context()));
    return planner.Finish();
  }
  planner.Add("selection", request.ensemble,
              whole ? std::optional(Times(*whole, request.ensemble)) : std::nullopt);
  double fit = 0;
  if (!TrainsPredictor(work.make) || request.ensemble > 1) {
    fit = TimeOfChosen(planner.problem(), k, planner.context());
    planner.Add("predictor", 1, fit);
  }
  const int splits = std::max(1, work.folds);
  const int again = work.folds + null_runs * splits;
  if (again == 0) return planner.Finish();
  // Each of many has one thread.
  auto single = again > 1 ? planner.Method(work.method, work.make, ks, again) : whole;
  if (again > 1) fit *= planner.context().pool->threads();
  if (single) {
    single->low = single->low * request.ensemble + fit;
    single->high = single->high * request.ensemble + fit;
  }
  if (work.folds > 0) planner.AddBeside("folds selected", work.folds, single);
  if (null_runs > 0) planner.AddBeside("selections by chance", null_runs * splits, single);
  return planner.Finish();
}

Plan PlanComparison(const Tables& tables, const CompareSpec& request, const Context& context) {
  Planner planner("compare", tables, request.select, context);
  planner.Prepare(CutRows(tables, request.select), request.seeds, 1);
  const std::array ks = {request.select.k};
  const int count = static_cast<int>(request.methods.size());
  const double lanes = planner.Lanes(count);
  const double limit = request.selection_limit;
  double low = 0, high = 0, longest = 0;
  for (const ComparedMethod& method : request.methods) {
    std::optional<TimeNeed> time = planner.Method(method.name, method.make, ks, count);
    if (!time) {
      planner.Add("selections by " + method.name, request.seeds, std::optional<TimeNeed>());
      continue;
    }
    if (limit > 0) *time = {std::min(time->low, limit), std::min(time->high, limit), time->basis};
    low += time->low;
    high += time->high;
    longest = std::max(longest, time->high);
  }
  auto side_by_side = [&](double sum) { return std::max(sum / lanes, std::min(sum, longest)); };
  planner.Add("selections", request.seeds * count,
              TimeNeed{request.seeds * side_by_side(low), request.seeds * side_by_side(high), ""});
  const int d = static_cast<int>(planner.problem().layout.features());
  const double judge = planner.Judging(request.select.k, request.refits, count);
  const double all = planner.Judging(d, request.refits, count);
  planner.Add("sets judged", request.seeds * (count + 1),
              request.seeds * (count * judge + all) / lanes);
  return planner.Finish();
}

Plan PlanTuning(const Tables& tables, const TuneSpec& request, const Context& context) {
  Planner planner("tune", tables, request.select, context);
  planner.Prepare(CutRows(tables, request.select), 1, 1);
  const std::array ks = {request.select.k};
  const TuningPlan trials = PlanTrials(request);
  const size_t measured = std::min(kTrialsMeasured, trials.entrants.size());
  const int beside = static_cast<int>(planner.Lanes(static_cast<int>(trials.entrants.size())));
  std::optional<TimeNeed> mean = TimeNeed{};
  for (size_t i = 0; i < measured; ++i) {
    const auto time = planner.Method(
        request.method,
        [&] {
          return ConfigureTrial(request, trials.space, trials.entrants[i].settings, 1).selector;
        },
        ks, beside);
    if (!time || !mean) {
      mean.reset();
      continue;
    }
    mean->low += time->low / static_cast<double>(measured);
    mean->high += time->high / static_cast<double>(measured);
  }
  double whole = 0;  // trials, by their share of a training
  for (const TuningPlan::Rung& rung : trials.rungs) {
    whole += rung.budget * static_cast<double>(rung.trials);
  }
  const int count = static_cast<int>(trials.Trials());
  planner.Add("trials", count,
              mean ? std::optional(Times(*mean, whole / planner.Lanes(count))) : std::nullopt);
  const double judge = planner.Judging(request.select.k, request.judges, count);
  planner.AddBeside("trials judged", count, TimeNeed{judge, judge, ""});
  planner.Add("predictor of the winner", 1,
              TimeOfWinner(planner.problem(), request.select.k, request.judges, planner.context()));
  return planner.Finish();
}

Plan PlanPath(const Tables& tables, const PathSpec& request, const Context& context) {
  SelectionSpec select = request.select;
  select.k = std::max(1, static_cast<int>(select.keep.size()));
  Planner planner("path", tables, select, context);
  AddPath(tables, request, &planner);
  return planner.Finish();
}

Plan PlanStability(const Tables& tables, const StabilitySpec& request, const Context& context) {
  Planner planner("stability", tables, request.select, context);
  const Resampler resampler(tables, request.select);
  const int beside = static_cast<int>(planner.Lanes(request.resamples));
  planner.Prepare(request.subsample ? resampler.Subsample(*request.subsample, request.select.seed)
                                    : resampler.Bootstrap(request.select.seed),
                  request.resamples, beside);
  const std::array ks = {request.select.k};
  for (const ComparedMethod& method : request.methods) {
    planner.AddBeside("selections by " + method.name, request.resamples,
                      planner.Method(method.name, method.make, ks, beside));
  }
  return planner.Finish();
}

TimeNeed Plan::Seconds() const {
  TimeNeed sum{read_seconds + prepare_seconds, read_seconds + prepare_seconds, ""};
  for (const PlannedPart& part : parts) {
    if (!part.time) continue;
    sum.low += part.time->low;
    sum.high += part.time->high;
  }
  return sum;
}

bool Plan::Complete() const {
  return std::all_of(parts.begin(), parts.end(),
                     [](const PlannedPart& part) { return part.time.has_value(); });
}

Json Plan::ToJson() const { return WriteFields(*this); }

Plan Plan::FromJson(const Json& json) { return ReadFields<Plan>(json); }

}  // namespace slm
