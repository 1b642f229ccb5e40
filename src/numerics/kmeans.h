#pragma once

// k-means: Lloyd's iterations from starts by k-means++, the best of several.

#include <cstdint>
#include <vector>

#include "slm/context.h"
#include "slm/matrix.h"

namespace slm {

struct Clusters {
  std::vector<int32_t> cluster;  // of each point; every cluster has at least one
  Matrix centres;                // the means of the clusters
  double inertia = 0;            // sum of squared distances to them
};

// 1 <= clusters <= points. Each iteration costs points x clusters x dimensions, as matrix products;
// restarts go to threads. When asked to stop it gives what it has.
Clusters KMeans(const Matrix& points, size_t clusters, int restarts, uint64_t seed,
                const Context& context);

}  // namespace slm
