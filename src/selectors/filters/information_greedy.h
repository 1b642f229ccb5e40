#pragma once

// Greedy choice of features by their information, one at a time, beside those already taken.
//
// Every call works in parallel over features, gives the same bits for any number of threads, breaks
// ties towards the earlier feature, and ends with exactly k also when the context says to stop: the
// rest is then taken by the scores as they stand.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "selectors/filters/binned_problem.h"
#include "slm/context.h"

namespace slm {

struct GreedyOrder {
  std::vector<int> features;   // exactly k, in the order they were taken
  std::vector<double> scores;  // of each feature: when it was taken, or at the end
};

// Takes the feature of largest score(f, sum, count), where sum adds up pair(keys of s, s, f) over
// the count features s taken so far; the first by score(f, 0, 0). Only `candidates`, ascending and
// at least k, may be taken; others score 0. Each pair is visited once: k features times all.
GreedyOrder GreedyBySum(
    const BinnedProblem& problem, std::span<const int> candidates, int k,
    const std::function<double(std::span<const uint32_t>, size_t, size_t)>& pair,
    const std::function<double(size_t, double, size_t)>& score, const Context& context);

// Takes the feature with the largest minimum of I(f; y | s) + offset(s) over the features s taken
// so far; the first by I(f; y).
//
// A minimum over some of them is an upper bound, and a feature is looked at again only when its
// bound could win (Fleuret 2004), so most pairs are never visited. The score of a feature that was
// not taken is its bound.
GreedyOrder GreedyByMinimum(const BinnedProblem& problem, int k,
                            const std::function<double(size_t)>& offset, const Context& context);

// 0, 1, ..., n - 1.
std::vector<int> AllFeatures(size_t n);

}  // namespace slm
