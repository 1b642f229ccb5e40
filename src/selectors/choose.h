#pragma once

// From scores to a choice: what methods that rank have in common.

#include <cstdint>
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

// Puts what is missing of `keep` (ascending) in the places of the last features that need not stay.
// Returns whether anything changed. There must be as many features as there are to keep.
bool HoldKept(std::span<const int32_t> keep, std::vector<int>* features);

// The same for a choice. What it did not choose itself has no weight (NaN). Its model, which reads
// other columns then, goes.
void HoldKept(std::span<const int32_t> keep, Choice* choice);

// Scores of features from those of their encoded columns: the sum, the largest, or the Euclidean
// norm.
std::vector<double> SumByFeature(const FeatureLayout& layout, std::span<const double> columns);
std::vector<double> LargestByFeature(const FeatureLayout& layout, std::span<const double> columns);
std::vector<double> NormByFeature(const FeatureLayout& layout, std::span<const double> columns);

}  // namespace slm
