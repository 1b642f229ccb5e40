#include "numerics/conditional_randomisation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/stop_check.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"
#include "kernels/products.h"
#include "numerics/cholesky.h"
#include "numerics/moments.h"

namespace slm {
namespace {

constexpr size_t kFolds = 5;
constexpr int kEnoughAsLarge = 50;
// Ridge penalties that are tried, in units of the variance of a column.
constexpr double kLambdas[] = {1e-3, 0.03, 0.1, 0.3, 1, 3};
constexpr double kSureGain = 2;  // standard errors
constexpr double kRidge = 1e-6;  // of a variance, where rounding or levels that sum to one leave 0

// The products of rows or columns of the data, whichever are fewer, and from them the inverse of
// S + lambda I, where S is the covariance of the columns.
class RidgeInverse {
 public:
  RidgeInverse(Matrix z, ThreadPool& pool) : z_(std::move(z)) {
    const size_t n = z_.rows(), p = z_.cols(), size = std::min(n, p);
    Matrix turned;
    if (n < p) {
      turned = Matrix(p, n);
      Transpose(z_.data(), z_.stride(), n, p, turned.data(), turned.stride());
    }
    const Matrix& x = n < p ? turned : z_;
    std::vector<double> left(x.rows() * size);
    for (size_t i = 0; i < x.rows(); ++i) {
      for (size_t c = 0; c < size; ++c) left[i * size + c] = double{x(i, c)};
    }
    stride_ = x.stride();
    products_.resize(size * stride_);
    TransposedProduct(x.view(), left.data(), size, products_.data(), pool);
  }

  void Factor(double lambda) {
    lambda_ = lambda;
    factor_ = {};
    const double rows = static_cast<double>(z_.rows());
    for (size_t r = 0; r < std::min(z_.rows(), z_.cols()); ++r) {
      StopCheck::Ask();
      std::vector<double> row(products_.begin() + static_cast<ptrdiff_t>(r * stride_),
                              products_.begin() + static_cast<ptrdiff_t>(r * stride_ + r + 1));
      row[r] += lambda * rows;
      factor_.Append(row, 0);
    }
  }

  // (S + lambda I)^-1 b
  std::vector<double> Solve(std::vector<double> b) const {
    const size_t n = z_.rows(), p = z_.cols();
    if (n >= p) {
      factor_.Solve(b.data());
      for (double& value : b) value *= static_cast<double>(n);
      return b;
    }
    std::vector<double> inner(n);
    for (size_t i = 0; i < n; ++i) inner[i] = Along(z_.row(i), b);
    factor_.Solve(inner.data());
    for (size_t i = 0; i < n; ++i) {
      for (size_t c = 0; c < p; ++c) b[c] -= inner[i] * double{z_(i, c)};
    }
    for (double& value : b) value /= lambda_;
    return b;
  }

  static double Along(const float* z, std::span<const double> b) {
    double sum = 0;
    for (size_t c = 0; c < b.size(); ++c) sum += double{z[c]} * b[c];
    return sum;
  }

