// The loss that predictors learn by, from the runs of a search to its final predictor.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "nn/fit.h"
#include "search/search.h"
#include "slm/errors.h"
#include "targets/losses.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

SlmOptions QuickOptions(std::string loss) {
  SlmOptions options;
  options.steps = 400;
  options.hidden_units = 16;
  options.starts = 1;
  options.filter_starts = 1;
  options.linear_starts = 0;
  options.cross_fit = CrossFit::kNever;
  options.final_predictors = 2;
  options.final_steps = 400;
  options.loss = std::move(loss);
  return options;
}

class SearchByLoss : public testing::TestWithParam<const LossKind*> {};

INSTANTIATE_TEST_SUITE_P(Losses, SearchByLoss, testing::ValuesIn(Losses().begin(), Losses().end()),
                         [](const auto& param) {
                           std::string name(param.param->name);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(SearchByLoss, FindsThePlantedFeatures) {
  const PlantedProblem planted(GetParam()->task, 400, 20, 3, 5);
  ThreadPool pool(2);
  Choice choice = SearchMask(planted.problem, 3, QuickOptions(std::string(GetParam()->name)), 1,
                             {.pool = &pool});
  std::sort(choice.features.begin(), choice.features.end());
  EXPECT_EQ(choice.features, (std::vector<int>{0, 1, 2}));
}

// Three quarters of the rows have the value -1 and the others 3, whatever their columns: squared
// errors ask for the mean, 0, and absolute ones for the median.
double MeanPredictionOf(const std::string& loss, int refits) {
  PlantedProblem planted(Task::kRegression, 400, 4, 1, 6);
  Problem& problem = planted.problem;
  for (Dataset* data : {&problem.train, &problem.valid}) {
    for (size_t i = 0; i < data->rows(); ++i) data->y.value[i] = i % 4 == 0 ? 3 : -1;
  }
  SlmOptions options = QuickOptions(loss);
  options.refits = refits;
  options.alpha = 0;  // E would ask for the mean, too
  ThreadPool pool(2);
  const Choice choice = SearchMask(problem, 1, options, 1, {.pool = &pool});
  const Matrix scores = Scores(choice.model, problem.valid);
  double sum = 0;
  for (size_t i = 0; i < scores.rows(); ++i) sum += scores(i, 0);
  return sum / static_cast<double>(scores.rows());
}

TEST(Search, RunsAndFinalPredictorsLearnByTheLossOfTheOptions) {
  for (const int refits : {0, 2}) {  // without refits the predictor of a run is the final one
    EXPECT_NEAR(MeanPredictionOf("squared", refits), 0, 0.25);
    EXPECT_NEAR(MeanPredictionOf("absolute", refits), -1, 0.25);
    EXPECT_EQ(MeanPredictionOf("auto", refits), MeanPredictionOf("absolute", refits));
  }
}

TEST(Search, ALossThatTheLabelsHaveNoUseForIsAUsageError) {
  const PlantedProblem planted(Task::kClassification, 100, 5, 2, 7);
  ThreadPool pool(1);
  try {
    SearchMask(planted.problem, 2, QuickOptions("squared"), 1, {.pool = &pool});
    ADD_FAILURE() << "it was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
    EXPECT_NE(std::string(error.what()).find("cross-entropy"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace slm
