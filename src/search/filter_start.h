#pragma once

// A start for the mask that leans on a filter: features whose ANOVA score is high begin ahead.

#include <span>
#include <vector>

#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

// The F statistic of each feature over the classes, or of its correlation with the value. A feature
// of several encoded columns has the largest of theirs. Rows count by their weights. A context
// lends its threads, without changing a bit, and may end the work early: features not reached score
// 0.
std::vector<double> AnovaScores(const FeatureLayout& layout, const Dataset& data,
                                const Context* context = nullptr);

// The same scores for a choice of k features that do not repeat each other: features are taken in
// order of score, and each one taken lowers the others by the share of their variance that it
// explains. A copy of a strong feature so begins behind a weak one that says something new.
// Correlations are those of at most 500 rows, and are needed for ten features for each one taken.
std::vector<double> DistinctScores(const FeatureLayout& layout, const Dataset& data, int k,
                                   const Context* context = nullptr);

// v_j = 1 + strength z_j with z the standardised square root of the score, which is the scale of a
// correlation or a t statistic.
std::vector<float> FilterStart(std::span<const double> scores, double strength);

}  // namespace slm
