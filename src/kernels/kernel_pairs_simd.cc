#include "kernels/kernel_pairs.h"
#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

inline F16 Kernel(const float* a, const float* b, int32_t planes) {
  F16 distance = Zero();
  for (int32_t p = 0; p < planes; ++p, a += kWidth, b += kWidth) {
    const F16 difference = Load(a) - Load(b);
    distance = MulAdd(difference, difference, distance);
  }
  return Exp(Zero() - distance);
}

}  // namespace

void AddKernelMeans(const KernelRows& rows, size_t i, size_t begin, size_t end,
                    float* sum) noexcept {
  const float* x = rows.x;
  for (size_t s = 0; s < rows.strips; ++s, sum += kWidth) {
    F16 total = Load(sum);
    for (size_t j = begin; j < end; ++j) {
      const F16 k = Kernel(x + i * rows.x_stride, x + j * rows.x_stride, rows.planes[s]);
      total = MulAdd(Set(rows.share[j]), k, total);
    }
    Store(sum, total);
    x += static_cast<size_t>(rows.planes[s]) * kWidth;
  }
}

void AddKernelSquares(const KernelRows& rows, size_t i, size_t begin, size_t end,
                      float* sum) noexcept {
  const float* x = rows.x;
  const size_t width = rows.strips * kWidth;
  for (size_t s = 0; s < rows.strips; ++s) {
    const float* row_mean = rows.row_mean + s * kWidth;
    const F16 offset = Load(rows.mean + s * kWidth) - Load(row_mean + i * width);
    F16 total = Load(sum + s * kWidth);
    for (size_t j = begin; j < end; ++j) {
      const F16 k = Kernel(x + i * rows.x_stride, x + j * rows.x_stride, rows.planes[s]);
      const F16 centred = k + (offset - Load(row_mean + j * width));
      total = MulAdd(Set(rows.share[j]) * centred, centred, total);
    }
    Store(sum + s * kWidth, total);
    x += static_cast<size_t>(rows.planes[s]) * kWidth;
  }
}

void CentredKernel(const KernelRows& rows, size_t i, size_t j, float factor, float* out) noexcept {
  const size_t width = rows.strips * kWidth;
  const float* a = rows.x + i * rows.x_stride;
  const float* b = rows.x + j * rows.x_stride;
  const F16 f = Set(factor);
  for (size_t s = 0; s < rows.strips; ++s) {
    const size_t at = s * kWidth;
    const F16 offset = (Load(rows.mean + at) - Load(rows.row_mean + i * width + at)) -
                       Load(rows.row_mean + j * width + at);
    const F16 k = Kernel(a, b, rows.planes[s]);
    Store(out + at, f * Load(rows.scale + at) * (k + offset));
    a += static_cast<size_t>(rows.planes[s]) * kWidth;
    b += static_cast<size_t>(rows.planes[s]) * kWidth;
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
