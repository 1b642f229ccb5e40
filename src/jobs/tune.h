#pragma once

// The search for the best settings of a method. Every trial selects on the training rows with
// settings of its own, and is judged by the same predictors on the validation rows; test rows are
// looked at once, for the winner. Trial 0 has the settings as they were given, so no search ends
// with worse validation than none.
//
// Trials are addressed by index: settings of trial i come from stream i of the seed, and its result
// does not depend on when, where or beside which others it ran.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "jobs/journal.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "model/shared_fields.h"
#include "selectors/search_space.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

inline constexpr std::pair<std::string_view, Strategy> kStrategyNames[] = {
    {"random", Strategy::kRandom}, {"halving", Strategy::kHalving}};
inline EnumNames<Strategy> NamesOf(Strategy) { return kStrategyNames; }

struct TuneSpec {
  SelectionSpec select;  // all trials have its seed
  std::string method;
  std::function<std::unique_ptr<Selector>()> make;
  std::vector<OptionSetting> fixed;  // what the user set: the same in all trials
  int trials = 30;
  Strategy strategy = Strategy::kRandom;
  int judges = 4;       // predictors fitted on the columns of a trial; the best counts
  std::string journal;  // file; empty for none
  bool resume = false;  // goes on with the journal if there is one
};

// Trials that the validation rows cannot tell from the best.
struct TiedTrials {
  double standard_error = 0;  // of the metric of the best one on those rows
  std::vector<int> trials;    // others within it, with as much training; ascending

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("standard_error", standard_error);
    v("trials", trials);
  }
};

struct TuningResult : Outcome {
  TuneSpec request;
  std::string metric;
  bool larger_is_better = true;
  // Finished ones, the winner first. Settings that were drawn twice are tried once.
  std::vector<Trial> trials;
  size_t planned = 0;       // how many there would have been
  double valid_metric = 0;  // of the winner's final predictor
  std::optional<double> test_metric;
  MetricEvidence evidence;         // of both
  std::optional<TiedTrials> ties;  // empty where the error is not known
  Json options;                    // of the winner, all of them

  const Trial& best() const { return trials.front(); }

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitHead(v, "slm.tuning/1", &request.method, request.select.target);
    v("k", request.select.k);
    v("seed", request.select.seed);
    v("strategy", request.strategy);
    v("judges", request.judges);
    v("data", data);
    v.Derived("selected", [&] { return best().selected; });
    VisitMetrics(v, metric, valid_metric, test_metric, evidence);
    v.Derived("best", [&] { return best().index; });
    v.Derived("settings", [&] { return best().settings; });
    v("options", options);
    v("trials", trials);
    v("planned", planned);
    v.Optional("ties", ties);
    VisitEnd(v);
  }
  Json ToJson() const;
  // A result that was written. Throws a DataError that names the field.
  static TuningResult FromJson(const Json& json);
};

// What a search would do.
struct TuningPlan {
  struct Rung {
    size_t trials;
    double budget;  // the share of their training
  };
  SearchSpace space;
  std::vector<Trial> entrants;  // of the first rung, with their settings
  std::vector<Rung> rungs;

  size_t Trials() const;  // of all rungs
};
TuningPlan PlanTrials(const TuneSpec& request);

// The method with the settings of a trial.
struct ConfiguredMethod {
  std::unique_ptr<Selector> selector;
  OptionList options;  // bound to it
};
ConfiguredMethod Configure(const TuneSpec& request, const std::vector<OptionSetting>& settings);

// The same, trained for a share of its steps and without what no trial needs.
ConfiguredMethod ConfigureTrial(const TuneSpec& request, const SearchSpace& space,
                                const std::vector<OptionSetting>& settings, double budget);

// Trials run side by side, each on one thread. When the context asks to stop, trials that are not
// done are given up; with none done, the winner is trial 0 as far as it came. Throws InputError for
// what the user can fix, also if every trial failed.
TuningResult Tune(const Tables& tables, const TuneSpec& request, const Context& context);

}  // namespace slm
