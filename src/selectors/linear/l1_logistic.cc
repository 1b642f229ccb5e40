// Proximal Newton steps: the loss is replaced by a parabola in each logit, whose minimum under the
// penalty is found by coordinate descent, and a line search makes sure of the descent.
//
// The Hessian of softmax in a row is diag(p) - p p', at most diag(p). With diag(p) the parabolas of
// the logits are independent, lie above the true one, and only the coefficients that are active or
// about to be need their part of the Hessian: n a^2 / 2 multiply-adds for a of them.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/products.h"
#include "numerics/logistic.h"
#include "numerics/moments.h"
#include "selectors/linear/l1_model.h"

namespace slm {
namespace {

constexpr int kMostSteps = 500;
constexpr int kMostSweeps = 1000;

class L1Logistic : public L1Model {
 public:
  L1Logistic(const Dataset& data, double tolerance, const Context& context)
      : data_(data), pool_(*context.pool), columns_(data.x->columns()) {
    Logistic none(data, {}, pool_);
    logits_ = none.logits();
    intercepts_.resize(logits_);
    beta_.resize(columns_ * logits_);
    slopes_.resize(columns_);
    none.Fit(intercepts_, {.tolerance = 1e-14}, context);
    enough_ = tolerance * none.Forward(intercepts_, context) / none.weight();
    if (context.ShouldStop()) return;
    Rate(none);
    for (double slope : slopes_) lambda_ = std::max(lambda_, slope);
  }

  size_t outputs() const override { return logits_; }
  std::span<const double> coefficients() const override { return beta_; }
  std::span<const double> slopes() const override { return slopes_; }

  void Solve(double lambda, const Context& context) override {
    std::vector<bool> in(columns_);
    const double strong = std::min(lambda, 2 * lambda - lambda_);
    for (size_t j = 0; j < columns_; ++j) in[j] = Active(j) || slopes_[j] >= strong;
    for (bool complete = false; !complete && !context.ShouldStop();) {
      std::vector<size_t> working;
      for (size_t j = 0; j < columns_; ++j) {
        if (in[j]) working.push_back(j);
      }
      SolveOn(working, lambda, context);
      complete = true;
      for (size_t j = 0; j < columns_; ++j) {
        if (in[j] || slopes_[j] <= lambda) continue;
        in[j] = true;
        complete = false;
      }
    }
    lambda_ = lambda;
  }

 private:
  bool Active(size_t column) const {
    const double* own = beta_.data() + column * logits_;
    return std::any_of(own, own + logits_, [](double b) { return b != 0; });
  }

  // The slopes of all columns, from the residuals of a model's last forward pass.
  void Rate(const Logistic& model) {
    const std::vector<double> products =
        TransposedProduct(*data_.x, model.residuals().data(), logits_, pool_);
    std::fill(slopes_.begin(), slopes_.end(), 0.0);
    for (size_t c = 0; c < logits_; ++c) {
      for (size_t j = 0; j < columns_; ++j) {
        slopes_[j] =
            std::max(slopes_[j], std::abs(products[c * data_.x->stride() + j]) / model.weight());
      }
    }
  }

