#include "selectors/stochastic_gates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slm {
namespace {

constexpr double kStart = 0.5;
constexpr double kStartNoise = 0.01;

}  // namespace

StochasticGates::StochasticGates(size_t features, double sigma, RandomStream random)
    : sigma_(sigma), p_(1, features), noise_(features), gates_(features) {
  for (float& mean : means()) mean = static_cast<float>(kStart + kStartNoise * random.Normal());
}

std::span<const float> StochasticGates::Draw(RandomStream random) {
  for (float& noise : noise_) noise = static_cast<float>(random.Normal());
  return Apply(noise_);
}

std::span<const float> StochasticGates::Apply(std::span<const float> noise) {
  for (size_t j = 0; j < gates_.size(); ++j) {
    gates_[j] = std::clamp(means()[j] + static_cast<float>(sigma_) * noise[j], 0.0f, 1.0f);
  }
  return gates_;
}

size_t StochasticGates::Open() const {
  return static_cast<size_t>(
      std::count_if(means().begin(), means().end(), [](float mean) { return mean > 0; }));
}

double StochasticGates::Penalty() const {
  double sum = 0;
  for (float mean : means()) sum += 0.5 * std::erfc(-mean / sigma_ / std::numbers::sqrt2);
  return sum / static_cast<double>(gates_.size());
}

void StochasticGates::SetGradient(std::span<const float> d_gates, double lambda, double decay) {
  const double density =
      lambda / static_cast<double>(gates_.size()) / sigma_ * std::sqrt(0.5 * std::numbers::inv_pi);
  for (size_t j = 0; j < gates_.size(); ++j) {
    const double mean = means()[j], t = mean / sigma_;
    const bool passes = gates_[j] > 0 && gates_[j] < 1;
    p_.gradient(0, j) = static_cast<float>(
        (passes ? d_gates[j] : 0.0f) + density * std::exp(-0.5 * t * t) + decay * (mean - kStart));
  }
}

void StochasticGates::AdamStep(double rate) {
  clock_.Tick({rate});
  clock_.Apply(p_.w.data(), p_.m.data(), p_.v.data(), p_.gradient.data(), 1.0f, p_.w.stride());
}

void StochasticGates::PlainStep(double rate) {
  for (size_t j = 0; j < gates_.size(); ++j) {
    p_.w(0, j) -= static_cast<float>(rate) * p_.gradient(0, j);
  }
}

}  // namespace slm
