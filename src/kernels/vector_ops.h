#pragma once

// The vector work around the products of a training step. Rows are padded to multiples of 16 floats
// (see slm/matrix.h), and kernels read and write whole vectors.

#include <cstddef>
#include <cstdint>

namespace slm {

// Some rows of a matrix of weights, in the order of `index`.
struct WeightRows {
  const float* w;
  size_t stride;  // a multiple of 16, all of it used
  const int32_t* index;
  size_t count;
};
// Row a of `out` becomes scale[a] times row a. Rows of `out` and `x` follow each other by the
// stride.
void ScaleRows(const WeightRows& rows, const float* scale, float* out) noexcept;
// out[a] = <row a, row a of x>.
void RowDots(const WeightRows& rows, const float* x, float* out) noexcept;

// out(i, a) = x(rows[i], columns[a]); `columns` is padded to a multiple of 16 with valid indices,
// and so many values are written to each row. Where sixteen of them lie side by side, `runs` has
// the first, and -1 elsewhere.
struct GatherArgs {
  const float* x;
  size_t x_stride;
  const int32_t* rows;
  size_t row_count;
  const int32_t* columns;
  const int32_t* runs;  // one for each sixteen columns
  size_t column_count;
  float* out;
  size_t out_stride;
};
void Gather(const GatherArgs& args) noexcept;

// out[j] = sum over i of x(i, j); width is a multiple of 16.
void ColumnSums(const float* x, size_t stride, size_t rows, size_t width, float* out) noexcept;

// R = softmax of each row of z. Lanes from `classes` to the padded width become 0.
struct SoftmaxArgs {
  const float* z;
  size_t z_stride;
  size_t rows;
  size_t classes;
  float* r;
  size_t r_stride;
  float* max;         // of each row of z
  float* sum;         // of exp(z - max)
  float* square_sum;  // of R^2
};
void Softmax(const SoftmaxArgs& args) noexcept;

// dz(i, c) = R(i, c) * (c0[i] + c1[i] R(i, c)): the common shape of every loss behind a softmax.
struct SoftmaxGradArgs {
  const float* r;
  size_t r_stride;
  size_t rows;
  size_t classes;
  const float* c0;
  const float* c1;
  float* dz;
  size_t dz_stride;
};
void SoftmaxGrad(const SoftmaxGradArgs& args) noexcept;

// Adam with the bias corrections folded into rate and epsilon:
//   m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,  w -= rate m / (sqrt(v) + epsilon)
// with g = g_scale * gradient + l2 * w. n is a multiple of 16.
struct AdamArgs {
  size_t n;
  float* w;
  float* m;
  float* v;
  const float* gradient;
  float g_scale;
  float l2;
  float rate;
  float epsilon;
  float beta1;
  float beta2;
};
void Adam(const AdamArgs& args) noexcept;

// Gradient descent with momentum: m = kept m + g_scale gradient + decay w,  w -= rate m. n is a
// multiple of 16.
struct MomentumArgs {
  size_t n;
  float* w;
  float* m;
  const float* gradient;
  float g_scale;
  float decay;
  float rate;
  float kept;
};
void Momentum(const MomentumArgs& args) noexcept;

}  // namespace slm
