// Sacrifices of softmax regression. With s = x beta the logits that a feature adds in a row, the
// loss rises without it by half the mean of s' (diag(p) - p p') s, the variance of s under p. With
// it, the loss falls by half of d' H^-1 d for the feature's derivatives d, which sum to zero over
// the classes; on such d the inverse of diag(p) - p p' is that of diag(p), so H is made of diag(p),
// and the classes are worked out one by one. Two classes have one logit, and p (1 - p) is exact.

#include <algorithm>
#include <vector>

#include "numerics/cholesky.h"
#include "numerics/logistic.h"
#include "numerics/moments.h"
#include "selectors/linear/subset_model.h"

namespace slm {
namespace {

constexpr int kMostFitSteps = 30;
constexpr double kTolerance = 1e-9;
// A fit ends when a step promises no more than this share of the loss without features.
constexpr double kEnough = 1e-6;

class SubsetLogistic : public SubsetModel {
 public:
  SubsetLogistic(const Problem& problem, double l2, const Context& context)
      : layout_(problem.layout),
        data_(problem.train),
        l2_(l2),
        context_(context),
        pool_(*context.pool),
        squares_(data_.rows(), data_.x->columns()) {
    const MatrixView<const float> all = data_.x->InMemory();
    for (size_t i = 0; i < data_.rows(); ++i) {
      const float* x = all.row(i);
      for (size_t c = 0; c < squares_.cols(); ++c) squares_(i, c) = x[c] * x[c];
    }
    enough_ = kEnough * Fit({}, 0, context);
    Accept();
  }

  double Fit(std::span<const size_t> features, double wanted, const Context& context) override {
    candidate_ = {};
    candidate_.features.assign(features.begin(), features.end());
    std::vector<size_t> columns;
    for (size_t j : features) {
      for (size_t c = Begin(j); c < Begin(j + 1); ++c) columns.push_back(c);
    }
    candidate_.model = std::make_unique<Logistic>(data_, columns, pool_);
    const size_t logits = candidate_.model->logits();
    candidate_.theta.resize(candidate_.model->parameters());
    // What it shares with the accepted model starts there.
    if (accepted_.model) {
      double* to = candidate_.theta.data();
      for (size_t j : features) {
        const size_t count = (Begin(j + 1) - Begin(j)) * logits;
        const double* from = accepted_.theta.data();
        for (size_t other : accepted_.features) {
          if (other == j) std::copy_n(from, count, to);
          from += (Begin(other + 1) - Begin(other)) * logits;
        }
        to += count;
      }
      std::copy_n(accepted_.theta.end() - static_cast<std::ptrdiff_t>(logits), logits, to);
    }
    const double none = std::numeric_limits<double>::infinity();
    return candidate_.model->Fit(candidate_.theta,
                                 {.l2 = l2_,
                                  .tolerance = kTolerance,
                                  .max_steps = kMostFitSteps,
                                  .enough = enough_,
                                  .hopeless_above = features.empty() ? none : wanted},
                                 context);
  }

  void Accept() override {
    accepted_ = std::move(candidate_);
    accepted_.model->Forward(accepted_.theta, context_);
  }

  void Sacrifices(std::span<double> out, const Context& context) override {
    std::fill(out.begin(), out.end(), 0.0);
    if (context.ShouldStop()) return;
    const Logistic& model = *accepted_.model;
    const size_t logits = model.logits(), rows = data_.rows(), stride = data_.x->stride();
    std::vector<double> curvature(rows * logits);
    for (size_t i = 0; i < rows; ++i) {
      for (size_t c = 0; c < logits; ++c) {
        const double p = model.probabilities()[i * logits + c];
        curvature[i * logits + c] = Weight(i) * (logits == 1 ? p * (1 - p) : p);
      }
    }
    const std::vector<double> gradient =
        TransposedProduct(*data_.x, model.residuals().data(), logits, pool_);
    std::vector<double> diagonal(logits * stride);
    TransposedProduct(squares_.view(), curvature.data(), logits, diagonal.data(), pool_);
    std::vector<size_t> place(layout_.features(), kOutside);
    size_t next = 0;
    for (size_t j : accepted_.features) {
      place[j] = next;
      next += Begin(j + 1) - Begin(j);
    }
    pool_.ParallelFor(layout_.features(), [&](size_t j) {
      if (context.ShouldStop()) return;
      out[j] = place[j] != kOutside ? CostWithout(j, place[j])
                                    : GainWith(j, gradient, diagonal, curvature, context);
    });
  }

