#pragma once

// How much a selection changes with the rows and the random numbers it is made from.
//
// Nogueira, Sechidis, Brown: On the Stability of Feature Selection Algorithms, JMLR 2018. With M
// sets out of d features, p_f the share of them that hold feature f and k their mean size,
//
//   index = 1 - (1 / d) sum_f M / (M - 1) p_f (1 - p_f) / (k / d (1 - k / d))
//
// which is 1 if all sets are the same and 0 on average if they are drawn at random; for sets of one
// size it is the mean of Kuncheva's index over pairs. Its variance is estimated as in the paper
// (Theorem 7), the interval is the normal one at 95 %.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "jobs/compare.h"
#include "jobs/cross_validate.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "slm/context.h"

namespace slm {

struct StabilityIndex {
  double index = 0;  // NaN for fewer than two sets, and if they hold no or every feature
  double variance = 0;
  std::array<double, 2> interval = {};
};

// `sets` hold indices below `features`, each once.
StabilityIndex MeasureStability(std::span<const std::vector<int>> sets, size_t features);

// Means over all pairs of sets; NaN for fewer than two.
struct PairOverlap {
  double jaccard = 0;  // what both hold over what either holds
  double shared = 0;   // what both hold over the size of the smaller
};
PairOverlap MeasureOverlap(std::span<const std::vector<int>> sets);

struct StabilitySpec {
  SelectionSpec select;  // resamples have the seeds from its seed on
  int resamples = 20;
  std::optional<double> subsample = 0.5;  // share of the rows in each; empty for the bootstrap
  std::vector<ComparedMethod> methods;
};

struct StabilityRow {
  std::string method;
  std::string failure;                 // why there is no result
  std::vector<std::vector<int>> sets;  // columns of the table, one set for each finished resample
  int late = 0;                        // of them, cut short by the time limit
  StabilityIndex stability;
  PairOverlap overlap;
  std::vector<FeatureFrequency> frequencies;  // of what was ever chosen, most often first
  double select_seconds = 0;                  // of one selection, on average

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("method", method);
    v.Optional("reason", failure);
    v.Derived("resamples", [&] { return sets.size(); });
    v.Optional("late", late);
    v("stability", stability.index);
    v("variance", stability.variance);
    v("interval", stability.interval);
    v("jaccard", overlap.jaccard);
    v("shared", overlap.shared);
    v("select_seconds", select_seconds);
    v("features", frequencies);
    v("sets", sets);
  }
};

struct StabilityResult : Outcome {
  StabilitySpec request;
  size_t features = 0;             // d: columns that could be chosen in some resample
  std::vector<StabilityRow> rows;  // most stable first; those that failed at the end

  // Resamples on which every method that did not fail has selected.
  size_t Finished() const;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitHead(v, "slm.stability/1", nullptr, request.select.target);
    v("k", request.select.k);
    v("seed", request.select.seed);
    v("resamples", request.resamples);
    v.Derived("finished", [&] { return Finished(); });
    v.OrWord("subsample", request.subsample, "bootstrap");
    v("data", data);
    v("candidates", features);
    v("results", rows);
    VisitEnd(v);
  }
  Json ToJson() const;
  // A result that was written. Throws a DataError that names the field.
  static StabilityResult FromJson(const Json& json);
};

// Every method on the same resamples. What one of them throws is its row's failure. Holds the
// encoded tables of as many resamples as there are threads.
StabilityResult CompareStability(const Tables& tables, const StabilitySpec& request,
                                 const Context& context);

}  // namespace slm
