#include "jobs/tune.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>
#include <unordered_set>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/streams.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "base/version.h"
#include "jobs/choice_archive.h"
#include "jobs/described_columns.h"
#include "jobs/draw_settings.h"
#include "jobs/fingerprint.h"
#include "jobs/given_up.h"
#include "jobs/judge.h"
#include "jobs/keep_columns.h"
#include "jobs/side_by_side.h"
#include "kernels/dispatch.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr int kEta = 3;       // budgets grow by it from rung to rung, and so few trials go on
constexpr int kMaxRungs = 3;  // shorter training than a ninth says little about the whole

// Whatever decides about the result of a trial.
Json Header(const Tables& tables, const TuneSpec& request) {
  const SelectionSpec& select = request.select;
  Json json = Json::MakeObject();
  json.Add("schema", "slm.journal/1");
  json.Add("version", Version());
  json.Add("instructions", SimdLevelName(ActiveArithmetic()));
  json.Add("method", request.method);
  json.Add("fixed", SettingsToJson(request.fixed));
  json.Add("strategy", NameOf(request.strategy));
  // Which trials go on hangs on how many there are; a random search may be made longer.
  if (request.strategy == Strategy::kHalving) json.Add("trials", request.trials);
  json.Add("judges", request.judges);
  json.Add("target", select.target);
  json.Add("k", select.k);
  json.Add("seed", select.seed);
  json.Add("task", static_cast<int>(select.task));
  json.Add("metric", select.metric);
  json.Add("split", Json::ArrayOf(select.split));
  json.Add("split_by", select.split_by.Text());
  json.Add("drop", Json::ArrayOf(select.drop));
  json.Add("ignore", Json::ArrayOf(select.ignore));
  json.Add("ignore_identifiers", select.ignore_identifiers);
  json.Add("leaking", Json::ArrayOf(select.leaking));
  json.Add("keep", Json::ArrayOf(select.keep));
  json.Add("groups", Json::ArrayOf(select.groups));
  json.Add("weights", select.weights);
  json.Add("class_weight", select.balanced ? "balanced" : "none");
  json.Add("rows", tables.data.rows);
  json.Add("columns", tables.data.columns.size());
  json.Add("fingerprint", Fingerprint(tables));
  return json;
}

// How many go on: a third, and trial 0 in a place of its own.
size_t Survivors(size_t count) {
  return std::min(count, std::max<size_t>(1, (count - 1) / kEta) + 1);
}

// Trials leave a tenth of the time, at most ten seconds, to the winner's predictor.
Context ForTrials(Context context) {
  if (context.deadline) {
    const Clock::duration left = *context.deadline - Clock::now();
    *context.deadline -= std::clamp(left / 10, Clock::duration(0), SecondsLong(10));
  }
  return context;
}

constexpr double kErrorsToEachSide = 1.96;  // of a 95 % interval

// Whoever stops a search waits no longer than this for the winner's predictor.
constexpr double kPatience = 0.3;  // seconds

// Hears a wish to stop after some time.
class Patient : public Observer {
 public:
  explicit Patient(Observer* outer) : outer_(outer) {}

  void OnProgress(const Progress&) override {}
  bool Cancelled() override {
    if (outer_ == nullptr || !outer_->Cancelled()) return false;
    std::lock_guard lock(mutex_);
    if (!since_) since_ = Clock::now();
    return SecondsSince(*since_) >= kPatience;
  }

 private:
  Observer* const outer_;
  std::mutex mutex_;
  std::optional<Clock::time_point> since_;
};