 private:
  static constexpr size_t kOutside = static_cast<size_t>(-1);

  struct State {
    std::vector<size_t> features;
    std::unique_ptr<Logistic> model;
    std::vector<double> theta;
  };

  size_t Begin(size_t j) const { return static_cast<size_t>(layout_.offsets[j]); }
  double Weight(size_t i) const { return data_.weight.empty() ? 1.0 : data_.weight[i]; }

  // Of a feature whose coefficients begin at column `at` of the model.
  double CostWithout(size_t j, size_t at) const {
    const Logistic& model = *accepted_.model;
    const size_t logits = model.logits(), width = Begin(j + 1) - Begin(j);
    const double* theta = accepted_.theta.data() + at * logits;
    std::vector<double> added(logits);
    double cost = l2_ * Dot(theta, theta, width * logits);
    for (size_t i = 0; i < data_.rows(); ++i) {
      const float* x = model.design().row(i) + at;
      const double* p = model.probabilities().data() + i * logits;
      double mean = 0, square = 0;
      for (size_t c = 0; c < logits; ++c) {
        double s = 0;
        for (size_t a = 0; a < width; ++a) s += x[a] * theta[a * logits + c];
        mean += p[c] * s;
        square += p[c] * s * s;
      }
      cost += Weight(i) * (square - mean * mean);
    }
    return cost / 2;
  }

  double GainWith(size_t j, std::span<const double> gradient, std::span<const double> diagonal,
                  std::span<const double> curvature, const Context& context) const {
    const size_t begin = Begin(j), width = Begin(j + 1) - begin;
    const size_t logits = accepted_.model->logits(), stride = data_.x->stride();
    double gain = 0;
    if (width == 1) {
      for (size_t c = 0; c < logits; ++c) {
        const double d = gradient[c * stride + begin], h = diagonal[c * stride + begin] + l2_;
        if (h > 0) gain += d * d / h;
      }
      return gain / 2;
    }
    // hessian[(a * width + b) * logits + c], b up to a
    std::vector<double> hessian(width * width * logits);
    const MatrixView<const float> all = data_.x->InMemory();
    for (size_t i = 0; i < data_.rows(); ++i) {
      if (context.ShouldStop()) return 0;  // a row of many columns and classes takes a while
      const float* x = all.row(i) + begin;
      for (size_t a = 0; a < width; ++a) {
        for (size_t b = 0; b <= a; ++b) {
          AddScaled(static_cast<double>(x[a]) * x[b], curvature.data() + i * logits,
                    hessian.data() + (a * width + b) * logits, logits);
        }
      }
    }
    for (size_t c = 0; c < logits; ++c) {
      Cholesky factor;
      std::vector<size_t> kept;
      std::vector<double> row, part;
      for (size_t a = 0; a < width; ++a) {
        row.clear();
        for (size_t b : kept) row.push_back(hessian[(a * width + b) * logits + c]);
        row.push_back(hessian[(a * width + a) * logits + c] + l2_);
        if (!(row.back() > 0) || !factor.Append(row, kDependent)) continue;
        kept.push_back(a);
        part.push_back(gradient[c * stride + begin + a]);
      }
      factor.SolveLower(part.data());
      gain += Dot(part.data(), part.data(), part.size());
    }
    return gain / 2;
  }

  const FeatureLayout& layout_;
  const Dataset& data_;
  double l2_;
  double enough_ = 0;      // of the loss, for a fit to end
  const Context context_;  // a copy: models outlive the calls that made them
  ThreadPool& pool_;
  Matrix squares_;  // of the inputs
  State accepted_, candidate_;
};

}  // namespace

std::unique_ptr<SubsetModel> MakeSubsetLogistic(const Problem& problem, double l2,
                                                const Context& context) {
  return std::make_unique<SubsetLogistic>(problem, l2, context);
}

}  // namespace slm
