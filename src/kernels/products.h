#pragma once

// Sums in double over matrices of floats, for methods whose answers hang on small differences:
// Gram matrices, gradients of linear models, triangular solves.

#include <cstddef>

namespace slm {

// out(a, j) = sum over i of left(i, a) x(i, j), each one chain of multiply-adds over the rows in
// ascending order. `width` is a multiple of 16; so many columns of x are read and written.
struct ProductArgs {
  size_t rows = 0;
  const double* left = nullptr;
  size_t left_stride = 0;
  size_t left_columns = 0;
  const float* x = nullptr;
  size_t x_stride = 0;
  size_t width = 0;
  double* out = nullptr;
  size_t out_stride = 0;
};
void TransposedProduct(const ProductArgs& args) noexcept;

// The same by three plain loops.
void TransposedProductReference(const ProductArgs& args) noexcept;

double Dot(const double* a, const double* b, size_t n) noexcept;

// y += scale x
void AddScaled(double scale, const double* x, double* y, size_t n) noexcept;

}  // namespace slm
