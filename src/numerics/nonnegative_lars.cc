#include "numerics/nonnegative_lars.h"

#include <algorithm>
#include <cmath>

namespace slm {
namespace {

constexpr double kLeast = 1e-9;  // residuals and steps below count as none

class Lars {
 public:
  Lars(std::span<const double> xty, const GramColumn& column) : xty_(xty), column_(column) {
    path_.beta.resize(xty.size());
    path_.residual.assign(xty.begin(), xty.end());
    banned_.resize(xty.size());
  }

  LarsPath Follow(size_t most) {
    const auto first = std::max_element(xty_.begin(), xty_.end());
    path_.lambda = first == xty_.end() ? 0 : *first;
    if (path_.lambda < kLeast || !Enter(static_cast<int>(first - xty_.begin()))) {
      return std::move(path_);
    }
    for (size_t step = 0; step < 4 * xty_.size() && path_.lambda >= kLeast; ++step) {
      path_.lambdas.push_back(path_.lambda);
      const int next = Step();
      if (next >= 0 && (active_.size() >= most || !Enter(next))) break;
    }
    return std::move(path_);
  }

 private:
  // False if there is no column for it.
  bool Enter(int feature) {
    const double* gram = column_(feature, path_.residual);
    if (gram == nullptr) return false;
    active_.push_back(feature);
    grams_.push_back(gram);
    path_.entered.push_back(feature);
    if (!Extend(active_.size() - 1)) {
      // It depends on those that are active: it never adds anything.
      banned_[static_cast<size_t>(feature)] = 1;
      path_.entered.pop_back();
      Remove(active_.size() - 1);
    }
    return true;
  }

  // Row a of the Cholesky factor of the active features' products; false if they are dependent.
  bool Extend(size_t a) {
    factor_.resize(a);
    std::vector<double>& row = factor_.emplace_back(a + 1);
    for (size_t b = 0; b <= a; ++b) {
      double sum = grams_[b][active_[a]];
      for (size_t c = 0; c < b; ++c) sum -= row[c] * factor_[b][c];
      if (b < a) {
        row[b] = sum / factor_[b][b];
      } else {
        if (sum <= 1e-7 * grams_[a][active_[a]]) return false;
        row[a] = std::sqrt(sum);
      }
    }
    return true;
  }

  void Remove(size_t a) {
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(a));
    grams_.erase(grams_.begin() + static_cast<std::ptrdiff_t>(a));
    factor_.resize(a);
    for (size_t b = a; b < active_.size(); ++b) Extend(b);
  }

  // The direction in which all active residuals fall at the rate 1.
  std::vector<double> Direction() const {
    const size_t n = active_.size();
    std::vector<double> w(n, 1.0);
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = 0; b < a; ++b) w[a] -= factor_[a][b] * w[b];
      w[a] /= factor_[a][a];
    }
    for (size_t a = n; a-- > 0;) {
      for (size_t b = a + 1; b < n; ++b) w[a] -= factor_[b][a] * w[b];
      w[a] /= factor_[a][a];
    }
    return w;
  }

  // Moves until a feature's residual reaches that of the active ones (and returns it), an active
  // one reaches 0 and leaves, or no residual is left (-1 for both).
  int Step() {
    const std::vector<double> w = Direction();
    std::vector<double> fall(xty_.size());
    for (size_t a = 0; a < active_.size(); ++a) {
      for (size_t f = 0; f < fall.size(); ++f) fall[f] += w[a] * grams_[a][f];
    }
    std::vector<char> skip = banned_;
    for (int f : active_) skip[static_cast<size_t>(f)] = 1;
    // One that has just left is still level with the active ones.
    if (left_ >= 0) skip[static_cast<size_t>(left_)] = 1;
    left_ = -1;
    double length = path_.lambda;
    int next = -1;
    size_t leaving = active_.size();
    for (size_t f = 0; f < fall.size(); ++f) {
      if (skip[f] != 0) continue;
      // A feature that falls as fast as the active ones never meets them.
      const double rate = 1 - fall[f];
      if (rate <= 1e-12) continue;
      const double at = std::max(0.0, (path_.lambda - path_.residual[f]) / rate);
      if (at < length) {
        length = at;
        next = static_cast<int>(f);
      }
    }
    for (size_t a = 0; a < active_.size(); ++a) {
      const double at = -path_.beta[static_cast<size_t>(active_[a])] / w[a];
      if (at > kLeast && at < length) {
        length = at;
        leaving = a;
      }
    }
    for (size_t a = 0; a < active_.size(); ++a) {
      path_.beta[static_cast<size_t>(active_[a])] += length * w[a];
    }
    UpdateResidual();
    path_.lambda -= length;
    if (leaving == active_.size()) return next;  // -1 if no residual is left
    left_ = active_[leaving];
    path_.beta[static_cast<size_t>(left_)] = 0;
    Remove(leaving);
    return -1;
  }

  // Afresh from beta, so that rounding does not pile up over the steps.
  void UpdateResidual() {
    path_.residual.assign(xty_.begin(), xty_.end());
    for (size_t a = 0; a < active_.size(); ++a) {
      const double b = path_.beta[static_cast<size_t>(active_[a])];
      for (size_t f = 0; f < xty_.size(); ++f) path_.residual[f] -= b * grams_[a][f];
    }
  }

  std::span<const double> xty_;
  const GramColumn& column_;
  LarsPath path_;
  std::vector<int> active_;
  std::vector<const double*> grams_;         // column of each active feature
  std::vector<std::vector<double>> factor_;  // lower triangle, row by row
  std::vector<char> banned_;
  int left_ = -1;
};

}  // namespace

LarsPath NonNegativeLars(std::span<const double> xty, size_t most, const GramColumn& column) {
  return Lars(xty, column).Follow(most);
}

}  // namespace slm
