#pragma once

// Reflections and rotations of many vectors at once, as eigenvectors are made of
// (numerics/symmetric_eigen.h). A block holds kOrthogonalLanes vectors side by side: component j
// of vector l is block[j * kOrthogonalLanes + l].

#include <cstddef>

namespace slm {

inline constexpr size_t kOrthogonalLanes = 64;  // enough independent chains to hide latencies

// Each vector x of n components becomes x - scale (v.x) v.
void Reflect(const float* v, float scale, size_t n, float* block) noexcept;

struct Rotation {
  float c, s;
};
// For t = 0 ... count - 1, components j = from - t - 1 and j + 1 of each vector become
//   (c x_j - s x_{j+1},  s x_j + c x_{j+1})  with c and s of rotation t.
void RotateDown(const Rotation* rotations, size_t count, size_t from, float* block) noexcept;

}  // namespace slm
