#pragma once

// Stochastic gates (Yamada, Lindenbaum, Negahban and Kluger 2020): feature j is multiplied by
//
//   z_j = min(1, max(0, mu_j + sigma eps_j)),   eps_j standard normal,
//
// drawn anew for every batch and shared by its rows. The penalty is the mean over features of
// P(z_j > 0) = Phi(mu_j / sigma).

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "nn/adam.h"

namespace slm {

class StochasticGates {
 public:
  // Means start at 1/2, up to a little noise.
  StochasticGates(size_t features, double sigma, RandomStream random);

  // Draws the gates of one batch, or makes them of the given noise.
  std::span<const float> Draw(RandomStream random);
  std::span<const float> Apply(std::span<const float> noise);
  size_t Open() const;  // how many means are above 0

  double Penalty() const;
  // Sets the gradient for mu, given that of the loss for the gates of the latest batch: it passes
  // through a gate strictly between 0 and 1 and adds lambda times that of the penalty. `decay`
  // draws means back to where they started.
  void SetGradient(std::span<const float> d_gates, double lambda, double decay);
  std::span<const float> gradient() const { return {p_.gradient.data(), p_.w.cols()}; }

  void AdamStep(double rate);
  void PlainStep(double rate);

  std::span<float> means() { return {p_.w.data(), p_.w.cols()}; }
  std::span<const float> means() const { return {p_.w.data(), p_.w.cols()}; }

 private:
  void SetFalloff();
  float Gate(size_t j, double noise) const;

  double sigma_;
  Parameters p_;  // one row: mu
  AdamClock clock_;
  std::vector<float> gates_;
  std::vector<double> falloff_;  // exp(-(mu / sigma)^2 / 2) as of the latest batch
};

}  // namespace slm
