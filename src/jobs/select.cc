#include "jobs/select.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "jobs/choice_archive.h"
#include "jobs/ensemble.h"
#include "jobs/fitted_model.h"
#include "jobs/given_up.h"
#include "jobs/time_shares.h"
#include "search/search.h"
#include "slm/options.h"

namespace slm {
namespace {

// What of the time that is left is for measuring importance: so large a share of it, and no more
// seconds than that.
constexpr double kImportanceShare = 0.05, kImportanceSeconds = 2;

// What of it is for choosing, where columns are tested for significance afterwards.
constexpr double kChoosingShare = 0.5;

// The same work, with an end that leaves time to measure importance.
Context BeforeImportance(Context context) {
  if (context.deadline) {
    const double left = std::max(0.0, -SecondsSince(*context.deadline));
    *context.deadline -= SecondsLong(std::min(kImportanceShare * left, kImportanceSeconds));
  }
  return context;
}

Importances TimedImportance(const Preparation& prepared, const Choice& choice,
                            SelectionEffort effort, const Context& context,
                            SelectionResult* result) {
  const Clock::time_point start = Clock::now();
  std::optional<Importances> found =
      MeasureImportance(prepared, choice, effort, result->request.seed, context);
  result->importance_seconds = SecondsSince(start);
  if (!found) {
    result->stopped_early |= context.ShouldStop();
    return {};
  }
  result->importance = found->basis;
  return *std::move(found);
}

// The chosen features, the most important first, which becomes the order of the choice, too.
std::vector<SelectedFeature> DescribeRanked(const Preparation& prepared,
                                            const Importances& importances,
                                            EnsembleChoice* ensemble) {
  std::vector<int>& features = ensemble->choice.features;
  const std::vector<int> before = features;
  const std::vector<size_t> order = RankByImportance(importances, features.size());
  for (size_t i = 0; i < order.size(); ++i) features[i] = before[order[i]];
  std::vector<SelectedFeature> selected = prepared.Describe(ensemble->choice);
  for (size_t i = 0; i < order.size(); ++i) {
    if (!ensemble->frequency.empty()) selected[i].frequency = ensemble->frequency[order[i]];
    if (importances.of.empty()) continue;
    selected[i].importance = importances.of[order[i]].loss;
    selected[i].importance_sd = importances.of[order[i]].sd;
  }
  return selected;
}

Model FitOn(Selector& selector, const Problem& problem, const std::vector<int>& features,
            uint64_t seed, const Context& context) {
  Model model = selector.FitOn(problem, features, seed, context);
  if (model.predictor) return model;
  return FitFinal(problem, features, SlmOptions{}, seed, context);  // of a method that trains none
}

// What the predictor of the method reaches with every column that could be chosen; nothing if time
// ran out.
std::optional<OnRows> MeasureAllColumns(const Preparation& prepared, Selector& selector,
                                        uint64_t seed, const Context& context) {
  std::vector<int> features(prepared.problem().layout.features());
  std::iota(features.begin(), features.end(), 0);
  const Context own = context.Inside("all columns");
  const Model model = FitOn(selector, prepared.problem(), features, seed, own);
  if (context.ShouldStop()) return std::nullopt;
  const double valid = prepared.Validate(model);
  OnRows reached{.valid = std::isfinite(valid) ? std::optional(valid) : std::nullopt, .test = {}};
  const std::optional<double> test = prepared.Test(model);
  if (test && std::isfinite(*test)) reached.test = test;
  return reached;
}

// What the method chose, and what of it is significant.
struct Found {
  EnsembleChoice ensemble;
  std::optional<Significance> significance;
  bool untested = false;  // there was no time for the test
  bool cut = false;       // some of the work was ended early
};

// The significant columns as a choice: the most significant first, with weights that are their
// shares of the statistic.
Choice SignificantOf(const Significance& significance, std::span<const int> order,
                     size_t features) {
  Choice choice;
  choice.weights.assign(features, 0.0f);
  choice.scores.assign(features, 0.0f);
  double sum = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const TestedColumn& column = significance.columns[i];
    const size_t j = static_cast<size_t>(order[i]);
    choice.scores[j] = static_cast<float>(column.statistic.value_or(0));
    if (!column.significant) continue;
    choice.features.push_back(order[i]);
    sum += column.statistic.value_or(0);
  }
  for (int feature : choice.features) {
    const size_t j = static_cast<size_t>(feature);
    choice.weights[j] = static_cast<float>(double{choice.scores[j]} / sum);
  }
  return choice;
}

Found SelectAndTest(const Preparation& prepared, const SelectionSpec& request,
                    std::string_view method, Selector& selector, const Context& context) {
  const Problem& problem = prepared.problem();
  const std::optional<SignificanceSpec> test =
      TestOf(request, problem.layout.features(), problem.train.rows());
  if (test) CheckTestMemory(*test, problem, request.k);
  Found found;
  Choice& choice = found.ensemble.choice;
  std::vector<int> order;
  if (request.choose_significant) {
    found.significance =
        TestSignificance(prepared, *test, nullptr, method, selector, &order, context);
    if (!found.significance) {
      throw NoResultYet("the work was stopped before any column could be tested" +
                        (context.deadline ? "; allow more time by " + FieldRef("time_limit") : ""));
    }
    found.cut = !found.significance->complete;
    choice = SignificantOf(*found.significance, order, problem.layout.features());
    return found;
  }
  const Context choosing = test ? TimeShares::Part(context, kChoosingShare) : context;
  if (request.ensemble == 1) {
    choice = SelectOrFind("select " + std::to_string(request.k), selector, problem, request.k,
                          request.seed, choosing);
  } else {
    found.ensemble =
        SelectByMean(problem, request.k, request.seed, request.ensemble, selector, choosing);
  }
  found.cut = choosing.ShouldStop();
  if (test && !context.ShouldStop()) {
    found.significance =
        TestSignificance(prepared, *test, &choice, method, selector, &order, context);
  }
  found.untested = test && !found.significance;
  found.cut |= found.untested || (found.significance && !found.significance->complete);
  return found;
}

// What the test says of the chosen columns.
void MarkSignificant(const std::optional<Significance>& significance,
                     std::vector<SelectedFeature>* selected) {
  if (!significance) return;
  std::map<int, const TestedColumn*> by_column;
  for (const TestedColumn& one : significance->columns) by_column[one.index] = &one;
  for (SelectedFeature& feature : *selected) {
    const auto at = by_column.find(feature.index);
    if (at == by_column.end()) continue;
    feature.p_value = at->second->p_value;
    feature.q_value = at->second->q_value;
    if (significance->fdr) feature.significant = at->second->significant;
  }
}

// Columns that were not chosen for want of significance are not weak, nor is any other in their
// place.
void ExplainByTest(std::vector<Unchosen>* rest) {
  for (Unchosen& one : *rest) {
    if (one.reason == "redundant" || one.reason == "weak" || one.reason == "outcompeted") {
      one.reason = "not significant";
    }
  }
}

// The rows that leave a metric undefined are of one class, or of one value.
void RemarkOnUndefined(SelectionResult* result) {
  struct Part {
    const char* name;
    size_t rows;
    std::optional<double> value;
  };
  for (const Part& part : {Part{"validation", result->data.valid, result->valid_metric},
                           Part{"test", result->data.test, result->test_metric}}) {
    if (part.rows == 0 || !part.value || std::isfinite(*part.value)) continue;
    result->data.remarks.push_back(
        result->metric + " is undefined on the " + part.name + " rows: all " +
        std::to_string(part.rows) + " of them are of one " +
        (result->data.task == Task::kClassification ? "class" : "value"));
  }
}

Json OptionsOf(Selector& selector) {
  OptionList options;
  selector.DescribeOptions(options);
  return options.ToJson();
}

// Nothing was significant: there is no predictor, and nothing to measure.
SelectionResult WithoutColumns(const Preparation& prepared, Selector& selector,
                               const Context& context, SelectionResult result) {
  result.valid_metric = std::numeric_limits<double>::quiet_NaN();
  result.rest = ExplainRest(prepared, {}, context);
  ExplainByTest(&result.rest);
  result.options = OptionsOf(selector);
  result.fit_seconds = result.select_seconds;
  return result;
}

}  // namespace

