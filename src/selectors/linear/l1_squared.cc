// Coordinate descent on second moments ("covariance updates"): a coefficient that moves costs its
// row of the Gram matrix once, and afterwards one pass over the derivatives of all columns.

#include <cmath>
#include <vector>

#include "kernels/products.h"
#include "numerics/moments.h"
#include "selectors/linear/l1_model.h"

namespace slm {
namespace {

constexpr int kMostPasses = 20000;

class L1Squared : public L1Model {
 public:
  L1Squared(const Dataset& data, double tolerance, ThreadPool& pool)
      : moments_(data, pool),
        enough_(tolerance * moments_.total() / moments_.weight()),
        beta_(moments_.columns()),
        slopes_(moments_.columns()) {
    Refresh();
    for (double slope : slopes_) lambda_ = std::max(lambda_, slope);
  }

  size_t outputs() const override { return 1; }
  std::span<const double> coefficients() const override { return beta_; }
  std::span<const double> slopes() const override { return slopes_; }

  void Solve(double lambda, const Context& context) override {
    std::vector<size_t> working;
    std::vector<bool> in(beta_.size());
    const double strong = std::min(lambda, 2 * lambda - lambda_);
    for (size_t j = 0; j < beta_.size(); ++j) {
      if (beta_[j] == 0 && slopes_[j] < strong) continue;
      working.push_back(j);
      in[j] = true;
    }
    for (bool complete = false; !complete && !context.ShouldStop();) {
      for (int sweep = 0; sweep < kMostPasses && !context.ShouldStop(); ++sweep) {
        if (Sweep(working, lambda) <= enough_) break;
      }
      Refresh();
      complete = true;
      for (size_t j = 0; j < beta_.size(); ++j) {
        if (in[j] || slopes_[j] <= lambda) continue;
        working.push_back(j);
        in[j] = true;
        complete = false;
      }
    }
    lambda_ = lambda;
  }

 private:
  // Returns the largest gain of a coordinate, in terms of the mean loss.
  double Sweep(std::span<const size_t> working, double lambda) {
    double most = 0;
    for (size_t j : working) {
      const double variance = moments_.variance(j) / moments_.weight();
      if (!(variance > 0)) continue;
      const double next = SoftThreshold(variance * beta_[j] - gradient_[j], lambda) / variance;
      const double move = next - beta_[j];
      if (move == 0) continue;
      beta_[j] = next;
      AddScaled(move / moments_.weight(), moments_.Gram(j), gradient_.data(), gradient_.size());
      most = std::max(most, variance * move * move);
    }
    return most;
  }

  // Derivatives of the mean loss from scratch, so that rounding does not add up along a path.
  void Refresh() {
    gradient_.assign(moments_.Cross(0), moments_.Cross(0) + moments_.stride());
    for (double& g : gradient_) g = -g / moments_.weight();
    for (size_t j = 0; j < beta_.size(); ++j) {
      if (beta_[j] == 0) continue;
      AddScaled(beta_[j] / moments_.weight(), moments_.Gram(j), gradient_.data(), gradient_.size());
    }
    for (size_t j = 0; j < beta_.size(); ++j) slopes_[j] = std::abs(gradient_[j]);
  }

  Moments moments_;
  double enough_;
  double lambda_ = 0;  // of the last solution
  std::vector<double> beta_, slopes_, gradient_;
};

}  // namespace

std::unique_ptr<L1Model> MakeL1Squared(const Dataset& data, double tolerance, ThreadPool& pool) {
  return std::make_unique<L1Squared>(data, tolerance, pool);
}

}  // namespace slm
