#pragma once

// What a selection is worth on rows it has never seen, and what chance would have given: the whole
// work (encoding, selection, predictor) again for each fold, or with labels that mean nothing.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jobs/prepare.h"
#include "jobs/spread.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// A selection that can be repeated. The tables must outlive it.
struct SelectionWork {
  const Tables* tables = nullptr;
  SelectionSpec request;
  std::string method;
  std::function<std::unique_ptr<Selector>()> make;
  int folds = 0;  // 0 for the one split of the request
};

struct FoldResult {
  size_t train = 0, valid = 0, held_out = 0;  // rows
  double metric = 0;                          // on the rows held out
  std::vector<std::string> selected;          // names

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("train", train);
    v("valid", valid);
    v("held_out", held_out);
    v("metric", metric);
    v("selected", selected);
  }
};

struct FeatureFrequency {
  std::string name;
  int index = 0;  // position of the column in the table, from 0
  double frequency = 0;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("index", index);
    v("frequency", frequency);
  }
};

// Most often first, then by column.
std::vector<FeatureFrequency> MostFrequentFirst(std::map<int, FeatureFrequency>&& by_column);

struct CrossValidation {
  std::string rule;  // "group:COL", "time:COL"; empty at random
  std::string metric;
  int asked = 0;                  // folds
  std::vector<FoldResult> folds;  // that were finished
  // How often each column that was ever chosen was, most often first.
  std::vector<FeatureFrequency> chosen;

  bool Complete() const { return folds.size() == static_cast<size_t>(asked); }
  Spread Metric() const;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v.OrWord("rule", rule, "random");
    v("asked", asked);
    v("metric", metric);
    v.Derived("mean", [&] { return Metric().Mean(); });
    v.Derived("sd", [&] { return Metric().Sd(); });
    v("folds", folds);
    v("chosen", chosen);
  }
};

// Selects without each fold in turn and judges on it; with time, from the past alone. Holds the
// encoded tables of as many folds as there are threads. Stopped early, it has the folds that were
// finished.
CrossValidation CrossValidate(const SelectionWork& work, const Context& context);

struct NullComparison {
  std::string metric;
  int asked = 0;
  double actual = 0;           // of the selection from labels as they are
  std::vector<double> chance;  // of each finished run with shuffled labels
  size_t as_good = 0;          // of these, as good as the actual one or better

  bool Complete() const { return chance.size() == static_cast<size_t>(asked); }
  Spread Chance() const { return SpreadOf(chance); }
  // (1 + as good) / (1 + runs): the p-value of a permutation test.
  double Share() const;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("asked", asked);
    v("metric", metric);
    v("actual", actual);
    v.Derived("mean", [&] { return Chance().Mean(); });
    v.Derived("sd", [&] { return Chance().Sd(); });
    v("values", chance);
    v("as_good", as_good);
    v.Derived("share", [&] { return Share(); });
  }
};

size_t CountAsGood(std::span<const double> chance, double actual, bool larger_is_better);

// `runs` times the whole work, folds included, each time with labels shuffled inside every part;
// `actual` is what it gave with the true ones.
NullComparison CompareWithChance(const SelectionWork& work, int runs, double actual,
                                 const Context& context);

}  // namespace slm
