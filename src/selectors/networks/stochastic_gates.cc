#include "selectors/networks/stochastic_gates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slm {
namespace {

constexpr double kStart = 0.5;
constexpr double kStartNoise = 0.01;

}  // namespace

StochasticGates::StochasticGates(size_t features, double sigma, RandomStream random)
    : sigma_(sigma), p_(1, features), gates_(features), falloff_(features) {
  for (float& mean : means()) mean = static_cast<float>(kStart + kStartNoise * random.Normal());
}

std::span<const float> StochasticGates::Draw(RandomStream random) {
  SetFalloff();
  // Box and Muller's pairs, radius and angle, for two gates each. A radius that cannot reach from a
  // mean below 0 to 0 leaves the gate shut whatever the angle, which spares most gates of a late
  // batch the logarithm and the angle: radius <= |mu| / sigma is uniform >= falloff.
  const size_t features = gates_.size();
  for (size_t j = 0; j < features; j += 2) {
    const double uniform = 1 - random.Uniform(), turn = random.Uniform();
    const size_t end = std::min(features, j + 2);
    bool shut = true;
    for (size_t i = j; i < end; ++i) shut &= means()[i] <= 0 && uniform >= falloff_[i];
    if (shut) {
      std::fill(gates_.begin() + static_cast<ptrdiff_t>(j),
                gates_.begin() + static_cast<ptrdiff_t>(end), 0.0f);
      continue;
    }
    const double radius = std::sqrt(-2 * std::log(uniform));
    const double angle = 2 * std::numbers::pi * turn;
    gates_[j] = Gate(j, radius * std::cos(angle));
    if (j + 1 < features) gates_[j + 1] = Gate(j + 1, radius * std::sin(angle));
  }
  return gates_;
}

std::span<const float> StochasticGates::Apply(std::span<const float> noise) {
  SetFalloff();
  for (size_t j = 0; j < gates_.size(); ++j) gates_[j] = Gate(j, noise[j]);
  return gates_;
}

void StochasticGates::SetFalloff() {
  for (size_t j = 0; j < gates_.size(); ++j) {
    const double t = means()[j] / sigma_;
    falloff_[j] = std::exp(-0.5 * t * t);
  }
}

float StochasticGates::Gate(size_t j, double noise) const {
  return static_cast<float>(std::clamp(means()[j] + sigma_ * noise, 0.0, 1.0));
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
    const bool passes = gates_[j] > 0 && gates_[j] < 1;
    p_.gradient(0, j) = static_cast<float>((passes ? d_gates[j] : 0.0f) + density * falloff_[j] +
                                           decay * (means()[j] - kStart));
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
