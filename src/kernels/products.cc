#include "kernels/products.h"

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(void, TransposedProduct, const ProductArgs& args)
SLM_DECLARE_LEVELS(double, Dot, const double* a, const double* b, size_t n)
SLM_DECLARE_LEVELS(void, AddScaled, double scale, const double* x, double* y, size_t n)

void TransposedProduct(const ProductArgs& args) noexcept { SLM_DISPATCH(TransposedProduct, args); }

double Dot(const double* a, const double* b, size_t n) noexcept {
  return SLM_DISPATCH(Dot, a, b, n);
}

void AddScaled(double scale, const double* x, double* y, size_t n) noexcept {
  SLM_DISPATCH(AddScaled, scale, x, y, n);
}

void TransposedProductReference(const ProductArgs& args) noexcept {
  for (size_t a = 0; a < args.left_columns; ++a) {
    for (size_t j = 0; j < args.width; ++j) {
      double sum = 0;
      for (size_t i = 0; i < args.rows; ++i) {
        sum += args.left[i * args.left_stride + a] *
               static_cast<double>(args.x[i * args.x_stride + j]);
      }
      args.out[a * args.out_stride + j] = sum;
    }
  }
}

}  // namespace slm
