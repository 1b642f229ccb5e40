#pragma once

// From scores to a choice: what methods that rank have in common.

#include <span>
#include <vector>

#include "slm/selector.h"

namespace slm {

// The k features of largest score, ties to the earlier one. Weights are their shares of the scores;
// a feature whose score is not positive has the least weight that counts.
Choice ChooseTop(std::span<const double> scores, int k);

// The features in the order in which a greedy method took them. Weights fall linearly with the
// place: what a feature was worth beside others need not fall at all.
Choice ChooseInOrder(std::span<const int> order, std::span<const double> scores);

// Scores of features from those of their encoded columns: the sum, the largest, or the Euclidean
// norm.
std::vector<double> SumByFeature(const FeatureLayout& layout, std::span<const double> columns);
std::vector<double> LargestByFeature(const FeatureLayout& layout, std::span<const double> columns);
std::vector<double> NormByFeature(const FeatureLayout& layout, std::span<const double> columns);

}  // namespace slm
