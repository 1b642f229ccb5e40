#pragma once

// A feature selector: from a problem and k to exactly k features and a score for every feature.
// Implement it to bring your own method.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slm/context.h"
#include "slm/predictor.h"
#include "slm/problem.h"

namespace slm {

class OptionList;
struct SearchSpace;

// A set of features that a method weighed against others.
struct TriedSet {
  std::string name;                   // of the method that found it, or how it was put together
  std::optional<double> judged = {};  // the mean of those who judged it; empty if nobody did
  // By how much it is ahead of the first one, and the standard error of that.
  std::optional<double> lead = {}, lead_sd = {};
  bool taken = false;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v.Optional("judged", judged);
    v.Optional("lead", lead);
    v.Optional("lead_sd", lead_sd);
    v("taken", taken);
  }
};

struct Choice {
  std::vector<int> features;  // exactly k, best first
  // Of each feature of the problem: 0 for those not chosen, NaN for those of Problem::keep that the
  // method took without weighing them.
  std::vector<float> weights;
  // Of each feature, in the method's own unit; the larger the better. Methods that judge a feature
  // beside those already taken give what it was worth when it was taken, or at the end.
  std::vector<float> scores;
  // The model that was trained along with the choice, on the chosen features; without a predictor
  // for methods that only rank.
  Model model;
  std::vector<TriedSet> tried = {};  // what it was taken from; empty for methods that try one set
};

// Working memory of a method beyond the problem itself, and how to do with less of it.
struct MemoryNeed {
  double bytes = 0;
  std::string advice;  // "lower --block-size"; empty if nothing helps
};

// What a selection would take, in seconds on the clock.
struct TimeNeed {
  double low = 0, high = 0;  // they differ where what is found decides about further work
  std::string basis;         // what it was told from: "100 and 400 of the 2000 steps of a run"
};

// The features that a method takes if there are to be k of them.
struct PathSet {
  int k = 0;
  std::vector<int> features;
};

class Selector {
 public:
  virtual ~Selector() = default;
  virtual Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) = 0;
  // Sets for each of several k, which ascend, from as few fits as the method can do with: the best
  // ones of one selection at the largest k, unless it knows better. Several sets for one k leave it
  // to the caller which of them is best; none where the work was stopped.
  virtual std::vector<PathSet> SelectEach(const Problem& problem, std::span<const int> ks,
                                          uint64_t seed, const Context& context) {
    const Choice choice = Select(problem, ks.back(), seed, context);
    std::vector<PathSet> sets;
    for (int k : ks) {
      sets.push_back({k, {choice.features.begin(), choice.features.begin() + k}});
    }
    return sets;
  }
  // How many sets SelectEach gives for one k at the most.
  virtual int SetsForEachK(const Problem&) const { return 1; }
  // The model that Select would have trained for features that were found otherwise, as by a vote
  // over several selections; without a predictor for methods that only rank.
  virtual Model FitOn(const Problem&, std::span<const int> /*features*/, uint64_t /*seed*/,
                      const Context&) {
    return {};
  }
  // Whether the method has a form for such labels. Asked before Select.
  virtual bool Serves(const Labels& labels) const {
    return labels.has_classes() || labels.has_values();
  }
  // Asked before Select; 0 means no more than a few copies of the problem.
  virtual MemoryNeed Memory(const Problem&, int /*k*/) const { return {}; }
  // The time of Select, or of SelectEach for several k, told from about a second of the work;
  // nothing if the method cannot say.
  virtual std::optional<TimeNeed> Time(const Problem&, std::span<const int> /*ks*/,
                                       uint64_t /*seed*/, const Context&) const {
    return std::nullopt;
  }
  // What Select would do with a problem, run by run, as lines for people or as JSON; empty for
  // methods that do not plan.
  virtual std::string ExplainRecipe(const Problem&, bool /*json*/) const { return {}; }
  // Adds the method's options, bound to this selector.
  virtual void DescribeOptions(OptionList&) {}
  // What of them a search for settings may change, and how; nothing for methods without options.
  virtual void DescribeSearch(SearchSpace&) const {}
};

}  // namespace slm
