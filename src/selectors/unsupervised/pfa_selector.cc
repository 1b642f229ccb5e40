// Principal feature analysis (Lu, Cohen, Zhou, Tian 2007).
//
//   1. A = the eigenvectors of the covariance of the columns, by falling eigenvalue.
//   2. q = the least number of them that keeps the wanted share of the variance; row j of A_q says
//      how feature j enters the first q components.
//   3. k-means of the rows |A_q| into k clusters: features that are alike, whatever their sign.
//   4. Of each cluster, the feature nearest to its centre.
//
// A feature of several columns enters by the norm of its columns' rows, component by component. Of
// n rows and more columns the n x n matrix of products has the same components.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/options.h"
#include "base/row_reduction.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"
#include "numerics/kmeans.h"
#include "numerics/symmetric_eigen.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

constexpr size_t kTileRows = 64;
constexpr size_t kDepth = 512;  // rows whose products are summed in floats

struct Centre {
  std::vector<double> mean;
  double weight = 0;  // of all rows
};

double RowWeight(const Dataset& data, size_t row) {
  return data.weight.empty() ? 1.0 : double{data.weight[row]};
}

Centre CentreOf(const Dataset& data) {
  const size_t columns = data.x->columns();
  // The weight comes last.
  std::vector<double> sums =
      SumOverRows(*data.x, std::vector<double>(columns + 1),
                  [&](std::vector<double>& own, size_t first, MatrixView<const float> block) {
                    for (size_t i = 0; i < block.rows; ++i) {
                      const double w = RowWeight(data, first + i);
                      own[columns] += w;
                      for (size_t c = 0; c < columns; ++c) own[c] += w * double{block(i, c)};
                    }
                  });
  Centre centre{std::move(sums), 0};
  centre.weight = centre.mean.back();
  centre.mean.pop_back();
  for (double& m : centre.mean) m /= centre.weight;
  return centre;
}

// Rows, the first of which is row `first` of the data, less the mean and times the root of their
// share of all weight: the covariance is X^T X.
Matrix Centred(const Dataset& data, const Centre& centre, size_t first,
               MatrixView<const float> rows) {
  Matrix out(rows.rows, rows.cols);
  for (size_t i = 0; i < rows.rows; ++i) {
    const double factor = std::sqrt(RowWeight(data, first + i) / centre.weight);
    for (size_t c = 0; c < rows.cols; ++c) {
      out(i, c) = static_cast<float>(factor * (double{rows(i, c)} - centre.mean[c]));
    }
  }
  return out;
}

// Adds X^T X to `out`.
void AddCrossProduct(const Matrix& x, ThreadPool& pool, std::vector<double>& out) {
  const size_t d = x.cols();
  pool.ParallelFor((d + kTileRows - 1) / kTileRows, [&](size_t tile) {
    const size_t first = tile * kTileRows, rows = std::min(kTileRows, d - first);
    Matrix product(rows, d);
    for (size_t i = 0; i < x.rows(); i += kDepth) {
      Gemm({.m = rows,
            .n = product.stride(),
            .k = std::min(kDepth, x.rows() - i),
            .a = x.row(i) + first,
            .a_stride = x.stride(),
            .a_transposed = true,
            .b = x.row(i),
            .b_stride = x.stride(),
            .c = product.data(),
            .c_stride = product.stride()});
      for (size_t r = 0; r < rows; ++r) {
        for (size_t c = 0; c < d; ++c) out[(first + r) * d + c] += double{product(r, c)};
      }
    }
  });
}

// How many of the eigenvalues make up the share; at least one.
size_t Kept(const std::vector<double>& values, double share) {
  double total = 0, sum = 0;
  for (double x : values) total += std::max(x, 0.0);
  size_t q = 0;
  while (q < values.size() && (q == 0 || sum < share * total)) sum += values[q++];
  return q;
}