class Tuner {
 public:
  Tuner(const Tables& tables, const TuneSpec& request, const Context& context)
      : request_(request),
        deadline_(context.deadline),
        context_(ForTrials(context)),
        crowd_(context_),
        encoded_(PrepareOrGiveUp(tables, request.select, CutRows(tables, request.select), context,
                                 /*needed=*/true)),
        prepared_(*encoded_),
        plan_(PlanTrials(request)),
        entrants_(plan_.entrants),
        planned_(plan_.Trials()),
        sign_(prepared_.metric().larger_is_better ? 1 : -1) {
    CheckMemory(request.method, *Configure(request, {}).selector, prepared_.problem(),
                request.select.k);
    if (!request.journal.empty()) {
      journal_.emplace(request.journal, Header(tables, request), request.resume);
    }
  }

  TuningResult Run() {
    RunRungs();
    std::stable_sort(finished_.begin(), finished_.end(),
                     [&](const Trial& a, const Trial& b) { return Better(a, b); });
    if (finished_.empty()) finished_.push_back(std::move(cut_));
    const Trial& best = finished_.front();
    if (!best.failure.empty()) throw DataError(best.failure);

    TuningResult result;
    result.request = request_;
    result.data = prepared_.summary();
    result.metric = prepared_.metric().name;
    result.larger_is_better = prepared_.metric().larger_is_better;
    result.planned = planned_;
    // Its parts have a place in the checkpoint.
    Patient patient(context_.observer);
    const FitResult winner =
        FitWinner(prepared_.problem(), prepared_.FeaturesOf(best.selected), request_.judges,
                  request_.select.seed, done_ < planned_, ForWinner(&patient));
    Assessment assessment = Assess(prepared_, winner.model);
    result.valid_metric = assessment.valid;
    result.test_metric = assessment.test;
    result.evidence = std::move(assessment.evidence);
    result.options = Configure(request_, best.settings).options.ToJson();
    result.stopped_early =
        done_ < planned_ || patient.Cancelled() || (deadline_ && Clock::now() >= *deadline_);
    result.ties = FindTies(result.evidence);
    result.trials = std::move(finished_);
    return result;
  }

 private:
  Context ForWinner(Observer* observer) const {
    Context context = context_;
    context.observer = observer;
    context.deadline = deadline_;
    return context;
  }

  void RunRungs() {
    for (const TuningPlan::Rung& rung : plan_.rungs) {
      std::vector<Trial> results = RunAll(rung.budget);
      finished_.insert(finished_.end(), results.begin(), results.end());
      if (results.size() < entrants_.size()) return;  // stopped
      std::stable_sort(results.begin(), results.end(), [&](const Trial& a, const Trial& b) {
        return a.index == 0 || (b.index != 0 && Better(a, b));
      });
      results.resize(Survivors(results.size()));
      std::stable_sort(results.begin(), results.end(),
                       [](const Trial& a, const Trial& b) { return a.index < b.index; });
      entrants_ = std::move(results);
    }
  }

  // All entrants with that budget; those that were not finished are left out.
  std::vector<Trial> RunAll(double budget) {
    std::vector<Trial> trials;
    std::vector<size_t> missing;
    for (const Trial& entrant : entrants_) {
      Trial trial;
      trial.index = entrant.index;
      trial.budget = budget;
      trial.settings = entrant.settings;
      if (FindInJournal(&trial)) {
        Count(trial);
      } else {
        missing.push_back(trials.size());
      }
      trials.push_back(std::move(trial));
    }
    std::vector<char> done(trials.size(), 1);
    context_.pool->ParallelFor(missing.size(), [&](size_t i) {
      Trial& trial = trials[missing[i]];
      done[missing[i]] = 0;
      // Trial 0 always begins, so that there is a result.
      if (trial.index != 0 && context_.ShouldStop()) return;
      if (!FindOrRunTrial(&trial)) return;
      if (journal_) journal_->Append(trial);
      done[missing[i]] = 1;
      Count(trial);
    });
    std::vector<Trial> whole;
    for (size_t i = 0; i < trials.size(); ++i) {
      if (done[i]) {
        whole.push_back(std::move(trials[i]));
      } else if (trials[i].index == 0) {
        cut_ = std::move(trials[i]);
      }
    }
    return whole;
  }

