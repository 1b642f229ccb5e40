// The small parts around the mask: tempering, its start from a filter, and its update rules.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mask/mask_update.h"
#include "mask/tempering.h"
#include "search/filter_start.h"
#include "tests/data/cells.h"
#include "tests/mask/small_problem.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

std::vector<size_t> Plateaus(const Tempering& tempering, int steps) {
  std::vector<size_t> counts;
  for (int step = 0; step < steps; ++step) {
    if (counts.empty() || counts.back() != tempering.Features(step)) {
      counts.push_back(tempering.Features(step));
    }
  }
  return counts;
}

TEST(Tempering, ThePapersFallFrom784To50IsEvenInFiveDropsOverHalfOfTheSteps) {
  const Tempering tempering(784, 50, Schedule::kLinear, 5, 0.5, 1000);
  EXPECT_EQ(Plateaus(tempering, 1000), (std::vector<size_t>{784, 637, 490, 344, 197, 50}));
  EXPECT_EQ(tempering.Features(99), 784u);
  EXPECT_EQ(tempering.Features(100), 637u);
  EXPECT_EQ(tempering.Features(499), 197u);
  EXPECT_EQ(tempering.Features(500), 50u);
  EXPECT_EQ(tempering.Features(999), 50u);
}

TEST(Tempering, TheGeometricFallKeepsTheSameShareAtEveryDrop) {
  const Tempering tempering(1024, 1, Schedule::kGeometric, 10, 1.0, 100);
  EXPECT_EQ(Plateaus(tempering, 101),
            (std::vector<size_t>{1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1}));
}

TEST(Tempering, NeverRisesAndEndsAtK) {
  for (Schedule schedule : {Schedule::kLinear, Schedule::kGeometric}) {
    for (int drops : {1, 2, 7, 1000}) {
      for (double share : {0.0, 0.01, 0.7, 1.0}) {
        const Tempering tempering(37, 5, schedule, drops, share, 100);
        size_t before = 37;
        for (int step = 0; step < 100; ++step) {
          ASSERT_LE(tempering.Features(step), before);
          before = tempering.Features(step);
          ASSERT_GE(before, 5u);
          if (step >= 100 * share) {
            ASSERT_EQ(before, 5u);
          }
        }
      }
    }
  }
}

TEST(Tempering, NoneBeginsWithK) {
  EXPECT_EQ(Tempering(100, 7, Schedule::kNone, 5, 0.5, 50).Features(0), 7u);
}

// The textbook F statistic of one column, rows counted by weight.
double PlainAnova(const Dataset& data, size_t column) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  std::vector<double> weight(classes), mean(classes);
  double all_weight = 0, all_mean = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    const double w = data.weight.empty() ? 1 : data.weight[i];
    const size_t c = static_cast<size_t>(data.y.index[i]);
    weight[c] += w;
    mean[c] += w * static_cast<double>(Cells(data)(i, column));
    all_weight += w;
    all_mean += w * static_cast<double>(Cells(data)(i, column));
  }
  all_mean /= all_weight;
  double between = 0, within = 0;
  for (size_t c = 0; c < classes; ++c) {
    mean[c] /= weight[c];
    between += weight[c] * (mean[c] - all_mean) * (mean[c] - all_mean);
  }
  for (size_t i = 0; i < data.rows(); ++i) {
    const double w = data.weight.empty() ? 1 : data.weight[i];
    const double rest =
        static_cast<double>(Cells(data)(i, column)) - mean[static_cast<size_t>(data.y.index[i])];
    within += w * rest * rest;
  }
  const double k = static_cast<double>(classes);
  return (between / (k - 1)) / (within / (all_weight - k));
}

TEST(AnovaScores, AreTheFStatisticOverClasses) {
  for (bool weighted : {false, true}) {
    const SmallProblem small(SmallTask::kManyClasses, weighted, 3);
    const std::vector<double> scores = AnovaScores(small.problem.layout, small.problem.train);
    ASSERT_EQ(scores.size(), SmallProblem::kFeatures);
    for (size_t j : {0u, 1u, 2u, 4u, 5u}) {
      const size_t column = static_cast<size_t>(small.problem.layout.offsets[j]);
      const double expected = PlainAnova(small.problem.train, column);
      EXPECT_NEAR(scores[j], expected, 1e-9 * expected);
    }
    double best_level = 0;
    for (size_t column : {3u, 4u, 5u}) {
      best_level = std::max(best_level, PlainAnova(small.problem.train, column));
    }
    EXPECT_NEAR(scores[3], best_level, 1e-9 * best_level);
  }
}

TEST(AnovaScores, OfValuesAreThatOfTheCorrelation) {
  const SmallProblem small(SmallTask::kRegression, false, 4);
  const Dataset& data = small.problem.train;
  const double n = static_cast<double>(data.rows());
  const std::vector<double> scores = AnovaScores(small.problem.layout, data);
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    const double a = Cells(data)(i, 0), b = data.y.value[i];
    x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  const double r2 = std::pow(n * xy - x * y, 2) / ((n * xx - x * x) * (n * yy - y * y));
  EXPECT_NEAR(scores[0], r2 / (1 - r2) * (n - 2), 1e-6 * scores[0]);
}