 private:
  Matrix z_;
  std::vector<double> products_;
  size_t stride_ = 0;
  double lambda_ = 0;
  Cholesky factor_;
};

// What is left of a feature and of the outputs, row by row.
struct Rests {
  size_t width = 0, outputs = 0;
  std::vector<double> feature, output;
};

// The rests by each of kLambdas.
using RestsByLambda = std::array<Rests, std::size(kLambdas)>;

// What a regression takes off the squares of the outputs, on rows it did not learn from.
struct Gain {
  double sum = 0, squares = 0;  // over rows
};

// The lambda of the largest gain; none where that may be chance, since a regression that says
// nothing is itself something for features to go along with.
size_t ChooseLambda(std::span<const Gain> gains) {
  size_t best = 0;
  for (size_t l = 1; l < gains.size(); ++l) {
    if (gains[l].sum > gains[best].sum) best = l;
  }
  const Gain& own = gains[best];
  return own.sum > kSureGain * std::sqrt(own.squares) ? best : gains.size();
}

// The rests of the rows of one fold, from what the other rows say. Adds up what the regression on
// all columns gains by each lambda.
void RestsOfFold(const RandomisationTest& test, std::span<const int> features, size_t fold,
                 std::vector<RestsByLambda>* rests, std::array<Gain, std::size(kLambdas)>* gains,
                 const Context& context) {
  const size_t n = test.z.rows, p = test.z.cols, outputs = test.y.cols();
  std::vector<size_t> inside, outside;
  for (size_t i = 0; i < n; ++i) (i % kFolds == fold ? outside : inside).push_back(i);
  Matrix learned(inside.size(), p);
  for (size_t i = 0; i < inside.size(); ++i) {
    std::copy_n(test.z.row(inside[i]), p, learned.row(i));
  }
  RidgeInverse inverse(std::move(learned), *context.pool);
  std::vector<std::vector<double>> crosses(outputs, std::vector<double>(p));
  for (size_t o = 0; o < outputs; ++o) {
    for (size_t i : inside) {
      if (i % 256 == 0) StopCheck::Ask();
      for (size_t c = 0; c < p; ++c) crosses[o][c] += double{test.z(i, c)} * double{test.y(i, o)};
    }
    for (double& value : crosses[o]) value /= static_cast<double>(inside.size());
  }
  std::vector<double> predicted(outside.size() * outputs);
  for (size_t l = 0; l < std::size(kLambdas) && !context.ShouldStop(); ++l) {
    inverse.Factor(kLambdas[l]);
    std::vector<std::vector<double>> betas(outputs);
    context.pool->ParallelFor(outputs, [&](size_t o) { betas[o] = inverse.Solve(crosses[o]); });
    for (size_t i = 0; i < outside.size(); ++i) {
      for (size_t o = 0; o < outputs; ++o) {
        const double y = double{test.y(outside[i], o)};
        const double by = RidgeInverse::Along(test.z.row(outside[i]), betas[o]);
        predicted[i * outputs + o] = by;
        const double gain = y * y - (y - by) * (y - by);
        (*gains)[l].sum += gain;
        (*gains)[l].squares += gain * gain;
      }
    }
    context.pool->ParallelFor(features.size(), [&](size_t f) {
      if (context.ShouldStop()) return;
      const size_t j = static_cast<size_t>(features[f]);
      const size_t first = static_cast<size_t>(test.offsets[j]);
      const size_t width = static_cast<size_t>(test.offsets[j + 1]) - first;
      // With Q = (S + lambda I)^-1, the feature less what the others say of it is
      // (z Q)_g Q_gg^-1.
      std::vector<std::vector<double>> q;
      Cholesky own;
      for (size_t c = 0; c < width; ++c) {
        std::vector<double> unit(p);
        unit[first + c] = 1;
        q.push_back(inverse.Solve(std::move(unit)));
        std::vector<double> row(q[c].begin() + static_cast<ptrdiff_t>(first),
                                q[c].begin() + static_cast<ptrdiff_t>(first + c + 1));
        while (!own.Append(row)) row[c] *= 1 + kRidge;
      }
      Rests& out = (*rests)[f][l];
      for (size_t i = 0; i < outside.size(); ++i) {
        double* rest = out.feature.data() + outside[i] * width;
        for (size_t c = 0; c < width; ++c) {
          rest[c] = RidgeInverse::Along(test.z.row(outside[i]), q[c]);
        }
        own.Solve(rest);
        for (size_t o = 0; o < outputs; ++o) {
          // A regression without the feature is the one with it, whose feature is what the others
          // say of it.
          double by = predicted[i * outputs + o];
          for (size_t c = 0; c < width; ++c) by -= rest[c] * betas[o][first + c];
          out.output[outside[i] * outputs + o] = double{test.y(outside[i], o)} - by;
        }
      }
    });
  }
}

// The rest of the feature by the lambda that says most of it on rows it did not learn from, and
// that of the outputs likewise; the outputs themselves where nothing says anything of them.
Rests BestOf(RestsByLambda rests, size_t of_outputs, const Matrix& y) {
  size_t best = 0;
  double least = 0;
  for (size_t l = 0; l < rests.size(); ++l) {
    const double size =
        Dot(rests[l].feature.data(), rests[l].feature.data(), rests[l].feature.size());
    if (l > 0 && size >= least) continue;
    best = l;
    least = size;
  }
  std::vector<double> output;
  if (of_outputs < rests.size()) {
    output = std::move(rests[of_outputs].output);
  } else {
    for (size_t i = 0; i < y.rows(); ++i)
      output.insert(output.end(), y.row(i), y.row(i) + y.cols());
  }
  Rests chosen = std::move(rests[best]);
  chosen.output = std::move(output);
  return chosen;
}

// Columns of the rest without correlation and of variance 1.
void Whiten(size_t rows, Rests* rests) {
  const size_t m = rests->width;
  std::vector<double> products(m * m);
  for (size_t i = 0; i < rows; ++i) {
    const double* e = rests->feature.data() + i * m;
    for (size_t r = 0; r < m; ++r) AddScaled(e[r], e, products.data() + r * m, r + 1);
  }
  Cholesky factor;
  for (size_t r = 0; r < m; ++r) {
    std::vector<double> row(products.begin() + static_cast<ptrdiff_t>(r * m),
                            products.begin() + static_cast<ptrdiff_t>(r * m + r + 1));
    for (double& value : row) value /= static_cast<double>(rows);
    row[r] = row[r] * (1 + kRidge) + 1e-12;
    while (!factor.Append(row)) row[r] *= 1 + 100 * kRidge;
  }
  for (size_t i = 0; i < rows; ++i) factor.SolveLower(rests->feature.data() + i * m);
}

// Sum over outputs and columns of the squared products of rests, the feature's rows taken in this
// order.
double Statistic(const Rests& rests, std::span<const int32_t> order, std::vector<double>* sums) {
  const size_t m = rests.width, outputs = rests.outputs;
  std::fill(sums->begin(), sums->end(), 0);
  for (size_t i = 0; i < order.size(); ++i) {
    const double* e = rests.feature.data() + static_cast<size_t>(order[i]) * m;
    for (size_t o = 0; o < outputs; ++o) {
      const double r = rests.output[i * outputs + o];
      for (size_t c = 0; c < m; ++c) (*sums)[o * m + c] += r * e[c];
    }
  }
  double total = 0;
  for (double sum : *sums) total += sum * sum;
  return total;
}

}  // namespace

double BytesOfRests(size_t rows, double width, double outputs) {
  return static_cast<double>(std::size(kLambdas) * rows) * (width + outputs) * sizeof(double);
}

std::vector<double> ConditionalPValues(const RandomisationTest& test, std::span<const int> features,
                                       const RandomStream& stream, const Context& context) {
  const size_t n = test.z.rows, outputs = test.y.cols();
  std::vector<RestsByLambda> rests(features.size());
  for (size_t f = 0; f < features.size(); ++f) {
    const size_t j = static_cast<size_t>(features[f]);
    for (Rests& own : rests[f]) {
      own.width = static_cast<size_t>(test.offsets[j + 1] - test.offsets[j]);
      own.outputs = outputs;
      own.feature.resize(n * own.width);
      own.output.resize(n * outputs);
    }
  }
  std::array<Gain, std::size(kLambdas)> gains;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    RestsOfFold(test, features, fold, &rests, &gains, context);
    if (context.ShouldStop()) return {};
  }
  const size_t of_outputs = ChooseLambda(gains);
  std::vector<double> p_values(features.size());
  context.pool->ParallelFor(features.size(), [&](size_t f) {
    Rests own = BestOf(std::move(rests[f]), of_outputs, test.y);
    Whiten(n, &own);
    std::vector<int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> sums(own.width * outputs);
    const double actual = Statistic(own, order, &sums);
    // Sums in another order differ in their last bits; what is equal counts as large.
    const double large = actual * (1 - 1e-12);
    RandomStream random = stream.Substream(static_cast<uint64_t>(features[f]));
    int as_large = 0, drawn = 0;
    while (drawn < test.draws && as_large < kEnoughAsLarge) {
      if (drawn % 64 == 0 && context.ShouldStop()) break;
      random.Shuffle(std::span(order));
      as_large += Statistic(own, order, &sums) >= large;
      ++drawn;
    }
    // Drawing that was ended by their number has had the last one for certain.
    p_values[f] = as_large == kEnoughAsLarge
                      ? static_cast<double>(as_large) / static_cast<double>(drawn)
                      : static_cast<double>(1 + as_large) / static_cast<double>(1 + drawn);
  });
  if (context.ShouldStop()) return {};
  return p_values;
}

}  // namespace slm
