#pragma once

// Logistic regression on some columns of a dataset, in double: one logit for two classes, softmax
// over a logit for each class otherwise.
//
//   L(theta) = sum over rows of -w log p(y) + l2 / 2 |theta without intercepts|^2
//
// Coefficients lie as columns x logits, the intercepts as one more column after the last.

#include <limits>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "numerics/cholesky.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

class Logistic {
 public:
  // Copies the columns, twice. `data` must outlive this object.
  Logistic(const Dataset& data, std::span<const size_t> columns, ThreadPool& pool);

  size_t logits() const { return logits_; }
  const Matrix& design() const { return x_; }  // rows x columns, then the constant one
  size_t parameters() const { return width_ * logits_; }
  double weight() const { return weight_; }  // sum of the rows'

  // The loss without penalty, or infinity if `context` says to stop before it is known. The calls
  // below are about the coefficients given here last.
  double Forward(std::span<const double> theta, const Context& context);
  // w (p - y), rows x logits.
  std::span<const double> residuals() const { return residuals_; }
  // p, rows x logits.
  std::span<const double> probabilities() const { return probabilities_; }
  // Of the loss without penalty.
  void Gradient(std::span<double> out);

  struct FitOptions {
    double l2 = 0;
    double tolerance = 1e-6;  // of the largest derivative, for a mean over rows
    int max_steps = 100;
    double enough = 0;  // end when a step promises no more than so much of the loss
    // Give up when a step, were it to win twice what it promises, would not reach below this loss.
    double hopeless_above = std::numeric_limits<double>::infinity();
  };
  // Minimises L from `theta` on by Newton's method, each step solved by conjugate gradients that
  // are preconditioned by the Hessian of a logit with mean curvature (exact for two classes). Ends
  // early when `context` says so. Returns the loss with penalty.
  double Fit(std::span<double> theta, const FitOptions& options, const Context& context);

 private:
  void HessianTimes(std::span<const double> v, std::span<double> out);
  void FactorCurvature(double l2);
  void Precondition(std::span<const double> in, std::span<double> out);
  void Solve(std::span<const double> gradient, double l2, double accuracy, const Context& context,
             std::vector<double>& step);
  double Penalty(std::span<const double> theta, double l2) const;

  const Dataset& data_;
  ThreadPool& pool_;
  size_t logits_;
  size_t width_;  // columns and the constant one
  double weight_ = 0;
  Matrix x_;              // rows x width
  Matrix t_;              // its transpose
  Matrix inner_, outer_;  // rows and width x logits
  std::vector<double> scores_, probabilities_, residuals_;
  Cholesky curvature_;
};

// Begins the coefficients of a fit on `columns` with those that another had, and its intercepts;
// columns that it did not have keep theirs. Both lie as above.
void CarryOver(std::span<const size_t> old_columns, std::span<const double> old_theta,
               std::span<const size_t> columns, std::span<double> theta);

}  // namespace slm