SelectionResult SelectFromTable(const Tables& tables, const SelectionSpec& request,
                                std::string_view method, Selector& selector,
                                const Context& context) {
  return SelectFromParts(tables, request, CutRows(tables, request), method, selector, context);
}

SelectionResult SelectFromParts(const Tables& tables, const SelectionSpec& request, RowParts parts,
                                std::string_view method, Selector& selector,
                                const Context& context) {
  const Clock::time_point start = Clock::now();
  const std::unique_ptr<Preparation> encoded =
      PrepareOrGiveUp(tables, request, std::move(parts), context, /*needed=*/true);
  const Preparation& prepared = *encoded;
  if (!request.choose_significant) {
    CheckMemory(method, selector, prepared.problem(), request.k);
  }
  SelectionResult result;
  result.method = method;
  result.request = request;
  result.data = prepared.summary();
  result.metric = prepared.metric().name;

  const Clock::time_point select_start = Clock::now();
  const Context selecting = request.explain ? BeforeImportance(context) : context;
  Found found = SelectAndTest(prepared, request, method, selector, selecting);
  EnsembleChoice& ensemble = found.ensemble;
  Choice& choice = ensemble.choice;
  result.significance = std::move(found.significance);
  result.request.k = static_cast<int>(choice.features.size());
  result.select_seconds = SecondsSince(select_start);
  result.stopped_early = found.cut;
  if (result.significance && request.split_by.kind == SplitRule::Kind::kTime) {
    result.data.remarks.push_back(
        "the test of significance takes rows for independent; where those "
        "near in time are alike, it finds too much");
  }
  if (found.untested) {
    result.data.remarks.push_back(
        "the columns were chosen, but not tested for significance: there was no time left; allow "
        "more by " +
        FieldRef("time_limit"));
  }
  if (choice.features.empty())
    return WithoutColumns(prepared, selector, context, std::move(result));
  const SelectionEffort effort =
      choice.model.predictor ? SelectionEffort::kTraining : SelectionEffort::kRanking;
  if (!choice.model.predictor) {
    choice.model = FitOn(selector, prepared.problem(), choice.features, request.seed, selecting);
  }
  result.stopped_early |= selecting.ShouldStop();
  Assessment assessment = Assess(prepared, choice.model);
  result.valid_metric = assessment.valid;
  result.test_metric = assessment.test;
  result.evidence = std::move(assessment.evidence);
  RemarkOnUndefined(&result);
  if (request.all_columns && !result.stopped_early) {
    result.evidence.all_columns = MeasureAllColumns(prepared, selector, request.seed, context);
  }
  const Importances importances =
      request.explain ? TimedImportance(prepared, choice, effort, context, &result) : Importances{};
  result.selected = DescribeRanked(prepared, importances, &ensemble);
  MarkSignificant(result.significance, &result.selected);
  result.tried = std::move(choice.tried);
  if (request.by_class) result.by_class = AssessByClass(prepared, choice.model);
  result.model = MakeFittedModel(prepared, choice, result);
  if (request.explain) result.rest = ExplainRest(prepared, choice, context);
  if (request.choose_significant) ExplainByTest(&result.rest);
  result.options = OptionsOf(selector);
  result.fit_seconds = SecondsSince(start);
  return result;
}

Json SelectionResult::ToJson() const { return WriteFields(*this); }

SelectionResult SelectionResult::FromJson(const Json& json) {
  return ReadFields<SelectionResult>(json);
}

}  // namespace slm
