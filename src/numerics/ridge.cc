#include "numerics/ridge.h"

#include <cmath>
#include <numeric>

#include "kernels/gemm.h"
#include "kernels/products.h"
#include "numerics/cholesky.h"
#include "numerics/moments.h"

namespace slm {
namespace {

// With V = W^1/2 X: beta = V' (V V' + l2 I)^-1 W^1/2 y
std::vector<double> SolveByRows(const Dataset& data, const Moments& moments, double l2,
                                ThreadPool& pool) {
  const size_t rows = data.rows(), columns = moments.columns();
  std::vector<double> root(rows), alpha(rows);
  for (size_t i = 0; i < rows; ++i) {
    root[i] = data.weight.empty() ? 1.0 : std::sqrt(static_cast<double>(data.weight[i]));
    alpha[i] = root[i] * (data.y.value[i] - moments.output_mean(0));
  }
  const MatrixView<const float> x = data.x->InMemory();
  Matrix transposed(columns, rows);
  Transpose(x.data, x.stride, rows, columns, transposed.data(), transposed.stride());
  constexpr size_t kBatch = 32;
  Cholesky factor;
  for (size_t first = 0; first < rows; first += kBatch) {
    const size_t count = std::min(kBatch, rows - first), stride = transposed.stride();
    std::vector<double> left(columns * count), out(count * stride), shift(count);
    for (size_t j = 0; j < columns; ++j) {
      for (size_t a = 0; a < count; ++a) {
        const double centred = x(first + a, j) - moments.mean(j);
        left[j * count + a] = centred;
        shift[a] += centred * moments.mean(j);
      }
    }
    TransposedProduct(transposed.view(), left.data(), count, out.data(), pool);
    for (size_t a = 0; a < count; ++a) {
      const size_t i = first + a;
      std::vector<double> row(i + 1);
      for (size_t o = 0; o <= i; ++o) row[o] = root[i] * root[o] * (out[a * stride + o] - shift[a]);
      row[i] += l2;
      factor.Append(row, 0);
    }
  }
  factor.Solve(alpha.data());
  // Centring X from the other side: the part along its means.
  double along = 0;
  for (size_t i = 0; i < rows; ++i) along += alpha[i] *= root[i];
  std::vector<double> beta = TransposedProduct(*data.x, alpha.data(), 1, pool);
  beta.resize(columns);
  for (size_t j = 0; j < columns; ++j) beta[j] -= along * moments.mean(j);
  return beta;
}

}  // namespace

// beta = (X'WX + l2 I)^-1 X'Wy
std::vector<double> RidgeCoefficients(Moments& moments, std::span<const size_t> columns,
                                      double l2) {
  moments.PrepareGram(columns);
  Cholesky factor;
  std::vector<double> beta;
  for (size_t c : columns) {
    std::vector<double> row;
    for (size_t other : columns.first(factor.size() + 1)) row.push_back(moments.Gram(c)[other]);
    row.back() += l2;
    factor.Append(row, 0);
    beta.push_back(moments.Cross(0)[c]);
  }
  factor.Solve(beta.data());
  return beta;
}

std::vector<double> RidgeCoefficients(const Dataset& data, double l2, ThreadPool& pool) {
  Moments moments(data, pool);
  if (moments.columns() > data.rows()) return SolveByRows(data, moments, l2, pool);
  std::vector<size_t> all(moments.columns());
  std::iota(all.begin(), all.end(), size_t{0});
  return RidgeCoefficients(moments, all, l2);
}

}  // namespace slm
