#include "kernels/hierarchy.h"
#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

struct Above {
  double sum;
  int count;
};

// Of the magnitudes above `bound`.
inline Above MagnitudesAbove(const float* u, size_t n, float bound) {
  const F16 limit = Set(bound);
  F16 sum = Zero();
  int count = 0;
  for (size_t i = 0; i < n; i += kWidth) {
    const F16 x = Load(u + i), magnitude = Max(x, Zero() - x);
    const M16 above = Greater(magnitude, limit);
    sum = AddIf(above, sum, magnitude);
    count += __builtin_popcount(Bits(above));
  }
  return {static_cast<double>(Sum(sum)), count};
}

inline void Clear(float* x, size_t n) {
  for (size_t i = 0; i < n; i += kWidth) Store(x + i, Zero());
}

}  // namespace

// With the s magnitudes above the bound w adding up to S, the new norm of v is
// n(w) = max(0, |v| - lambda + M S) / (1 + s M^2), and w = M n(w). The difference of both sides is
// convex in w and falls, so Newton's method is left of the root after its first step, wherever that
// began, and takes finitely many more to it. It is there when a step passes no magnitude.
float ShrinkHierarchy(const HierarchyArgs& a) noexcept {
  F16 squares = Zero();
  for (size_t i = 0; i < a.skip_size; i += kWidth) {
    const F16 v = Load(a.skip + i);
    squares = MulAdd(v, v, squares);
  }
  const double norm = __builtin_sqrt(static_cast<double>(Sum(squares)));
  const double m = a.hierarchy, square = m * m, rest = norm - a.lambda;
  double new_norm = rest > 0 ? rest : 0;
  float bound = a.guess >= 0 ? a.guess : static_cast<float>(m * new_norm);
  int count = -1;
  for (bool first = true; norm > 0; first = false) {
    const Above above = MagnitudesAbove(a.hidden, a.hidden_size, bound);
    if (above.count == count) break;
    count = above.count;
    const double total = rest + m * above.sum;
    new_norm = total > 0 ? total / (1 + count * square) : 0;
    const float last = bound;
    bound = static_cast<float>(m * new_norm);
    if (!first && !(bound > last)) break;
  }
  if (!(norm > 0) || new_norm == 0) {
    Clear(a.skip, a.skip_size);
    Clear(a.hidden, a.hidden_size);
    return 0;
  }
  if (count > 0) {
    const F16 most = Set(bound), least = Zero() - most;
    for (size_t i = 0; i < a.hidden_size; i += kWidth) {
      Store(a.hidden + i, Min(Max(Load(a.hidden + i), least), most));
    }
  }
  const F16 factor = Set(static_cast<float>(new_norm / norm));
  for (size_t i = 0; i < a.skip_size; i += kWidth) {
    Store(a.skip + i, factor * Load(a.skip + i));
  }
  return bound;
}

}  // namespace slm::SLM_SIMD_LEVEL
