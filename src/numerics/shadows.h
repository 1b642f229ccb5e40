#pragma once

// Shadow columns: copies whose rows are shuffled, so that they have the values of a feature and
// nothing of what it says about the target.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// Fills `out` with the columns of some features, one feature after the other, each with an order of
// the `rows` of its own; the columns of a feature stay together. Other rows are left alone. The
// order of the i-th feature is drawn from substream i.
inline void FillShadows(MatrixView<const float> x, const FeatureLayout& layout,
                        std::span<const size_t> features, std::span<const uint32_t> rows,
                        const RandomStream& random, MatrixView<float> out) {
  size_t at = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    RandomStream own = random.Substream(i);
    std::vector<uint32_t> from(rows.begin(), rows.end());
    own.Shuffle(std::span(from));
    const size_t begin = static_cast<size_t>(layout.offsets[features[i]]);
    const size_t width = static_cast<size_t>(layout.offsets[features[i] + 1]) - begin;
    for (size_t r = 0; r < rows.size(); ++r) {
      for (size_t c = 0; c < width; ++c) out(rows[r], at + c) = x(from[r], begin + c);
    }
    at += width;
  }
}

}  // namespace slm
