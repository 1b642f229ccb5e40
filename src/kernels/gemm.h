#pragma once

// Single-thread matrix products of the sizes that training makes. Every output is one chain of
// multiply-adds over k in ascending order, so the bits depend neither on blocking nor on the width
// of the machine's vectors.

#include <cstddef>

namespace slm {

enum class GemmEpilogue {
  kNone,
  kBias,      // c = a b + row
  kBiasRelu,  // c = max(0, a b + row)
  kReluGrad,  // c = a b where mask > 0, else 0; the mask may be c itself
};

// C = A B with C of m x n and inner dimension k. n is a multiple of 16: B and C are padded.
struct GemmArgs {
  size_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  size_t a_stride = 0;
  bool a_transposed = false;  // A(i, p) is a[p * a_stride + i] instead of a[i * a_stride + p]
  const float* b = nullptr;
  size_t b_stride = 0;
  float* c = nullptr;
  size_t c_stride = 0;
  GemmEpilogue epilogue = GemmEpilogue::kNone;
  const float* bias = nullptr;  // n values
  const float* mask = nullptr;  // m x n
  size_t mask_stride = 0;
};

void Gemm(const GemmArgs& args) noexcept;

// The same by three plain loops.
void GemmReference(const GemmArgs& args) noexcept;

// out(j, i) = in(i, j): rows x cols becomes cols x rows.
void Transpose(const float* in, size_t in_stride, size_t rows, size_t cols, float* out,
               size_t out_stride) noexcept;

}  // namespace slm
