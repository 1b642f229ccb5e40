#pragma once

// Linear models with an L1 penalty, solved for one lambda after the other from where the last one
// ended:
//
//   mean over rows of the loss + lambda sum of |coefficients|,   intercepts free
//
// with half the squared error for values (scikit-learn's Lasso, alpha = lambda) and -log p for
// classes, one logit for two of them and softmax otherwise (scikit-learn's LogisticRegression with
// penalty l1, C = 1 / (lambda rows)). Rows count by their weights.

#include <memory>
#include <span>

#include "base/thread_pool.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

class L1Model {
 public:
  virtual ~L1Model() = default;

  virtual size_t outputs() const = 0;
  // Minimises for `lambda`; ends early when `context` says so. Lambdas should fall slowly: columns
  // are screened by the strong rule (Tibshirani et al. 2012), then checked.
  virtual void Solve(double lambda, const Context& context) = 0;
  // Of the last solution, columns x outputs; zeros before the first.
  virtual std::span<const double> coefficients() const = 0;
  // For each column the largest |derivative of the mean loss| over its coefficients, at the last
  // solution; at first, their maximum is the lambda at which the first column enters.
  virtual std::span<const double> slopes() const = 0;
};

// `data` and the pool must outlive the model. `tolerance` bounds what one more round would gain,
// relative to the loss with no column active.
std::unique_ptr<L1Model> MakeL1Squared(const Dataset& data, double tolerance, ThreadPool& pool);
// Fits the intercepts, which for many classes takes time of its own.
std::unique_ptr<L1Model> MakeL1Logistic(const Dataset& data, double tolerance,
                                        const Context& context);

// argmin over t of (t - z)^2 / 2 + lambda |t|
inline double SoftThreshold(double z, double lambda) {
  return z > lambda ? z - lambda : z < -lambda ? z + lambda : 0;
}

}  // namespace slm
