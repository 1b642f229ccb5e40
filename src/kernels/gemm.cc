#include "kernels/gemm.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(void, Gemm, const GemmArgs& args)

void Gemm(const GemmArgs& args) noexcept { SLM_DISPATCH(Gemm, args); }

void GemmReference(const GemmArgs& args) noexcept {
  for (size_t i = 0; i < args.m; ++i) {
    for (size_t j = 0; j < args.n; ++j) {
      float sum = 0;
      for (size_t p = 0; p < args.k; ++p) {
        float a = args.a_transposed ? args.a[p * args.a_stride + i] : args.a[i * args.a_stride + p];
        sum = std::fma(a, args.b[p * args.b_stride + j], sum);
      }
      switch (args.epilogue) {
        case GemmEpilogue::kNone:
          break;
        case GemmEpilogue::kBias:
          sum += args.bias[j];
          break;
        case GemmEpilogue::kBiasRelu:
          sum = std::max(0.0f, sum + args.bias[j]);
          break;
        case GemmEpilogue::kReluGrad:
          if (!(args.mask[i * args.mask_stride + j] > 0)) sum = 0;
          break;
      }
      args.c[i * args.c_stride + j] = sum;
    }
  }
}

void Transpose(const float* in, size_t in_stride, size_t rows, size_t cols, float* out,
               size_t out_stride) noexcept {
  constexpr size_t kTile = 16;  // keeps both sides of a tile in the first cache
  for (size_t i0 = 0; i0 < rows; i0 += kTile) {
    for (size_t j0 = 0; j0 < cols; j0 += kTile) {
      for (size_t i = i0; i < std::min(rows, i0 + kTile); ++i) {
        for (size_t j = j0; j < std::min(cols, j0 + kTile); ++j) {
          out[j * out_stride + i] = in[i * in_stride + j];
        }
      }
    }
  }
}

}  // namespace slm