  // False if it was cut short: then it is not what the settings would have come to.
  bool FindOrRunTrial(Trial* trial) const {
    const std::string name = "trial " + std::to_string(trial->index) + " for " +
                             FormatNumber(trial->budget) + " of the steps with " +
                             SettingsToJson(trial->settings).Dump();
    // A run that does not come to its end leaves the trial as far as it came, but nothing behind.
    bool done = true;
    *trial = Checkpointed(
        crowd_.each(), name, FieldsWith([&](const Archive& archive, const Trial& found) {
          archive.Require(found.index == trial->index && found.budget == trial->budget &&
                              found.settings == trial->settings,
                          "is another trial");
          const std::string wrong = WrongIn(found);
          archive.Require(wrong.empty(), wrong);
        }),
        [&](const Context& context) {
          Trial own = *trial;
          done = RunTrial(context, &own);
          return own;
        });
    return done;
  }

  // What is wrong with a trial that was found in a journal or a checkpoint; empty for nothing.
  std::string WrongIn(const Trial& trial) const {
    if (!trial.failure.empty()) return std::isnan(trial.valid_metric) ? "" : "failed with a metric";
    return WrongWith(trial.selected, static_cast<size_t>(request_.select.k), prepared_);
  }

  bool FindInJournal(Trial* trial) const {
    if (!journal_ || !journal_->Find(trial)) return false;
    const std::string wrong = WrongIn(*trial);
    if (wrong.empty()) return true;
    throw DataError("cannot resume from the journal " + request_.journal + ": trial " +
                    std::to_string(trial->index) + " in it " + wrong + "; name another " +
                    FieldRef("journal"));
  }

  bool RunTrial(const Context& quiet, Trial* trial) const {
    const Clock::time_point start = Clock::now();
    const Problem& problem = prepared_.problem();
    const uint64_t seed = request_.select.seed;
    try {
      const ConfiguredMethod made =
          ConfigureTrial(request_, plan_.space, trial->settings, trial->budget);
      const Choice choice = SelectKept(*made.selector, problem, request_.select.k, seed, quiet);
      trial->selected = prepared_.Describe(choice);
      if (context_.ShouldStop()) return false;
      const FitResult judged = Judge(problem, choice.features, request_.judges, seed, quiet);
      if (context_.ShouldStop()) return false;
      trial->valid_metric = prepared_.Validate(judged.model);
      trial->valid_loss = judged.valid.loss;
    } catch (const InputError& error) {
      // These settings cannot work. Other exceptions are the world's fault and end the search.
      trial->failure = error.what();
      trial->valid_metric = trial->valid_loss = std::numeric_limits<double>::quiet_NaN();
    }
    trial->seconds = SecondsSince(start);
    return true;
  }

  void Count(const Trial& trial) {
    std::lock_guard lock(mutex_);
    ++done_;
    const double metric = sign_ * trial.valid_metric;
    if (!(metric <= best_metric_)) best_metric_ = metric;
    crowd_.Tell("trials", static_cast<int>(done_), static_cast<int>(planned_),
                sign_ * best_metric_);
  }

  std::optional<TiedTrials> FindTies(const MetricEvidence& evidence) const {
    if (!evidence.interval || !evidence.interval->valid) return std::nullopt;
    const auto [low, high] = *evidence.interval->valid;
    TiedTrials ties{.standard_error = (high - low) / (2 * kErrorsToEachSide), .trials = {}};
    const Trial& best = finished_.front();
    for (const Trial& trial : finished_) {
      const double behind = sign_ * (best.valid_metric - trial.valid_metric);
      if (trial.index == best.index || trial.budget != best.budget) continue;
      if (behind <= ties.standard_error) ties.trials.push_back(trial.index);
    }
    std::sort(ties.trials.begin(), ties.trials.end());
    return ties;
  }

