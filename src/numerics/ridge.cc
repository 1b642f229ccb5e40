#include "numerics/ridge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stop_check.h"
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
  std::vector<size_t> used;  // rows in the factor
  std::vector<double> row;
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
      const auto product = [&](size_t o) {
        return root[i] * root[o] * (out[a * stride + o] - shift[a]);
      };
      row.clear();
      for (size_t o : used) row.push_back(product(o));
      row.push_back(product(i) + l2);
      StopCheck::Ask();
      if (factor.Append(row, 0)) used.push_back(i);
    }
  }
  std::vector<double> solved;
  for (size_t i : used) solved.push_back(alpha[i]);
  factor.Solve(solved.data());
  std::fill(alpha.begin(), alpha.end(), 0.0);
  for (size_t a = 0; a < used.size(); ++a) alpha[used[a]] = solved[a];
  // Centring X from the other side: the part along its means.
  double along = 0;
  for (size_t i = 0; i < rows; ++i) along += alpha[i] *= root[i];
  std::vector<double> beta = TransposedProduct(*data.x, alpha.data(), 1, pool);
  beta.resize(columns);
  for (size_t j = 0; j < columns; ++j) beta[j] -= along * moments.mean(j);
  return beta;
}

// beta = (X'WX + l2 I)^-1 X'Wy
std::vector<double> SolveByColumns(Moments& moments, std::span<const size_t> columns, double l2) {
  moments.PrepareGram(columns);
  Cholesky factor;
  std::vector<size_t> used;  // places of the columns in the factor
  std::vector<double> row, solved;
  for (size_t a = 0; a < columns.size(); ++a) {
    const double* gram = moments.Gram(columns[a]);
    row.clear();
    for (size_t other : used) row.push_back(gram[columns[other]]);
    row.push_back(gram[columns[a]] + l2);
    StopCheck::Ask();
    if (!factor.Append(row, 0)) continue;
    used.push_back(a);
    solved.push_back(moments.Cross(0)[columns[a]]);
  }
  factor.Solve(solved.data());
  std::vector<double> beta(columns.size());
  for (size_t a = 0; a < used.size(); ++a) beta[used[a]] = solved[a];
  return beta;
}

}  // namespace

std::vector<double> RidgeCoefficients(Moments& moments, std::span<const size_t> columns, double l2,
                                      const Context& context) {
  std::vector<double> beta;
  EndsInTime(context, [&] { beta = SolveByColumns(moments, columns, l2); });
  return beta;
}

std::vector<double> RidgeCoefficients(const Dataset& data, double l2, const Context& context) {
  Moments moments(data, *context.pool);
  if (moments.columns() > data.rows()) {
    std::vector<double> beta;
    EndsInTime(context, [&] { beta = SolveByRows(data, moments, l2, *context.pool); });
    return beta;
  }
  std::vector<size_t> all(moments.columns());
  std::iota(all.begin(), all.end(), size_t{0});
  return RidgeCoefficients(moments, all, l2, context);
}

std::vector<double> RidgeAlone(const Moments& moments, std::span<const size_t> columns, double l2) {
  std::vector<double> beta;
  for (size_t c : columns) beta.push_back(moments.Cross(0)[c] / (moments.variance(c) + l2));
  return beta;
}

}  // namespace slm