  void SolveOn(std::span<const size_t> working, double lambda, const Context& context) {
    Logistic model(data_, working, pool_);
    std::vector<double> theta;
    for (size_t j : working) {
      theta.insert(theta.end(), beta_.begin() + static_cast<std::ptrdiff_t>(j * logits_),
                   beta_.begin() + static_cast<std::ptrdiff_t>((j + 1) * logits_));
    }
    theta.insert(theta.end(), intercepts_.begin(), intercepts_.end());
    const size_t penalised = theta.size() - logits_;
    const auto norm = [&](std::span<const double> of) {
      double sum = 0;
      for (size_t i = 0; i < penalised; ++i) sum += std::abs(of[i]);
      return lambda * sum;
    };
    const double scale = 1 / model.weight();
    const auto value_at = [&](std::span<const double> of) {
      return scale * model.Forward(of, context) + norm(of);
    };
    std::vector<double> gradient(theta.size()), target(theta.size()), next(theta.size());
    std::vector<double> start = theta, last = theta;
    double value = value_at(theta), value_start = value;
    double pace = 1;  // of Nesterov's momentum, begun anew wherever the loss would rise
    for (int step = 0; step < kMostSteps && !context.ShouldStop(); ++step) {
      model.Gradient(gradient);
      for (double& g : gradient) g *= scale;
      target = start;
      pool_.ParallelFor(logits_, [&](size_t c) {
        if (!context.ShouldStop()) Minimise(model, start, gradient, c, lambda, target);
      });
      if (context.ShouldStop()) break;
      double promised = norm(target) - norm(start);
      for (size_t i = 0; i < start.size(); ++i) promised += gradient[i] * (target[i] - start[i]);
      const bool done = promised >= -enough_;
      // Below the rounding of the loss a step cannot be judged any more, and is a good one.
      const double rounding = 1e-15 * value;
      double after = value;
      bool falls = false;
      for (double reach = 1; !falls && reach > 1e-9 && !context.ShouldStop(); reach /= 2) {
        // At full reach the target itself, whose zeros are exact.
        for (size_t i = 0; i < theta.size(); ++i) {
          next[i] = reach == 1 ? target[i] : start[i] + reach * (target[i] - start[i]);
        }
        after = value_at(next);
        falls = after <= value_start + 1e-4 * reach * promised + rounding;
      }
      if (falls && after <= value + rounding) {
        last = std::exchange(theta, next);
        value = after;
        if (done) break;
        // One logit has its own Hessian, and Newton's steps need no momentum.
        const double faster = logits_ == 1 ? 1 : (1 + std::sqrt(1 + 4 * pace * pace)) / 2;
        const double momentum = (pace - 1) / faster;
        for (size_t i = 0; i < theta.size(); ++i) {
          start[i] = theta[i] + momentum * (theta[i] - last[i]);
        }
        pace = faster;
      } else {
        if (pace == 1 || done) break;
        start = theta;
        pace = 1;
      }
      value_start = value_at(start);
    }
    std::fill(beta_.begin(), beta_.end(), 0.0);
    for (size_t a = 0; a < working.size(); ++a) {
      std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(a * logits_), logits_,
                  beta_.begin() + static_cast<std::ptrdiff_t>(working[a] * logits_));
    }
    std::copy(theta.end() - static_cast<std::ptrdiff_t>(logits_), theta.end(), intercepts_.begin());
    model.Forward(theta, context);
    if (!context.ShouldStop()) Rate(model);  // nobody asks for the slopes of a path that ends here
  }

  // The coefficients of logit c that minimise its parabola around theta.
  void Minimise(const Logistic& model, std::span<const double> theta,
                std::span<const double> gradient, size_t c, double lambda,
                std::span<double> target) const {
    const Matrix& x = model.design();
    const size_t rows = data_.rows(), constant = x.cols() - 1;
    std::vector<size_t> moving;
    for (size_t a = 0; a < x.cols(); ++a) {
      const size_t i = a * logits_ + c;
      target[i] = theta[i];
      if (a == constant || theta[i] != 0 || std::abs(gradient[i]) > lambda) moving.push_back(a);
    }
    const size_t count = moving.size();
    Matrix own(rows, count);
    std::vector<double> left(rows * count), hessian(count * own.stride());
    for (size_t i = 0; i < rows; ++i) {
      const double p = model.probabilities()[i * logits_ + c];
      const double w = (data_.weight.empty() ? 1.0 : data_.weight[i]) / model.weight();
      const double curvature = w * (logits_ == 1 ? p * (1 - p) : p);
      for (size_t a = 0; a < count; ++a) {
        own(i, a) = x(i, moving[a]);
        left[i * count + a] = curvature * own(i, a);
      }
    }
    TransposedProduct(ProductArgs{.rows = rows,
                                  .left = left.data(),
                                  .left_stride = count,
                                  .left_columns = count,
                                  .x = own.data(),
                                  .x_stride = own.stride(),
                                  .width = own.stride(),
                                  .out = hessian.data(),
                                  .out_stride = own.stride()});
    std::vector<double> slope(own.stride()), at(count);
    for (size_t a = 0; a < count; ++a) {
      slope[a] = gradient[moving[a] * logits_ + c];
      at[a] = theta[moving[a] * logits_ + c];
    }
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double most = 0;
      for (size_t a = 0; a < count; ++a) {
        // A floor for rows whose probabilities are all 0 or 1.
        const double curvature = hessian[a * own.stride() + a] + 1e-9;
        const double free = curvature * at[a] - slope[a];
        const double penalty = moving[a] == constant ? 0 : lambda;
        const double move = SoftThreshold(free, penalty) / curvature - at[a];
        if (move == 0) continue;
        at[a] += move;
        AddScaled(move, hessian.data() + a * own.stride(), slope.data(), own.stride());
        slope[a] += 1e-9 * move;
        most = std::max(most, curvature * move * move);
      }
      if (most <= 1e-3 * enough_ / static_cast<double>(logits_)) break;
    }
    for (size_t a = 0; a < count; ++a) target[moving[a] * logits_ + c] = at[a];
  }

  const Dataset& data_;
  ThreadPool& pool_;
  size_t columns_;
  size_t logits_ = 0;
  double enough_ = 0;
  double lambda_ = 0;  // of the last solution
  std::vector<double> beta_, intercepts_, slopes_;
};

}  // namespace

std::unique_ptr<L1Model> MakeL1Logistic(const Dataset& data, double tolerance,
                                        const Context& context) {
  return std::make_unique<L1Logistic>(data, tolerance, context);
}

}  // namespace slm
