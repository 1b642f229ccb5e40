#include "jobs/stability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "selectors/catalog.h"
#include "slm/errors.h"
#include "tests/jobs/planted_table.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

std::vector<std::vector<int>> SetsOf(const Matrix& indicators) {
  std::vector<std::vector<int>> sets(indicators.rows());
  for (size_t i = 0; i < indicators.rows(); ++i) {
    for (size_t j = 0; j < indicators.cols(); ++j) {
      if (indicators(i, j) != 0) sets[i].push_back(static_cast<int>(j));
    }
  }
  return sets;
}

TEST(MeasureStability, AgreesWithNumPy) {
  const Golden golden("stability");
  for (const std::string name : {"equal", "lot", "mixed", "pair"}) {
    const Matrix indicators = golden.matrix(name);
    const std::vector<std::vector<int>> sets = SetsOf(indicators);
    const StabilityIndex index = MeasureStability(sets, indicators.cols());
    const std::vector<double>& expected = golden.at(name + "_index");
    EXPECT_NEAR(index.index, expected[0], 1e-12) << name;
    EXPECT_NEAR(index.variance, expected[1], 1e-12) << name;
    EXPECT_NEAR(index.interval[0], expected[2], 1e-12) << name;
    EXPECT_NEAR(index.interval[1], expected[3], 1e-12) << name;
    const PairOverlap overlap = MeasureOverlap(sets);
    EXPECT_NEAR(overlap.jaccard, golden.at(name + "_overlap")[0], 1e-12) << name;
    EXPECT_NEAR(overlap.shared, golden.at(name + "_overlap")[1], 1e-12) << name;
  }
}

TEST(MeasureStability, IsOneForEqualSetsAndUndefinedWhereChanceDecidesNothing) {
  const std::vector<std::vector<int>> same(5, {1, 3});
  EXPECT_DOUBLE_EQ(MeasureStability(same, 6).index, 1);
  EXPECT_NEAR(MeasureStability(same, 6).variance, 0, 1e-15);
  const std::vector<std::vector<int>> every(5, {0, 1});
  EXPECT_TRUE(std::isnan(MeasureStability(every, 2).index));
  EXPECT_TRUE(std::isnan(MeasureStability(std::span(same).first(1), 6).index));
  EXPECT_TRUE(std::isnan(MeasureOverlap(std::span(same).first(1)).jaccard));
}

ComparedMethod Named(const std::string& name) { return {name, FindMethod(name).make}; }

class Failing : public Selector {
 public:
  Choice Select(const Problem&, int, uint64_t, const Context&) override {
    throw DataError("it cannot do this");
  }
};

StabilitySpec ResampleRequest() {
  StabilitySpec request;
  request.select.target = "y";
  request.select.k = 3;
  request.select.split = {0.875, 0.125, 0};
  request.resamples = 6;
  request.methods = {Named("random"), Named("anova")};
  return request;
}

StabilityResult Measure(const StabilitySpec& request, bool classes = true, int threads = 2) {
  ThreadPool pool(threads);
  const Tables tables{PlantedTable(300, 9, classes, 1), std::nullopt, std::nullopt};
  return CompareStability(tables, request, {.pool = &pool});
}

TEST(CompareStability, RanksAMethodThatFindsThePlantedColumnsAboveRandom) {
  for (bool classes : {true, false}) {
    for (const std::optional<double>& subsample : {std::optional(0.5), std::optional<double>()}) {
      StabilitySpec request = ResampleRequest();
      request.subsample = subsample;
      const StabilityResult result = Measure(request, classes);
      ASSERT_EQ(result.rows.size(), 2u);
      const StabilityRow &best = result.rows[0], &worst = result.rows[1];
      EXPECT_EQ(best.method, "anova");
      EXPECT_GT(best.stability.index, 0.7);
      EXPECT_LT(worst.stability.index, 0.5);
      EXPECT_EQ(best.sets.size(), 6u);
      EXPECT_EQ(result.features, 9u);
      EXPECT_EQ(best.frequencies[0].frequency, 1);
      EXPECT_LT(best.frequencies[0].index, 3);
    }
  }
}

TEST(CompareStability, FrequenciesCountTheSets) {
  const StabilityResult result = Measure(ResampleRequest());
  for (const StabilityRow& row : result.rows) {
    double sum = 0;
    for (const FeatureFrequency& feature : row.frequencies) {
      size_t count = 0;
      for (const std::vector<int>& set : row.sets) {
        count += static_cast<size_t>(std::count(set.begin(), set.end(), feature.index));
      }
      EXPECT_DOUBLE_EQ(feature.frequency, static_cast<double>(count) / 6);
      sum += feature.frequency;
    }
    EXPECT_NEAR(sum, 3, 1e-12);
  }
}

TEST(CompareStability, AMethodThatFailsIsARowWithItsReason) {
  StabilitySpec request = ResampleRequest();
  request.methods.insert(request.methods.begin(),
                         {"failing", [] { return std::make_unique<Failing>(); }});
  const StabilityResult result = Measure(request);
  EXPECT_EQ(result.rows.back().method, "failing");
  EXPECT_EQ(result.rows.back().failure, "it cannot do this");
  EXPECT_NE(result.ToJson().Dump().find("\"stability\":null"), std::string::npos);
}

TEST(CompareStability, ThreadsChangeNoBit) {
  StabilitySpec request = ResampleRequest();
  request.methods.push_back(Named("rf"));
  const StabilityResult one = Measure(request, true, 1);
  const StabilityResult many = Measure(request, true, 8);
  for (size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].method, many.rows[i].method);
    EXPECT_EQ(one.rows[i].sets, many.rows[i].sets);
  }
}

}  // namespace
}  // namespace slm