TEST(AnovaScores, AConstantColumnScoresNothingAndAPerfectOneIsFinite) {
  SmallProblem small(SmallTask::kBinary, false, 5);
  for (size_t i = 0; i < SmallProblem::kRows; ++i) {
    Cells(small.problem.train)(i, 0) = 7;
    Cells(small.problem.train)(i, 1) = static_cast<float>(small.problem.train.y.index[i]);
  }
  const std::vector<double> scores = AnovaScores(small.problem.layout, small.problem.train);
  EXPECT_EQ(scores[0], 0);
  EXPECT_TRUE(std::isfinite(scores[1]));
  for (size_t j = 2; j < scores.size(); ++j) EXPECT_GT(scores[1], scores[j]);
}

TEST(DistinctScores, ACopyOfAStrongFeatureFallsBehindAWeakerOne) {
  PlantedProblem planted(Task::kClassification, 400, 30, 2, 3);
  Dataset& train = planted.problem.train;
  RandomStream random(5, 0);
  for (size_t i = 0; i < train.rows(); ++i) {
    Cells(train)(i, 0) *= 2;  // neither scale nor sign of a copy matters
    Cells(train)(i, 2) = -Cells(train)(i, 0) + static_cast<float>(0.1 * random.Normal());
  }
  const std::vector<double> alone = AnovaScores(planted.problem.layout, train);
  const std::vector<double> two = DistinctScores(planted.problem.layout, train, 2);
  ASSERT_GT(alone[2], 0.8 * alone[0]);
  const double strongest = std::max(two[0], two[2]), copy = std::min(two[0], two[2]);
  EXPECT_GT(strongest, 0.9 * std::max(alone[0], alone[2]));
  EXPECT_LT(copy, 0.1 * strongest);
  EXPECT_GT(two[1], 0.9 * alone[1]) << "it says something else";
  EXPECT_GT(two[1], copy);
}

TEST(DistinctScores, OfOneFeatureLeaveItsRivalsInOrder) {
  const PlantedProblem planted(Task::kRegression, 300, 12, 3, 4);
  const std::vector<double> alone = AnovaScores(planted.problem.layout, planted.problem.train);
  const std::vector<double> one = DistinctScores(planted.problem.layout, planted.problem.train, 1);
  const size_t best =
      static_cast<size_t>(std::max_element(alone.begin(), alone.end()) - alone.begin());
  for (size_t j = 0; j < alone.size(); ++j) {
    if (j == best) {
      EXPECT_EQ(one[j], alone[j]);
    } else {
      EXPECT_LE(one[j], alone[j]);
      EXPECT_GT(one[j], 0.9 * alone[j]) << "independent columns share next to nothing";
    }
  }
}

TEST(FilterStart, HasMeanOneAndTheGivenSpread) {
  const std::vector<float> start = FilterStart(std::vector<double>{0, 1, 4, 9, 16}, 3);
  double mean = 0, square = 0;
  for (float v : start) mean += static_cast<double>(v) / 5;
  for (float v : start) square += std::pow(static_cast<double>(v) - mean, 2) / 5;
  EXPECT_NEAR(mean, 1, 1e-6);
  EXPECT_NEAR(std::sqrt(square), 3, 1e-6);
  EXPECT_TRUE(std::is_sorted(start.begin(), start.end()));
  EXPECT_EQ(FilterStart(std::vector<double>{2, 2}, 3), (std::vector<float>{1, 1}));
}

TEST(MaskUpdater, ANormalisedStepHasItsSizeWhateverTheGradient) {
  for (float size : {1e-12f, 1.0f, 1e12f}) {
    SlmOptions options;
    options.mask_rate = 0.25;
    Mask mask(6);
    for (size_t j = 0; j < 6; ++j) mask.argument()[j] = 10 - static_cast<float>(j);
    const std::vector<float> before(mask.argument().begin(), mask.argument().end());
    mask.Update(4);
    MaskUpdater updater(6, options);
    updater.Apply(mask, std::vector<float>{3 * size, size, -size, 2 * size}, {});
    double mean = 0, square = 0;
    for (size_t j = 0; j < 4; ++j) {
      const double move = static_cast<double>(mask.argument()[j]) - static_cast<double>(before[j]);
      mean += move / 4;
      square += move * move / 4;
    }
    EXPECT_NEAR(mean, 0, 1e-5);
    EXPECT_NEAR(std::sqrt(square), 0.25, 1e-5);
    EXPECT_LT(mask.argument()[0], before[0]);  // against the gradient
    EXPECT_GT(mask.argument()[2], before[2]);
    EXPECT_EQ(mask.argument()[4], before[4]);
    EXPECT_EQ(mask.argument()[5], before[5]);
  }
}

TEST(MaskUpdater, WithoutAGradientNothingMoves) {
  for (MaskUpdate rule : {MaskUpdate::kNormalised, MaskUpdate::kAdam}) {
    SlmOptions options;
    options.mask_update = rule;
    Mask mask(4);
    mask.Update(3);
    MaskUpdater updater(4, options);
    updater.Apply(mask, std::vector<float>(3, 0.5f), {});  // equal for all: shifts change nothing
    for (float v : mask.argument()) EXPECT_EQ(v, 1.0f);
  }
}

}  // namespace
}  // namespace slm
