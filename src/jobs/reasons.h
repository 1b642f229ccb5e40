#pragma once

// Why each column was not chosen, and which chosen one comes nearest to it.

#include <optional>
#include <string>
#include <vector>

#include "jobs/prepare.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

struct Unchosen {
  std::string name;
  // What the data or the user decided ("constant", "duplicate of X", ...), or
  //   redundant    a chosen column goes along with it: |correlation| of at least 0.7
  //   weak         alone it tells no more of the target than chance would, at the 5 % level
  //   outcompeted  neither: the chosen ones tell more
  std::string reason;
  std::string nearest;                // chosen column of the largest |correlation|; empty if none
  std::optional<double> correlation;  // with it, on training rows

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("reason", reason);
    v.Optional("nearest", nearest);
    v.Optional("correlation", correlation);
  }
};

// Columns that could not be chosen first, then the others in the order of the table. Text counts by
// the level that tells most of the target. Correlations are those of at most 1000 rows: a standard
// error of 0.03. O(features * k * rows), at most about a second.
std::vector<Unchosen> ExplainRest(const Preparation& prepared, const Choice& choice,
                                  const Context& context);

}  // namespace slm
