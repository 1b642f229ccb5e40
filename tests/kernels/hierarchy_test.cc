#include "kernels/hierarchy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "kernels/dispatch.h"
#include "tests/kernels/at_simd_level.h"

namespace slm {
namespace {

using Hierarchy = AtSimdLevel;

struct Weights {
  std::vector<float> skip, hidden;

  float Shrink(double lambda, double hierarchy, float guess) {
    return ShrinkHierarchy({.skip = skip.data(),
                            .skip_size = skip.size(),
                            .hidden = hidden.data(),
                            .hidden_size = hidden.size(),
                            .lambda = lambda,
                            .hierarchy = hierarchy,
                            .guess = guess});
  }
};

Weights Random(size_t hidden, uint64_t seed) {
  RandomStream random(seed, 0);
  Weights w{std::vector<float>(16), std::vector<float>(hidden)};
  for (size_t i = 0; i < 5; ++i) w.skip[i] = static_cast<float>(0.1 * random.Normal());
  for (float& u : w.hidden) u = static_cast<float>(random.Normal());
  return w;
}

// The new norm of the skip weights by the definition: of all counts of magnitudes at the bound, the
// one that fits.
double NewNorm(const Weights& w, double lambda, double hierarchy) {
  double squares = 0, sum = 0;
  for (float v : w.skip) squares += static_cast<double>(v) * v;
  std::vector<double> magnitudes;
  for (float u : w.hidden) magnitudes.push_back(std::abs(u));
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  for (size_t s = 0;; ++s) {
    const double norm = std::max(0.0, std::sqrt(squares) - lambda + hierarchy * sum) /
                        (1 + static_cast<double>(s) * hierarchy * hierarchy);
    if (s == magnitudes.size() || magnitudes[s] <= hierarchy * norm) return norm;
    sum += magnitudes[s];
  }
}

TEST_P(Hierarchy, BoundsHiddenWeightsByTheNormOfTheDefinition) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (double lambda : {0.0, 0.05, 1.0, 100.0}) {
      for (double hierarchy : {0.0, 0.5, 10.0}) {
        const Weights start = Random(48, seed);
        Weights w = start;
        const double norm = NewNorm(start, lambda, hierarchy);
        const double bound = static_cast<double>(w.Shrink(lambda, hierarchy, -1));
        EXPECT_NEAR(bound, hierarchy * norm, 1e-5 * (1 + bound)) << lambda << " " << hierarchy;
        double squares = 0;
        for (float v : w.skip) squares += static_cast<double>(v) * v;
        EXPECT_NEAR(std::sqrt(squares), norm, 1e-5 * (1 + norm)) << lambda << " " << hierarchy;
        for (size_t i = 0; i < w.hidden.size(); ++i) {
          const float most = static_cast<float>(bound);
          EXPECT_EQ(w.hidden[i], std::clamp(start.hidden[i], -most, most));
        }
      }
    }
  }
}

TEST_P(Hierarchy, AGuessChangesNothing) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (double lambda : {0.0, 0.05, 1.0}) {
      Weights plain = Random(64, seed);
      const float bound = plain.Shrink(lambda, 10, -1);
      for (float guess : {0.0f, 0.5f * bound, 0.99f * bound, bound, 1.01f * bound, 1e6f}) {
        Weights guessed = Random(64, seed);
        EXPECT_EQ(guessed.Shrink(lambda, 10, guess), bound) << guess;
        EXPECT_EQ(guessed.skip, plain.skip) << guess;
        EXPECT_EQ(guessed.hidden, plain.hidden) << guess;
      }
    }
  }
}

TEST_P(Hierarchy, NoSkipWeightsMeanNoWeights) {
  Weights w = Random(32, 1);
  std::fill(w.skip.begin(), w.skip.end(), 0.0f);
  EXPECT_EQ(w.Shrink(0, 10, 3), 0);
  EXPECT_EQ(w.hidden, std::vector<float>(32));
}

INSTANTIATE_TEST_SUITE_P(EveryLevel, Hierarchy, EverySimdLevel(), NameOfLevel);

}  // namespace
}  // namespace slm
