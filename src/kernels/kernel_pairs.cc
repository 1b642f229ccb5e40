#include "kernels/kernel_pairs.h"

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(void, AddKernelMeans, const KernelRows& rows, size_t i, size_t begin, size_t end,
                   float* sum)
SLM_DECLARE_LEVELS(void, AddKernelSquares, const KernelRows& rows, size_t i, size_t begin,
                   size_t end, float* sum)
SLM_DECLARE_LEVELS(void, CentredKernel, const KernelRows& rows, size_t i, size_t j, float factor,
                   float* out)

void AddKernelMeans(const KernelRows& rows, size_t i, size_t begin, size_t end,
                    float* sum) noexcept {
  SLM_DISPATCH(AddKernelMeans, rows, i, begin, end, sum);
}
void AddKernelSquares(const KernelRows& rows, size_t i, size_t begin, size_t end,
                      float* sum) noexcept {
  SLM_DISPATCH(AddKernelSquares, rows, i, begin, end, sum);
}
void CentredKernel(const KernelRows& rows, size_t i, size_t j, float factor, float* out) noexcept {
  SLM_DISPATCH(CentredKernel, rows, i, j, factor, out);
}

}  // namespace slm
