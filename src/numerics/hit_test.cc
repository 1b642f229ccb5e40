#include "numerics/hit_test.h"

#include <algorithm>

#include "numerics/discoveries.h"

namespace slm {

std::vector<double> FairCoinTails(int trials) {
  const size_t n = static_cast<size_t>(trials), middle = n / 2;
  // Relative to the most likely count; what underflows is nothing beside it.
  std::vector<double> share(n + 1);
  share[middle] = 1;
  for (size_t h = middle; h < n; ++h) {
    share[h + 1] = share[h] * static_cast<double>(n - h) / static_cast<double>(h + 1);
  }
  for (size_t h = middle; h > 0; --h) {
    share[h - 1] = share[h] * static_cast<double>(h) / static_cast<double>(n - h + 1);
  }
  for (size_t h = n; h > 0; --h) share[h - 1] += share[h];  // the small ones first
  const double sum = share[0];
  for (double& s : share) s /= sum;
  return share;
}

std::vector<bool> FalseDiscoveryRate(std::span<const double> p, double alpha) {
  const std::vector<double> adjusted = AdjustedForRate(p, p.size());
  std::vector<bool> falls;
  for (double rate : adjusted) falls.push_back(rate <= alpha);
  return falls;
}

void HitTest::AddRound(const std::vector<bool>& hit) {
  ++rounds_;
  std::vector<size_t> active;
  for (size_t j = 0; j < hits_.size(); ++j) {
    if (verdicts_[j] == HitVerdict::kRejected) continue;
    active.push_back(j);
    hits_[j] += hit[j] ? 1 : 0;
  }
  const std::vector<double> tails = FairCoinTails(rounds_);
  std::vector<double> high, low;  // p values
  for (size_t j : active) {
    high.push_back(tails[static_cast<size_t>(hits_[j])]);
    low.push_back(tails[static_cast<size_t>(rounds_ - hits_[j])]);
  }
  const auto falls = [&](const std::vector<double>& p) {
    std::vector<bool> out = options_.two_step ? FalseDiscoveryRate(p, options_.alpha)
                                              : std::vector<bool>(p.size(), true);
    const double divisor =
        options_.two_step ? static_cast<double>(rounds_) : static_cast<double>(hits_.size());
    for (size_t i = 0; i < p.size(); ++i) out[i] = out[i] && p[i] <= options_.alpha / divisor;
    return out;
  };
  const std::vector<bool> confirmed = falls(high), rejected = falls(low);
  for (size_t i = 0; i < active.size(); ++i) {
    HitVerdict& verdict = verdicts_[active[i]];
    if (verdict != HitVerdict::kOpen) continue;
    if (confirmed[i]) verdict = HitVerdict::kConfirmed;
    if (rejected[i]) verdict = HitVerdict::kRejected;
  }
}

size_t HitTest::Open() const {
  return static_cast<size_t>(std::count(verdicts_.begin(), verdicts_.end(), HitVerdict::kOpen));
}

}  // namespace slm
