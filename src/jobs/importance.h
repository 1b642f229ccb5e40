#pragma once

// How important a chosen column is: what the metric loses when the column is left out of the fitted
// predictor. Left out means that each row has the cells of another one in it, all parts of a
// feature together: the predictor reads values that occur, but learns nothing of the row from them.
// That is permutation importance (Breiman 2001); docs/decisions.md says why it is not another.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs/prepare.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// What importances were measured on.
struct ImportanceBasis {
  std::string parts;  // "validation", or "validation and test" where rows of validation are few
  size_t rows = 0;    // all of them, or as many as the time allows, drawn at random
  int repeats = 0;    // permutations of each feature

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("parts", parts);
    v("rows", rows);
    v("repeats", repeats);
  }
};

struct Importance {
  double loss = 0;  // of the metric, in its unit; positive where the column helps
  double sd = 0;    // the standard error of the loss, over rows and permutations
};

struct Importances {
  ImportanceBasis basis;
  std::vector<Importance> of;  // in the order of the features
};

// How long a method took beside the fit of one final predictor, which bounds the rows to measure
// on.
enum class SelectionEffort { kRanking, kTraining };

// Of the features of the choice, whose model must have a predictor. Nothing if the work is stopped
// before its end, if there are no two rows to exchange cells, or if the metric has no value on
// them. The same for any number of threads. A tenth of the time of the selection or less, however
// many features and rows there are.
std::optional<Importances> MeasureImportance(const Preparation& prepared, const Choice& choice,
                                             SelectionEffort effort, uint64_t seed,
                                             const Context& context);

// The places of so many features, the most important first. Those that are equally important stay
// in their order, as all do if none was measured.
std::vector<size_t> RankByImportance(const Importances& importances, size_t features);

}  // namespace slm
