#pragma once

// Shadow columns: copies whose rows are shuffled, so that they have the values of a feature and
// nothing of what it says about the target.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// Fills `out` with the columns of some features, one feature after the other, each with an order of
// the `rows` of its own; the columns of a feature stay together. Other rows are left alone. The
// order of the i-th feature is drawn from substream i.
inline void FillShadows(MatrixView<const float> x, const FeatureLayout& layout,
                        std::span<const size_t> features, std::span<const uint32_t> rows,
                        const RandomStream& random, ThreadPool& pool, MatrixView<float> out) {
  const auto begin = [&](size_t i) { return static_cast<size_t>(layout.offsets[features[i]]); };
  const auto end = [&](size_t i) { return static_cast<size_t>(layout.offsets[features[i] + 1]); };
  std::vector<size_t> at(features.size());
  for (size_t i = 1; i < at.size(); ++i) at[i] = at[i - 1] + end(i - 1) - begin(i - 1);
  pool.ParallelFor(features.size(), [&](size_t i) {
    RandomStream own = random.Substream(i);
    std::vector<uint32_t> from(rows.begin(), rows.end());
    own.Shuffle(std::span(from));
    for (size_t r = 0; r < rows.size(); ++r) {
      std::copy(x.row(from[r]) + begin(i), x.row(from[r]) + end(i), out.row(rows[r]) + at[i]);
    }
  });
}

}  // namespace slm
