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
  //   redundant    a chosen column goes along with it: |association| of at least 0.7
  //   weak         alone it tells no more of the target than chance would, at the 5 % level
  //   outcompeted  neither: the chosen ones tell more
  std::string reason;
  std::string nearest;                // chosen column of the largest |association|; empty if none
  std::optional<double> correlation;  // the association with it, on training rows
  std::string measure;                // of it, which fits the types of the two: jobs/association.h

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("reason", reason);
    v.Optional("nearest", nearest);
    v.Optional("correlation", correlation);
    v.Optional("measure", measure);
  }
};

// Columns that could not be chosen first, then the others in the order of the table. Associations
// are those of cells, on at most 1000 of the rows in which both columns have one: a standard error
// of 0.03. Of groups the columns that go together most count. O(features * k * rows), at most about
// a second.
std::vector<Unchosen> ExplainRest(const Preparation& prepared, const Choice& choice,
                                  const Context& context);

}  // namespace slm