// A_q, columns x q; without columns if asked to stop.
Matrix Loadings(const Dataset& data, double share, const Context& context) {
  const size_t n = data.rows(), d = data.x->columns();
  const Centre centre = CentreOf(data);
  if (n >= d) {
    std::vector<double> covariance =
        SumOverRows(*data.x, std::vector<double>(d * d),
                    [&](std::vector<double>& own, size_t first, MatrixView<const float> block) {
                      AddCrossProduct(Centred(data, centre, first, block), *context.pool, own);
                    });
    const SymmetricEigen eigen = DecomposeSymmetric(std::move(covariance), d, context);
    if (eigen.values.empty()) return {};
    Matrix out(d, Kept(eigen.values, share));
    for (size_t c = 0; c < d; ++c) {
      std::copy_n(eigen.vectors.data() + c * d, out.cols(), out.row(c));
    }
    return out;
  }
  const Matrix x = Centred(data, centre, 0, data.x->InMemory());
  Matrix transposed(d, n);
  Transpose(x.data(), x.stride(), n, d, transposed.data(), transposed.stride());
  std::vector<double> products(n * n);
  AddCrossProduct(transposed, *context.pool, products);
  const SymmetricEigen eigen = DecomposeSymmetric(std::move(products), n, context);
  if (eigen.values.empty()) return {};
  // a_i = X^T u_i / sqrt(value_i)
  Matrix scaled(n, Kept(eigen.values, share));
  for (size_t i = 0; i < n; ++i) {
    for (size_t p = 0; p < scaled.cols(); ++p) {
      const double root = std::sqrt(std::max(eigen.values[p], 1e-30));
      scaled(i, p) = static_cast<float>(double{eigen.vectors[i * n + p]} / root);
    }
  }
  Matrix out(d, scaled.cols());
  Gemm({.m = d,
        .n = out.stride(),
        .k = n,
        .a = transposed.data(),
        .a_stride = transposed.stride(),
        .b = scaled.data(),
        .b_stride = scaled.stride(),
        .c = out.data(),
        .c_stride = out.stride()});
  return out;
}

// |A_q| by feature.
Matrix FeaturePoints(const FeatureLayout& layout, const Matrix& loadings) {
  Matrix points(layout.features(), loadings.cols());
  for (size_t j = 0; j < layout.features(); ++j) {
    for (size_t p = 0; p < loadings.cols(); ++p) {
      double square = 0;
      for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
        const double x = loadings(static_cast<size_t>(c), p);
        square += x * x;
      }
      points(j, p) = static_cast<float>(std::sqrt(square));
    }
  }
  return points;
}

constexpr SearchDimension kSearched[] = {
    SearchDimension::Linear("variability", 0.5, 0.99),
};

class PfaSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const Matrix loadings = Loadings(problem.train, variability_, context);
    const size_t features = problem.layout.features();
    if (loadings.cols() == 0) return ChooseTop(std::vector<double>(features), k);
    const Matrix points = FeaturePoints(problem.layout, loadings);
    const Clusters clusters = KMeans(points, static_cast<size_t>(k), restarts_, seed, context);

    std::vector<double> distance(features);
    std::vector<int> nearest(static_cast<size_t>(k), -1), size(static_cast<size_t>(k));
    for (size_t j = 0; j < features; ++j) {
      const size_t c = static_cast<size_t>(clusters.cluster[j]);
      for (size_t p = 0; p < points.cols(); ++p) {
        distance[j] += std::pow(double{points(j, p)} - double{clusters.centres(c, p)}, 2);
      }
      ++size[c];
      // Two points are equally far from their middle: the earlier counts, not the rounding.
      int& best = nearest[c];
      if (best < 0 || distance[j] < (1 - 1e-3) * distance[static_cast<size_t>(best)]) {
        best = static_cast<int>(j);
      }
    }
    // A feature that was chosen counts for its cluster; the others, below 1, for how near they are.
    std::vector<double> scores(features);
    for (size_t j = 0; j < features; ++j) scores[j] = 1 / (2 + std::sqrt(distance[j]));
    for (size_t c = 0; c < nearest.size(); ++c) {
      scores[static_cast<size_t>(nearest[c])] = size[c];
    }
    std::stable_sort(nearest.begin(), nearest.end(), [&](int a, int b) {
      const double x = scores[static_cast<size_t>(a)], y = scores[static_cast<size_t>(b)];
      return x != y ? x > y : a < b;
    });
    return ChooseInOrder(nearest, scores);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    // The matrix, its copy under reflections, rotations and vectors.
    const double order =
        static_cast<double>(std::min(problem.train.rows(), problem.layout.columns()));
    return {40 * order * order, ""};
  }

  void DescribeOptions(OptionList& list) override {
    list.Real("variability", &variability_, 1e-6, 1,
              "share of the variance that the principal components keep");
    list.Int("restarts", &restarts_, 1, 10000, "starts of k-means; the best counts");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  double variability_ = 0.95;
  int restarts_ = 10;
};

}  // namespace

std::unique_ptr<Selector> MakePfa() { return std::make_unique<PfaSelector>(); }

}  // namespace slm
