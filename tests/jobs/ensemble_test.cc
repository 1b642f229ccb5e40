#include "jobs/ensemble.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "jobs/select.h"
#include "selectors/catalog.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

// Takes feature 0 always, and one of the others by its seed: 1, 2, 2, 3.
class BySeed : public Selector {
 public:
  Choice Select(const Problem& problem, int, uint64_t seed, const Context&) override {
    constexpr int kSecond[] = {1, 2, 2, 3};
    Choice choice;
    choice.features = {0, kSecond[seed % 4]};
    choice.weights.assign(problem.layout.features(), 0.0f);
    choice.scores = choice.weights;
    choice.weights[0] = 0.75f;
    choice.weights[static_cast<size_t>(choice.features[1])] = 0.25f;
    return choice;
  }
};

TEST(SelectByMean, TakesTheLargestMeanWeightsAndCountsWhoChoseThem) {
  ThreadPool pool(1);
  Problem problem;
  problem.layout.names = {"a", "b", "c", "d"};
  BySeed selector;
  const EnsembleChoice ensemble = SelectByMean(problem, 2, 0, 4, selector, {.pool = &pool});
  EXPECT_EQ(ensemble.choice.features, std::vector<int>({0, 2}));
  EXPECT_EQ(ensemble.frequency, std::vector<double>({1, 0.5}));
  EXPECT_EQ(ensemble.choice.weights, std::vector<float>({0.75f, 0, 0.125f, 0}));
}

// As BySeed, with a predictor of its own for what the vote chose.
class BySeedWithPredictor : public BySeed {
 public:
  Model FitOn(const Problem& problem, std::span<const int> features, uint64_t seed,
              const Context& context) override {
    asked.assign(features.begin(), features.end());
    return FindMethod("slm").make()->FitOn(problem, features, seed, context);
  }
  std::vector<int> asked;
};

SelectionResult VoteOnPlantedTable(Selector& selector, int k, int votes) {
  ThreadPool pool(2);
  const Tables tables{PlantedTable(300, 9, true, 1), std::nullopt, std::nullopt};
  SelectionSpec request;
  request.target = "y";
  request.k = k;
  request.ensemble = votes;
  return SelectFromTable(tables, request, "a method", selector, {.pool = &pool});
}

TEST(SelectFromTable, TheMethodFitsThePredictorOfWhatAnEnsembleChose) {
  BySeedWithPredictor selector;
  VoteOnPlantedTable(selector, 2, 4);
  EXPECT_EQ(selector.asked, std::vector<int>({0, 2}));
}

TEST(SelectFromTable, AnEnsembleReportsFrequenciesInJson) {
  const std::unique_ptr<Selector> selector = FindMethod("random").make();
  const SelectionResult result = VoteOnPlantedTable(*selector, 3, 3);
  ASSERT_EQ(result.selected.size(), 3u);
  for (const SelectedFeature& feature : result.selected) {
    EXPECT_GE(feature.frequency.value(), 1.0 / 3 - 1e-9);
  }
  const std::string json = result.ToJson().Dump();
  EXPECT_NE(json.find("\"frequency\":"), std::string::npos);
  EXPECT_NE(json.find("\"ensemble\":3"), std::string::npos);
}

}  // namespace
}  // namespace slm
