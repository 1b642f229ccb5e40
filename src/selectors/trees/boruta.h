#pragma once

// Boruta (Kursa and Rudnicki 2010): all features that matter, told from chance by shadows.
//
// In each round the features that are not rejected, and a shadow of each, whose rows are shuffled
// anew, grow a forest. A feature whose importance is above that of the best shadow, or above a
// percentile of theirs, has a hit. The counts of hits decide (numerics/hit_test.h): confirmed,
// rejected, or still open when the rounds are over.
//
// Exactly k of them: those confirmed come first, then those left open, then those rejected; among
// them the one with more hits, and of as many hits the one with the larger median importance, or
// mean importance where the medians are equal. The score of a feature is the share of the rounds in
// which it had a hit.

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "numerics/hit_test.h"
#include "selectors/trees/forest.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

struct BorutaOptions {
  int rounds = 100;
  HitTest::Options test = {};
  double percentile = 100;
  // Deep trees give importance to noise, which is what shadows are to be told from.
  ForestOptions forest = {.max_depth = 5};
};

class Boruta {
 public:
  // The problem and the context must outlive this object.
  Boruta(const Problem& problem, const BorutaOptions& options, uint64_t seed,
         const Context& context);

  // Rounds until all features are decided, or there are enough, or the context says to stop.
  void Run();

  HitVerdict verdict(size_t feature) const { return test_.verdict(feature); }
  Choice Choose(size_t k) const;

 private:
  std::vector<size_t> Alive() const;
  size_t Width(size_t feature) const;
  bool Round();

  const Problem& problem_;
  const FeatureLayout& layout_;
  BorutaOptions options_;
  RandomStream random_;
  const Context& context_;
  MatrixView<const float> x_;
  std::vector<uint32_t> rows_;  // with a weight
  HitTest test_;
  std::vector<std::vector<double>> history_;  // importances of each feature, round by round
};

}  // namespace slm
