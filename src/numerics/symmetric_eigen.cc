#include "numerics/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/thread_pool.h"
#include "kernels/orthogonal.h"

namespace slm {
namespace {

constexpr size_t kRowsAtOnce = 64;  // of the matrix, in a task

// Eight chains of sums: one would wait for itself, and the compiler may not split it.
double Dot(const double* a, const double* b, size_t n) {
  double sum[8] = {};
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (size_t l = 0; l < 8; ++l) sum[l] += a[i + l] * b[i + l];
  }
  for (; i < n; ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

struct Tridiagonal {
  std::vector<double> diagonal, beside;  // beside[i] couples i and i + 1
  // Reflection k is I - scale[k] v v^T; v is row k of the reduced matrix from column k + 1 on.
  std::vector<double> reflections;
  std::vector<double> scale;
};

// Each step reflects row k onto its first element beyond the diagonal and applies
//   A -= v w^T + w v^T,  w = p - scale/2 (p.v) v,  p = scale A v
// to what remains. The update of a row and its product with the next v are one pass over memory.
bool Reduce(std::vector<double> a, size_t n, const Context& context, Tridiagonal& out) {
  out.diagonal.resize(n);
  out.beside.assign(n, 0.0);
  out.scale.assign(n, 0.0);
  std::vector<double> v(n), w(n), next(n), product(n);
  double scale = 0;  // of v; 0 before the first
  for (size_t k = 0; k < n; ++k) {
    if (context.ShouldStop()) return false;
    double* row = a.data() + k * n;
    if (scale != 0) {
      for (size_t j = k; j < n; ++j) row[j] -= v[k] * w[j] + w[k] * v[j];
    }
    out.diagonal[k] = row[k];
    if (k + 1 == n) break;
    const size_t first = k + 1;
    const double tail = Dot(row + first + 1, row + first + 1, n - first - 1);
    double next_scale = 0;
    std::copy(row + first, row + n, next.begin() + static_cast<std::ptrdiff_t>(first));
    if (tail == 0) {
      out.beside[k] = row[first];
    } else {
      const double norm = std::sqrt(row[first] * row[first] + tail);
      const double target = row[first] > 0 ? -norm : norm;  // no cancellation
      next[first] -= target;
      next_scale = 2 / (next[first] * next[first] + tail);
      out.beside[k] = target;
    }
    const size_t tasks = (n - first + kRowsAtOnce - 1) / kRowsAtOnce;
    auto update = [&](size_t task) {
      const size_t end = std::min(n, first + (task + 1) * kRowsAtOnce);
      for (size_t i = first + task * kRowsAtOnce; i < end; ++i) {
        double* at = a.data() + i * n;
        if (scale != 0) {
          const double vi = v[i], wi = w[i];
          for (size_t j = first; j < n; ++j) at[j] -= vi * w[j] + wi * v[j];
        }
        if (next_scale != 0) product[i] = Dot(at + first, next.data() + first, n - first);
      }
    };
    if (tasks < 4) {
      for (size_t task = 0; task < tasks; ++task) update(task);
    } else {
      context.pool->ParallelFor(tasks, update);
    }
    std::copy(next.begin() + static_cast<std::ptrdiff_t>(first), next.end(), row + first);
    out.scale[k] = scale = next_scale;
    v.swap(next);
    if (scale != 0) {
      const double half =
          scale * scale / 2 * Dot(product.data() + first, v.data() + first, n - first);
      for (size_t j = first; j < n; ++j) w[j] = scale * product[j] - half * v[j];
    }
  }
  out.reflections = std::move(a);
  return true;
}

// Rotations of the pairs (from - 1, from), (from - 2, from - 1) ... of vectors.
struct Sweep {
  size_t from, begin, end;  // begin, end: of the rotations
};
struct Rotations {
  std::vector<Rotation> list;
  std::vector<Sweep> sweeps;
};

// QL with implicit Wilkinson shifts. Afterwards `diagonal` has the eigenvalues, in no order.
bool FindValues(std::vector<double>& diagonal, std::vector<double>& beside, Rotations& rotations,
                const Context& context) {
  const size_t n = diagonal.size();
  constexpr double kEpsilon = 0x1p-53;
  constexpr int kMostSweeps = 60;  // two or three are usual
  for (size_t l = 0; l < n; ++l) {
    if (context.ShouldStop()) return false;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      size_t m = l;
      while (m + 1 < n && std::fabs(beside[m]) >
                              kEpsilon * (std::fabs(diagonal[m]) + std::fabs(diagonal[m + 1]))) {
        ++m;
      }
      if (m == l) break;
      double g = (diagonal[l + 1] - diagonal[l]) / (2 * beside[l]);
      g = diagonal[m] - diagonal[l] + beside[l] / (g + std::copysign(std::hypot(g, 1.0), g));
      double s = 1, c = 1, p = 0;
      const size_t begin = rotations.list.size();
      bool deflated = false;
      for (size_t i = m; i-- > l;) {
        const double f = s * beside[i], b = c * beside[i];
        const double r = std::hypot(f, g);
        beside[i + 1] = r;
        if (r == 0) {
          diagonal[i + 1] -= p;
          beside[m] = 0;
          deflated = true;
          break;
        }
        s = f / r;
        c = g / r;
        g = diagonal[i + 1] - p;
        const double t = (diagonal[i] - g) * s + 2 * c * b;
        p = s * t;
        diagonal[i + 1] = g + p;
        g = c * t - b;
        rotations.list.push_back({static_cast<float>(c), static_cast<float>(s)});
      }
      rotations.sweeps.push_back({m, begin, rotations.list.size()});
      if (deflated) continue;
      diagonal[l] -= p;
      beside[l] = g;
      beside[m] = 0;
    }
  }
  return true;
}

// Rows [first, first + kOrthogonalLanes) of the product of all reflections and rotations, side by
// side in `block`.
void MakeVectors(const Tridiagonal& reduced, const Rotations& rotations, size_t first, size_t n,
                 std::vector<float>& block) {
  constexpr size_t kB = kOrthogonalLanes;
  block.assign(n * kB, 0.0f);
  for (size_t r = 0; r < kB && first + r < n; ++r) block[(first + r) * kB + r] = 1;
  std::vector<float> v(n);
  for (size_t k = 0; k + 1 < n; ++k) {
    if (reduced.scale[k] == 0) continue;
    // v comes with a norm of 1, which floats can hold whatever the scale of the matrix.
    const double unit = std::sqrt(reduced.scale[k] / 2);
    for (size_t j = k + 1; j < n; ++j) {
      v[j] = static_cast<float>(unit * reduced.reflections[k * n + j]);
    }
    Reflect(v.data() + k + 1, 2.0f, n - k - 1, block.data() + (k + 1) * kB);
  }
  for (const Sweep& sweep : rotations.sweeps) {
    RotateDown(rotations.list.data() + sweep.begin, sweep.end - sweep.begin, sweep.from,
               block.data());
  }
}

}  // namespace

SymmetricEigen DecomposeSymmetric(std::vector<double> a, size_t n, const Context& context) {
  Tridiagonal reduced;
  Rotations rotations;
  if (!Reduce(std::move(a), n, context, reduced)) return {};
  std::vector<double> values = reduced.diagonal;
  if (!FindValues(values, reduced.beside, rotations, context)) return {};
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t i, size_t j) { return values[i] > values[j]; });
  SymmetricEigen out;
  out.vectors.resize(n * n);
  context.pool->ParallelFor((n + kOrthogonalLanes - 1) / kOrthogonalLanes, [&](size_t task) {
    if (context.ShouldStop()) return;
    std::vector<float> block;
    const size_t first = task * kOrthogonalLanes;
    MakeVectors(reduced, rotations, first, n, block);
    for (size_t r = 0; r < kOrthogonalLanes && first + r < n; ++r) {
      for (size_t i = 0; i < n; ++i) {
        out.vectors[(first + r) * n + i] = block[order[i] * kOrthogonalLanes + r];
      }
    }
  });
  if (context.ShouldStop()) return {};
  for (size_t i : order) out.values.push_back(values[i]);
  return out;
}

}  // namespace slm
