#include "selectors/trees/boruta.h"

#include <gtest/gtest.h>

#include <set>

#include "base/thread_pool.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

class BorutaAgainstBorutaPy : public testing::TestWithParam<Task> {
 protected:
  void ExpectVerdicts(const std::string& key, BorutaOptions options) const {
    const Golden golden("boruta");
    const bool classes = GetParam() == Task::kClassification;
    const Problem problem =
        golden.MakeProblem(GetParam(), classes ? "x" : "value_x", classes ? "y" : "value");
    ThreadPool pool(2);
    const Context context{.pool = &pool};
    options.rounds = golden.ints("rounds")[0];
    Boruta boruta(problem, options, 1, context);
    boruta.Run();
    const std::vector<int> sure = golden.ints((classes ? "classes_" : "values_") + key);
    for (size_t j = 0; j < sure.size(); ++j) {
      if (sure[j] == 0) continue;
      EXPECT_EQ(boruta.verdict(j), sure[j] == 1 ? HitVerdict::kConfirmed : HitVerdict::kRejected)
          << key << ", feature " << j;
    }
  }
};

TEST_P(BorutaAgainstBorutaPy, DecidesAlikeInTwoSteps) { ExpectVerdicts("two_step", {}); }

TEST_P(BorutaAgainstBorutaPy, DecidesAlikeByBonferroni) {
  ExpectVerdicts("one_step", {.test = {.two_step = false}});
}

TEST_P(BorutaAgainstBorutaPy, DecidesAlikeByAPercentileOfTheShadows) {
  ExpectVerdicts("percentile", {.percentile = 80});
}

INSTANTIATE_TEST_SUITE_P(Tasks, BorutaAgainstBorutaPy,
                         testing::Values(Task::kClassification, Task::kRegression),
                         [](const auto& task) {
                           return task.param == Task::kClassification ? "Classes" : "Values";
                         });

TEST(Boruta, ConfirmsWhatMattersAndRejectsMostNoise) {
  const PlantedProblem planted(Task::kClassification, 400, 12, 3, 1);
  ThreadPool pool(2);
  const Context context{.pool = &pool};
  Boruta boruta(planted.problem, {.rounds = 50}, 0, context);
  boruta.Run();
  for (size_t j = 0; j < 3; ++j) EXPECT_EQ(boruta.verdict(j), HitVerdict::kConfirmed) << j;
  int rejected = 0;
  for (size_t j = 3; j < 12; ++j) rejected += boruta.verdict(j) == HitVerdict::kRejected;
  EXPECT_GE(rejected, 6);
  const Choice choice = boruta.Choose(5);
  EXPECT_EQ(std::set<int>(choice.features.begin(), choice.features.begin() + 3),
            (std::set<int>{0, 1, 2}));
}

TEST(Boruta, TheColumnsOfAFeatureAreShuffledAndJudgedTogether) {
  const GroupedProblem grouped(300, 3);
  ThreadPool pool(2);
  const Context context{.pool = &pool};
  Boruta boruta(grouped.problem, {.rounds = 50}, 0, context);
  boruta.Run();
  EXPECT_EQ(boruta.verdict(GroupedProblem::kText), HitVerdict::kConfirmed);
  EXPECT_EQ(boruta.verdict(GroupedProblem::kNumber), HitVerdict::kConfirmed);
}

TEST(Boruta, RowsWithoutWeightSayNothing) {
  PlantedProblem planted(Task::kRegression, 300, 8, 2, 2);
  Dataset& train = planted.problem.train;
  // In the rows without weight another column is the target.
  for (size_t i = 0; i < 300; ++i) {
    train.weight.push_back(i < 200 ? 1.5f : 0.0f);
    if (i >= 200) train.y.value[i] = 100 * Cells(train)(i, 6);
  }
  const Choice choice = RunMethod("boruta", planted.problem, 2, {{"rounds", "30"}});
  EXPECT_EQ(std::set<int>(choice.features.begin(), choice.features.end()), (std::set<int>{0, 1}));
}

}  // namespace
}  // namespace slm
