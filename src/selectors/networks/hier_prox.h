#pragma once

// The proximal operator of LassoNet (Lemhadri, Ruan, Abraham and Tibshirani 2021, Algorithm 2), in
// its group form. For a feature with skip weights v and first-layer weights u it solves
//
//   min  1/2 |v - b|^2 + 1/2 |u - t|^2 + lambda |b|_2    subject to  |t_i| <= M |b|_2 for all i,
//
// so that a feature without a skip connection has no other connection either.

#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/matrix.h"

namespace slm {

// Replaces v and u by the solution, at most a few passes over u and no sorting. Zeros, as in the
// padding of a matrix, change nothing. Both sizes are multiples of 16. Returns the bound M |b|_2,
// which is a good guess for the next call where weights have moved little since; guesses save time
// and change nothing.
float HierProx(std::span<float> v, std::span<float> u, double lambda, double hierarchy,
               float guess = -1);

// One feature's skip and first-layer weights.
struct FeatureWeights {
  std::span<const float> skip;
  std::span<const float> hidden;
};

// The largest lambda of 1e-6, 2e-6, 4e-6 ... that leaves every feature in place when the operator
// is applied again and again, up to 10,000 times or until no skip weight moves by 1e-5. What the
// repetition does to a feature is followed through three numbers (the norm of its skip weights, the
// bound on its hidden ones and how many have met it), so an application costs a few operations for
// each feature, whatever the width of the network.
double LargestHarmlessLambda(std::span<const FeatureWeights> features, double hierarchy,
                             const Context& context);

}  // namespace slm
