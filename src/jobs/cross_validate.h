#pragma once

// What a selection is worth on rows it has never seen, and what chance would have given: the whole
// work (encoding, selection, predictor) again for each fold, or with labels that mean nothing.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "jobs/prepare.h"
#include "jobs/spread.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// A selection that can be repeated. The tables must outlive it.
struct SelectionWork {
  const SelectTables* tables = nullptr;
  SelectRequest request;
  std::string method;
  std::function<std::unique_ptr<Selector>()> make;
  int folds = 0;  // 0 for the one split of the request
};

struct FoldResult {
  size_t train = 0, valid = 0, held_out = 0;  // rows
  double metric = 0;                          // on the rows held out
  std::vector<SelectedFeature> selected;
};

struct FeatureFrequency {
  std::string name;
  int index = 0;  // position of the column in the table, from 0
  double frequency = 0;
};

struct CrossValidation {
  std::string rule;  // "group:COL", "time:COL"; empty at random
  std::string metric;
  int asked = 0;                  // folds
  std::vector<FoldResult> folds;  // that were finished

  bool Complete() const { return folds.size() == static_cast<size_t>(asked); }
  Spread Metric() const;
  // How often each column that was ever chosen was, most often first.
  std::vector<FeatureFrequency> Frequencies() const;
  Json ToJson() const;
};

// Selects without each fold in turn and judges on it; with time, from the past alone. Holds the
// encoded tables of as many folds as there are threads. Stopped early, it has the folds that were
// finished.
CrossValidation CrossValidate(const SelectionWork& work, const Context& context);

struct NullComparison {
  std::string metric;
  bool larger_is_better = true;
  int asked = 0;
  double actual = 0;           // of the selection from labels as they are
  std::vector<double> chance;  // of each finished run with shuffled labels

  bool Complete() const { return chance.size() == static_cast<size_t>(asked); }
  Spread Chance() const { return SpreadOf(chance); }
  // Runs that did as well as the actual labels.
  size_t AsGood() const;
  // (1 + as good) / (1 + runs): the p-value of a permutation test.
  double Share() const;
  Json ToJson() const;
};

// `runs` times the whole work, folds included, each time with labels shuffled inside every part;
// `actual` is what it gave with the true ones.
NullComparison CompareWithChance(const SelectionWork& work, int runs, double actual,
                                 const Context& context);

}  // namespace slm
