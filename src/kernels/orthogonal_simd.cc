#include "kernels/orthogonal.h"
#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

constexpr size_t kVectors = kOrthogonalLanes / kWidth;

}  // namespace

void Reflect(const float* v, float scale, size_t n, float* block) noexcept {
  F16 sum[kVectors];
  for (size_t k = 0; k < kVectors; ++k) sum[k] = Zero();
  const float* x = block;
  for (size_t j = 0; j < n; ++j, x += kOrthogonalLanes) {
    const F16 vj = Set(v[j]);
    for (size_t k = 0; k < kVectors; ++k) sum[k] = MulAdd(vj, Load(x + k * kWidth), sum[k]);
  }
  for (size_t k = 0; k < kVectors; ++k) sum[k] = sum[k] * Set(scale);
  for (size_t j = 0; j < n; ++j, block += kOrthogonalLanes) {
    const F16 vj = Set(v[j]);
    for (size_t k = 0; k < kVectors; ++k) {
      Store(block + k * kWidth, NegMulAdd(vj, sum[k], Load(block + k * kWidth)));
    }
  }
}

void RotateDown(const Rotation* rotations, size_t count, size_t from, float* block) noexcept {
  // The lower component of one rotation is the upper one of the next: it stays in registers.
  float* high = block + from * kOrthogonalLanes;
  F16 upper[kVectors];
  for (size_t k = 0; k < kVectors; ++k) upper[k] = Load(high + k * kWidth);
  for (size_t t = 0; t < count; ++t, high -= kOrthogonalLanes) {
    const F16 c = Set(rotations[t].c), s = Set(rotations[t].s);
    const float* low = high - kOrthogonalLanes;
    for (size_t k = 0; k < kVectors; ++k) {
      const F16 lower = Load(low + k * kWidth);
      Store(high + k * kWidth, MulAdd(s, lower, c * upper[k]));
      upper[k] = NegMulAdd(s, upper[k], c * lower);
    }
  }
  for (size_t k = 0; k < kVectors; ++k) Store(high + k * kWidth, upper[k]);
}

}  // namespace slm::SLM_SIMD_LEVEL