  // Longer training counts before better validation; failures are last.
  bool Better(const Trial& a, const Trial& b) const {
    auto key = [&](const Trial& trial) {
      const bool failed = std::isnan(trial.valid_metric);
      const double loss =
          std::isnan(trial.valid_loss) ? std::numeric_limits<double>::infinity() : trial.valid_loss;
      return std::tuple(failed, -trial.budget, failed ? 0 : -sign_ * trial.valid_metric, loss,
                        trial.index);
    };
    return key(a) < key(b);
  }

  const TuneSpec& request_;
  const std::optional<Clock::time_point> deadline_;
  const Context context_;  // of the trials
  const SideBySide crowd_;
  const std::unique_ptr<Preparation> encoded_;
  const Preparation& prepared_;
  const TuningPlan plan_;
  std::vector<Trial> entrants_;  // of the next rung, by index
  const size_t planned_;         // trials over all rungs
  const double sign_;            // 1 where a larger metric is better
  std::optional<Journal> journal_;
  std::vector<Trial> finished_;
  Trial cut_;  // trial 0 as far as it came

  std::mutex mutex_;
  size_t done_ = 0;
  double best_metric_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

size_t TuningPlan::Trials() const {
  size_t sum = 0;
  for (const Rung& rung : rungs) sum += rung.trials;
  return sum;
}

ConfiguredMethod Configure(const TuneSpec& request, const std::vector<OptionSetting>& settings) {
  ConfiguredMethod made{request.make(), OptionList()};
  made.selector->DescribeOptions(made.options);
  std::vector<OptionSetting> all = request.fixed;
  all.insert(all.end(), settings.begin(), settings.end());
  made.options.SetAll(all);
  return made;
}

ConfiguredMethod ConfigureTrial(const TuneSpec& request, const SearchSpace& space,
                                const std::vector<OptionSetting>& settings, double budget) {
  ConfiguredMethod made = Configure(request, settings);
  for (const auto& [name, value] : space.unjudged) made.options.Set(name, std::string(value));
  ScaleBudget(space, budget, made.options);
  return made;
}

TuningPlan PlanTrials(const TuneSpec& request) {
  const ConfiguredMethod given = Configure(request, {});
  TuningPlan plan{.space = SpaceOf(*given.selector), .entrants = {}, .rungs = {}};
  const size_t wanted = plan.space.dimensions.empty() ? 1 : static_cast<size_t>(request.trials);
  std::unordered_set<std::string> seen;
  for (size_t i = 0; i < wanted; ++i) {
    auto settings = i == 0 ? DefaultSettings(plan.space, given.options, request.fixed)
                           : DrawSettings(plan.space, given.options, request.fixed,
                                          StreamFor(request.select.seed, StreamOf::kTrial, i));
    if (!seen.insert(SettingsToJson(settings).Dump()).second) continue;
    Trial trial;
    trial.index = static_cast<int>(i);
    trial.settings = std::move(settings);
    plan.entrants.push_back(std::move(trial));
  }
  int rungs = 1;
  if (request.strategy == Strategy::kHalving && !plan.space.budget.empty()) {
    for (size_t left = plan.entrants.size(); left >= kEta && rungs < kMaxRungs; left /= kEta) {
      ++rungs;
    }
  }
  size_t count = plan.entrants.size();
  for (int rung = 0; rung < rungs; ++rung, count = Survivors(count)) {
    plan.rungs.push_back({count, std::pow(kEta, rung + 1 - rungs)});
  }
  return plan;
}

TuningResult Tune(const Tables& tables, const TuneSpec& request, const Context& context) {
  const Clock::time_point start = Clock::now();
  TuningResult result = Tuner(tables, request, context).Run();
  result.total_seconds = SecondsSince(start);
  return result;
}

Json TuningResult::ToJson() const { return WriteFields(*this); }

TuningResult TuningResult::FromJson(const Json& json) {
  TuningResult result = ReadFields<TuningResult>(json);
  if (result.trials.empty()) throw DataError("its trials: there are none");
  return result;
}

}  // namespace slm
