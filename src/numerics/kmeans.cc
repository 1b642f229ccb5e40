#include "numerics/kmeans.h"

#include <algorithm>

#include "base/random.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"

namespace slm {
namespace {

constexpr int kMostIterations = 300;

double SquaredDistance(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const double difference = double{a[i]} - double{b[i]};
    sum += difference * difference;
  }
  return sum;
}

class Lloyd {
 public:
  Lloyd(const Matrix& points, size_t clusters)
      : points_(points),
        nearness_(points.rows(), clusters),
        columns_(points.cols(), clusters),
        half_square_(PaddedWidth(clusters)) {
    result_.centres = Matrix(clusters, points.cols());
    result_.cluster.resize(points.rows());
  }

  Clusters Run(RandomStream random, const Context& context) {
    Start(random, context);
    Assign();
    for (int i = 0; i < kMostIterations && !context.ShouldStop(); ++i) {
      const std::vector<int32_t> before = result_.cluster;
      Centre();
      Assign();
      if (result_.cluster == before) break;
    }
    Centre();
    result_.inertia = 0;
    for (size_t i = 0; i < points_.rows(); ++i) result_.inertia += Distance(i);
    return std::move(result_);
  }

 private:
  double Distance(size_t i) const {
    return SquaredDistance(points_.row(i),
                           result_.centres.row(static_cast<size_t>(result_.cluster[i])),
                           points_.cols());
  }

  // k-means++: each further centre is a point, drawn by its squared distance to those there are.
  void Start(RandomStream& random, const Context& context) {
    const size_t n = points_.rows();
    std::vector<double> distance(n, -1.0);  // below 0: to none yet
    std::vector<char> taken(n, 0);
    for (size_t c = 0; c < result_.centres.rows(); ++c) {
      double sum = 0;
      for (double d : distance) sum += d;
      size_t pick = 0;
      if (context.ShouldStop()) {
        while (taken[pick] != 0) ++pick;
      } else if (sum > 0) {
        double at = random.Uniform() * sum;
        // Rounding may leave a rest; then the last point that is apart is taken.
        for (size_t i = 0; i < n && at >= 0; ++i) {
          if (distance[i] > 0) pick = i;
          at -= distance[i];
        }
      } else {
        // The first, or all points that are left repeat a centre: any that is no centre itself.
        do pick = random.Below(n);
        while (taken[pick] != 0);
      }
      taken[pick] = 1;
      std::copy_n(points_.row(pick), points_.cols(), result_.centres.row(c));
      for (size_t i = 0; i < n && !context.ShouldStop(); ++i) {
        const double d = SquaredDistance(points_.row(i), points_.row(pick), points_.cols());
        if (distance[i] < 0 || d < distance[i]) distance[i] = d;
      }
    }
  }

  // The nearest centre is the one with the largest x.c - |c|^2 / 2.
  void Assign() {
    const size_t clusters = result_.centres.rows();
    Transpose(result_.centres.data(), result_.centres.stride(), clusters, points_.cols(),
              columns_.data(), columns_.stride());
    for (size_t c = 0; c < clusters; ++c) {
      double square = 0;
      for (size_t j = 0; j < points_.cols(); ++j) {
        square += double{result_.centres(c, j)} * double{result_.centres(c, j)};
      }
      half_square_[c] = static_cast<float>(-square / 2);
    }
    Gemm({.m = points_.rows(),
          .n = nearness_.stride(),
          .k = points_.cols(),
          .a = points_.data(),
          .a_stride = points_.stride(),
          .b = columns_.data(),
          .b_stride = columns_.stride(),
          .c = nearness_.data(),
          .c_stride = nearness_.stride(),
          .epilogue = GemmEpilogue::kBias,
          .bias = half_square_.data()});
    for (size_t i = 0; i < points_.rows(); ++i) {
      const float* near = nearness_.row(i);
      result_.cluster[i] = static_cast<int32_t>(std::max_element(near, near + clusters) - near);
    }
    FillEmpty();
  }

  // A cluster without a point takes the one farthest from its centre.
  void FillEmpty() {
    std::vector<size_t> size(result_.centres.rows());
    for (int32_t c : result_.cluster) ++size[static_cast<size_t>(c)];
    for (size_t c = 0; c < size.size(); ++c) {
      if (size[c] > 0) continue;
      size_t pick = 0;
      double farthest = -1;
      for (size_t i = 0; i < points_.rows(); ++i) {
        if (size[static_cast<size_t>(result_.cluster[i])] < 2) continue;
        const double d = Distance(i);
        if (d > farthest) {
          farthest = d;
          pick = i;
        }
      }
      --size[static_cast<size_t>(result_.cluster[pick])];
      size[c] = 1;
      result_.cluster[pick] = static_cast<int32_t>(c);
      std::copy_n(points_.row(pick), points_.cols(), result_.centres.row(c));
    }
  }

  void Centre() {
    const size_t clusters = result_.centres.rows(), d = points_.cols();
    std::vector<double> sum(clusters * d), size(clusters);
    for (size_t i = 0; i < points_.rows(); ++i) {
      const size_t c = static_cast<size_t>(result_.cluster[i]);
      size[c] += 1;
      for (size_t j = 0; j < d; ++j) sum[c * d + j] += double{points_(i, j)};
    }
    for (size_t c = 0; c < clusters; ++c) {
      for (size_t j = 0; j < d; ++j) {
        result_.centres(c, j) = static_cast<float>(sum[c * d + j] / size[c]);
      }
    }
  }

  const Matrix& points_;
  Matrix nearness_;  // points x clusters
  Matrix columns_;   // the centres, transposed
  AlignedBuffer<float> half_square_;
  Clusters result_;
};

}  // namespace

Clusters KMeans(const Matrix& points, size_t clusters, int restarts, uint64_t seed,
                const Context& context) {
  std::vector<Clusters> runs(static_cast<size_t>(restarts));
  const RandomStream random(seed, 0x6b6d65);
  context.pool->ParallelFor(runs.size(), [&](size_t r) {
    if (r > 0 && context.ShouldStop()) return;
    runs[r] = Lloyd(points, clusters).Run(random.Substream(r), context);
  });
  size_t best = 0;
  for (size_t r = 1; r < runs.size(); ++r) {
    if (!runs[r].cluster.empty() && runs[r].inertia < runs[best].inertia) best = r;
  }
  return std::move(runs[best]);
}

}  // namespace slm
