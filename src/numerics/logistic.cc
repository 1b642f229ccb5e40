#include "numerics/logistic.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/row_reduction.h"
#include "kernels/gemm.h"
#include "kernels/products.h"
#include "numerics/moments.h"

namespace slm {
namespace {

constexpr size_t kRowBlock = 512;
constexpr size_t kColumnBlock = 112;
// Above so many columns the factor of a Hessian costs more than it saves.
constexpr size_t kMostFactored = 2048;
constexpr int kMostInnerSteps = 100;

double LargestMagnitude(std::span<const double> values) {
  double largest = 0;
  for (double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace

Logistic::Logistic(const Dataset& data, std::span<const size_t> columns, ThreadPool& pool)
    : data_(data),
      pool_(pool),
      logits_(data.y.classes == 2 ? 1 : static_cast<size_t>(data.y.classes)),
      width_(columns.size() + 1),
      x_(data.rows(), width_),
      t_(width_, data.rows()),
      inner_(data.rows(), logits_),
      outer_(width_, logits_) {
  const std::vector<int32_t> gathered(columns.begin(), columns.end());
  GatherAllRows(*data.x, ColumnSet(gathered, data.x->columns()), x_.view());
  for (size_t i = 0; i < data.rows(); ++i) {
    // A matrix is zero past its last column.
    std::fill(x_.row(i) + width_, x_.row(i) + x_.stride(), 0.0f);
    x_(i, columns.size()) = 1;
  }
  weight_ = SumOverRange(data.rows(), 0.0, [&](double& sum, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) sum += data.RowWeight(i);
  });
  Transpose(x_.data(), x_.stride(), data.rows(), width_, t_.data(), t_.stride());
  scores_.resize(logits_ * t_.stride());
  probabilities_.resize(data.rows() * logits_);
  residuals_.resize(data.rows() * logits_);
}

double Logistic::Forward(std::span<const double> theta, const Context& context) {
  if (context.ShouldStop()) return std::numeric_limits<double>::infinity();
  TransposedProduct(t_.view(), theta.data(), logits_, scores_.data(), pool_);
  const size_t rows = data_.rows(), blocks = (rows + kRowBlock - 1) / kRowBlock;
  std::vector<double> losses(blocks);
  // With thousands of classes this takes a second.
  std::atomic<bool> stopped = false;
  pool_.ParallelFor(blocks, [&](size_t block) {
    if (stopped.load(std::memory_order_relaxed)) return;
    if (context.ShouldStop()) {
      stopped.store(true, std::memory_order_relaxed);
      return;
    }
    double sum = 0;
    for (size_t i = block * kRowBlock; i < std::min(rows, (block + 1) * kRowBlock); ++i) {
      const double w = data_.RowWeight(i);
      const size_t own = static_cast<size_t>(data_.y.index[i]);
      const double* z = scores_.data() + i;
      double* p = probabilities_.data() + i * logits_;
      double* r = residuals_.data() + i * logits_;
      if (logits_ == 1) {
        const double y = own == 1 ? 1 : 0;
        const double tail = std::exp(-std::abs(z[0]));
        p[0] = (z[0] >= 0 ? 1 : tail) / (1 + tail);
        r[0] = w * (p[0] - y);
        sum += w * (std::max(z[0], 0.0) - y * z[0] + std::log1p(tail));
        continue;
      }
      double top = z[0], total = 0;
      for (size_t c = 1; c < logits_; ++c) top = std::max(top, z[c * t_.stride()]);
      for (size_t c = 0; c < logits_; ++c) total += p[c] = std::exp(z[c * t_.stride()] - top);
      const double scale = 1 / total;
      for (size_t c = 0; c < logits_; ++c) {
        p[c] *= scale;
        r[c] = w * p[c];
      }
      r[own] -= w;
      sum += w * (std::log(total) + top - z[own * t_.stride()]);
    }
    losses[block] = sum;
  });
  if (stopped) return std::numeric_limits<double>::infinity();
  static_assert(kRowsPerBlock % kRowBlock == 0);
  return SumOverRange(rows, 0.0, [&](double& sum, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += kRowBlock) sum += losses[i / kRowBlock];
  });
}

void Logistic::Gradient(std::span<double> out) {
  const std::vector<double> products = SumOverRange(
      x_.rows(), std::vector<double>(logits_ * x_.stride()),
      [&](std::vector<double>& sums, size_t begin, size_t end) {
        TransposedProduct(MatrixView<const float>(x_.row(begin), end - begin, width_, x_.stride()),
                          residuals_.data() + begin * logits_, logits_, sums.data(), pool_);
      });
  for (size_t a = 0; a < width_; ++a) {
    for (size_t c = 0; c < logits_; ++c) out[a * logits_ + c] = products[c * x_.stride() + a];
  }
}

// Of the loss without penalty. In single precision: it only steers conjugate gradients, whose
// answer is a step that the exact loss must approve.
void Logistic::HessianTimes(std::span<const double> v, std::span<double> out) {
  const size_t rows = data_.rows(), padded = inner_.stride();
  for (size_t a = 0; a < width_; ++a) {
    for (size_t c = 0; c < logits_; ++c) outer_(a, c) = static_cast<float>(v[a * logits_ + c]);
  }
  pool_.ParallelFor((rows + kRowBlock - 1) / kRowBlock, [&](size_t block) {
    const size_t begin = block * kRowBlock, end = std::min(rows, begin + kRowBlock);
    Gemm({.m = end - begin,
          .n = padded,
          .k = width_,
          .a = x_.row(begin),
          .a_stride = x_.stride(),
          .b = outer_.data(),
          .b_stride = padded,
          .c = inner_.row(begin),
          .c_stride = padded});
    for (size_t i = begin; i < end; ++i) {
      const double w = data_.RowWeight(i);
      const double* p = probabilities_.data() + i * logits_;
      float* u = inner_.row(i);
      double mean = 0;
      for (size_t c = 0; c < logits_; ++c) mean += p[c] * u[c];
      for (size_t c = 0; c < logits_; ++c) u[c] = static_cast<float>(w * p[c] * (u[c] - mean));
    }
  });
  pool_.ParallelFor((width_ + kColumnBlock - 1) / kColumnBlock, [&](size_t block) {
    const size_t begin = block * kColumnBlock;
    Gemm({.m = std::min(kColumnBlock, width_ - begin),
          .n = padded,
          .k = rows,
          .a = x_.data() + begin,
          .a_stride = x_.stride(),
          .a_transposed = true,
          .b = inner_.data(),
          .b_stride = padded,
          .c = outer_.row(begin),
          .c_stride = padded});
  });
  for (size_t a = 0; a < width_; ++a) {
    for (size_t c = 0; c < logits_; ++c) out[a * logits_ + c] = outer_(a, c);
  }
}

// The Hessian of a logit whose curvature p (1 - p) in each row is the mean over the logits.
void Logistic::FactorCurvature(double l2) {
  curvature_ = Cholesky();
  if (width_ > kMostFactored || width_ > data_.rows() + 1) return;
  const size_t rows = data_.rows();
  Matrix scaled(rows, width_), gram(width_, width_);
  pool_.ParallelFor((rows + kRowBlock - 1) / kRowBlock, [&](size_t block) {
    for (size_t i = block * kRowBlock; i < std::min(rows, (block + 1) * kRowBlock); ++i) {
      const double* p = probabilities_.data() + i * logits_;
      double curvature = 0;
      for (size_t c = 0; c < logits_; ++c) curvature += p[c] * (1 - p[c]);
      const float factor =
          static_cast<float>(curvature * data_.RowWeight(i) / static_cast<double>(logits_));
      for (size_t a = 0; a < width_; ++a) scaled(i, a) = factor * x_(i, a);
    }
  });
  pool_.ParallelFor((width_ + kColumnBlock - 1) / kColumnBlock, [&](size_t block) {
    const size_t begin = block * kColumnBlock, count = std::min(kColumnBlock, width_ - begin);
    Gemm({.m = count,
          .n = (begin + count + kLanes - 1) / kLanes * kLanes,  // up to the diagonal
          .k = rows,
          .a = x_.data() + begin,
          .a_stride = x_.stride(),
          .a_transposed = true,
          .b = scaled.data(),
          .b_stride = scaled.stride(),
          .c = gram.row(begin),
          .c_stride = gram.stride()});
  });
  // Columns that depend on others, and rows whose probabilities are all 0 or 1, leave no curvature;
  // what is added also covers the rounding of single precision.
  double most = 0;
  for (size_t a = 0; a < width_; ++a) most = std::max<double>(most, gram(a, a));
  std::vector<double> row;
  for (size_t a = 0; a < width_; ++a) {
    row.assign(gram.row(a), gram.row(a) + a + 1);
    row[a] += (a + 1 < width_ ? l2 : 0) + 1e-6 * most + 1e-300;
    curvature_.Append(row, 0);
  }
  if (curvature_.size() != width_) curvature_ = Cholesky();
}

void Logistic::Precondition(std::span<const double> in, std::span<double> out) {
  if (curvature_.size() == 0) {
    std::copy(in.begin(), in.end(), out.begin());
    return;
  }
  pool_.ParallelFor(logits_, [&](size_t c) {
    std::vector<double> own(width_);
    for (size_t a = 0; a < width_; ++a) own[a] = in[a * logits_ + c];
    curvature_.Solve(own.data());
    for (size_t a = 0; a < width_; ++a) out[a * logits_ + c] = own[a];
  });
}

// step = -H^-1 gradient, until the residual, in the norm of the preconditioner, has fallen by
// `accuracy`.
void Logistic::Solve(std::span<const double> gradient, double l2, double accuracy,
                     const Context& context, std::vector<double>& step) {
  const size_t n = gradient.size(), penalised = n - logits_;
  std::vector<double> left(n), preconditioned(n), direction(n), image(n);
  for (size_t i = 0; i < n; ++i) left[i] = -gradient[i];
  std::fill(step.begin(), step.end(), 0.0);
  Precondition(left, preconditioned);
  direction = preconditioned;
  double size = Dot(left.data(), preconditioned.data(), n);
  const double enough = accuracy * accuracy * size;
  for (int i = 0; i < kMostInnerSteps && size > enough && !context.ShouldStop(); ++i) {
    HessianTimes(direction, image);
    AddScaled(l2, direction.data(), image.data(), penalised);
    const double curvature = Dot(direction.data(), image.data(), n);
    if (!(curvature > 0)) break;
    AddScaled(size / curvature, direction.data(), step.data(), n);
    AddScaled(-size / curvature, image.data(), left.data(), n);
    Precondition(left, preconditioned);
    const double next = Dot(left.data(), preconditioned.data(), n);
    for (size_t j = 0; j < n; ++j) {
      direction[j] = preconditioned[j] + next / size * direction[j];
    }
    size = next;
  }
}

double Logistic::Penalty(std::span<const double> theta, double l2) const {
  return l2 / 2 * Dot(theta.data(), theta.data(), theta.size() - logits_);
}

double Logistic::Fit(std::span<double> theta, const FitOptions& options, const Context& context) {
  std::vector<double> gradient(theta.size()), step(theta.size()), next(theta.size());
  double loss = Forward(theta, context) + Penalty(theta, options.l2), first = 0;
  for (int i = 0; i < options.max_steps && !context.ShouldStop(); ++i) {
    Gradient(gradient);
    AddScaled(options.l2, theta.data(), gradient.data(), theta.size() - logits_);
    const double steepest = LargestMagnitude(gradient) / weight_;
    if (steepest <= options.tolerance) break;
    if (i == 0) first = steepest;
    FactorCurvature(options.l2);
    // Accurate enough for convergence faster than linear, no more than the step deserves.
    Solve(gradient, options.l2, std::min(0.1, std::sqrt(steepest / first)), context, step);
    const double slope = Dot(gradient.data(), step.data(), step.size());
    if (!(slope < 0) || -slope / 2 <= options.enough) break;
    if (loss + slope > options.hopeless_above) break;
    double reach = 1, after = loss;
    for (int halving = 0; halving < 30 && !context.ShouldStop(); ++halving, reach /= 2) {
      for (size_t j = 0; j < theta.size(); ++j) next[j] = theta[j] + reach * step[j];
      after = Forward(next, context) + Penalty(next, options.l2);
      if (after <= loss + 1e-4 * reach * slope) break;
    }
    if (!(after < loss)) {
      Forward(theta, context);
      break;
    }
    std::copy(next.begin(), next.end(), theta.begin());
    loss = after;
  }
  return loss;
}

void CarryOver(std::span<const size_t> old_columns, std::span<const double> old_theta,
               std::span<const size_t> columns, std::span<double> theta) {
  const size_t logits = theta.size() / (columns.size() + 1);
  size_t end = 0;
  for (size_t c : old_columns) end = std::max(end, c + 1);
  std::vector<size_t> place(end, old_columns.size());
  for (size_t a = 0; a < old_columns.size(); ++a) place[old_columns[a]] = a;
  const auto copy = [&](size_t from, size_t to) {
    std::copy_n(old_theta.data() + from * logits, logits, theta.data() + to * logits);
  };
  for (size_t a = 0; a < columns.size(); ++a) {
    if (columns[a] >= end || place[columns[a]] == old_columns.size()) continue;
    copy(place[columns[a]], a);
  }
  copy(old_columns.size(), columns.size());
}

}  // namespace slm
