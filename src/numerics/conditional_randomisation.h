#pragma once

// Whether a feature says anything of the target that no other feature says: conditional
// randomisation (Candes, Fan, Janson, Lv 2018) in its distilled form (Liu, Katsevich, Janson,
// Ramdas 2022). What all other features say is taken out of the target and out of the feature; what
// is left of the two is unrelated if the feature means nothing given the others, and is compared
// with rows of the feature's rest that have changed places.
//
// Both rests come from ridge regressions learned on four fifths of the rows for each fifth: a rest
// on rows that it was fitted to is too small, and the test would find too much. Penalties are those
// that predict best on the rows left out, and a target of which nothing is surely predicted stays
// as it is. It is enough that one of the two regressions is right. The test looks for what is left
// in a line, on the scale of normal scores.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "slm/context.h"
#include "slm/matrix.h"

namespace slm {

struct RandomisationTest {
  // Standardised columns; feature j owns [offsets[j], offsets[j + 1]).
  MatrixView<const float> z;
  std::span<const int32_t> offsets;
  Matrix y;       // rows x outputs, each of mean 0
  int draws = 0;  // at most; fewer where the p-value is found to be large
};

// (1 + as large) / (1 + draws) for each of `features`: the share of draws whose statistic is as
// large as the actual one, which counts as a draw. Drawing ends once 50 were as large (Besag,
// Clifford 1991), which gives valid p-values, too. Empty if stopped.
std::vector<double> ConditionalPValues(const RandomisationTest& test, std::span<const int> features,
                                       const RandomStream& stream, const Context& context);

// What it holds of each of the features, while it works.
double BytesOfRests(size_t rows, double width, double outputs);

}  // namespace slm
