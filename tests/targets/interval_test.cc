// Intervals hold what they promise: of many samples, 95 % have the true value inside.

#include "targets/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string_view>

#include "base/random.h"
#include "slm/rows.h"
#include "targets/class_metrics.h"

namespace slm {
namespace {

struct Sample {
  Matrix scores;
  Dataset data;
};

Sample SampleOfClasses(size_t rows, RandomStream random) {
  Sample sample{.scores = Matrix(rows, 2), .data = {}};
  sample.data.x = MakeRows(Matrix(rows, 1));
  sample.data.y.classes = 2;
  for (size_t i = 0; i < rows; ++i) {
    const bool positive = random.Uniform() < 0.4;
    sample.data.y.index.push_back(positive ? 1 : 0);
    sample.scores(i, 1) = static_cast<float>(random.Normal() + (positive ? 0.5 : -0.5));
  }
  return sample;
}

Sample SampleOfValues(size_t rows, RandomStream random) {
  Sample sample{.scores = Matrix(rows, 1), .data = {}};
  sample.data.x = MakeRows(Matrix(rows, 1));
  sample.data.y.task = Task::kRegression;
  for (size_t i = 0; i < rows; ++i) {
    sample.data.y.value.push_back(static_cast<float>(random.Normal()));
    sample.scores(i, 0) = sample.data.y.value.back() + static_cast<float>(0.5 * random.Normal());
  }
  return sample;
}

std::optional<std::array<double, 2>> Interval(const Metric& metric, const Sample& sample) {
  const double value = metric.measure(sample.scores, sample.data, 1);
  return IntervalOf(metric, value, sample.scores, sample.data, 1);
}

void ExpectCoverage(std::string_view name, Task task, Sample (*draw)(size_t, RandomStream),
                    size_t rows) {
  const Metric& metric = FindMetric(name, task);
  const Sample large = draw(200000, RandomStream(1, 99));
  const double truth = metric.measure(large.scores, large.data, 1);
  constexpr int kSamples = 400;
  int inside = 0;
  for (int s = 0; s < kSamples; ++s) {
    const auto interval = Interval(metric, draw(rows, RandomStream(2, static_cast<uint64_t>(s))));
    ASSERT_TRUE(interval.has_value());
    inside += (*interval)[0] <= truth && truth <= (*interval)[1];
  }
  // 95 % less three standard errors of 400 samples, and one point for small samples.
  EXPECT_GE(inside, kSamples * 0.907) << name << " of " << rows << " rows";
  EXPECT_LE(inside, kSamples * 0.995) << name << " of " << rows << " rows";
}

TEST(IntervalOf, HoldsTheTrueValueAsOftenAsItSays) {
  ExpectCoverage("accuracy", Task::kClassification, SampleOfClasses, 30);
  ExpectCoverage("accuracy", Task::kClassification, SampleOfClasses, 200);
  ExpectCoverage("auc", Task::kClassification, SampleOfClasses, 100);
  ExpectCoverage("log_loss", Task::kClassification, SampleOfClasses, 100);
  ExpectCoverage("mae", Task::kRegression, SampleOfValues, 50);
  ExpectCoverage("r2", Task::kRegression, SampleOfValues, 200);
}

TEST(IntervalOf, IsNotAPointWhereEverythingIsRight) {
  Sample sample = SampleOfClasses(20, RandomStream(3, 0));
  for (size_t i = 0; i < 20; ++i) sample.scores(i, 1) = sample.data.y.index[i] == 1 ? 9.0f : -9.0f;
  const auto accuracy = Interval(FindMetric("accuracy", Task::kClassification), sample);
  ASSERT_TRUE(accuracy.has_value());
  EXPECT_NEAR((*accuracy)[0], 20 / (20 + 3.8415), 1e-4) << "Wilson's bound of 20 of 20";
  EXPECT_EQ((*accuracy)[1], 1);
  const auto auc = Interval(FindMetric("auc", Task::kClassification), sample);
  ASSERT_TRUE(auc.has_value());
  EXPECT_LT((*auc)[0], 0.8);
}

TEST(IntervalOf, IsEmptyWhereThereIsNothingToMeasure) {
  Sample one = SampleOfValues(1, RandomStream(3, 0));
  EXPECT_FALSE(Interval(FindMetric("mae", Task::kRegression), one).has_value());
  Sample sample = SampleOfClasses(20, RandomStream(3, 0));
  sample.data.y.index.assign(20, 0);
  EXPECT_FALSE(Interval(FindMetric("auc", Task::kClassification), sample).has_value());
}

}  // namespace
}  // namespace slm
