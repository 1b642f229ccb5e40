#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/thread_pool.h"
#include "selectors/portfolio/set_judge.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

TEST(SetJudge, TellsTheRightFeaturesFromOthers) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem planted(task, 600, 12, 3, 5);
    const SetJudge judge(planted.problem, {0, 1, 2, 5, 6, 9}, 1);
    ThreadPool pool(2);
    const Context context{.pool = &pool};
    const FoldQualities right = judge.Judge("right", std::vector{0, 1, 2}, context);
    const FoldQualities wrong = judge.Judge("wrong", std::vector{5, 6, 9}, context);
    ASSERT_EQ(right.size(), static_cast<size_t>(SetJudge::kFolds));
    const Lead lead = LeadOf(right, wrong);
    EXPECT_GT(lead.mean, 5 * lead.error);
    EXPECT_EQ(judge.Judge("again", std::vector{2, 0, 1}, context), right);
  }
}

TEST(SetJudge, SaysNothingWhenStopped) {
  const PlantedProblem planted(Task::kRegression, 200, 6, 2, 5);
  const SetJudge judge(planted.problem, {0, 1}, 1);
  ThreadPool pool(2);
  EXPECT_TRUE(
      judge.Judge("late", std::vector{0, 1}, {.pool = &pool, .deadline = Context::Clock::now()})
          .empty());
}

TEST(LeadOf, IsTheMeanDifferenceWithItsStandardError) {
  const Lead lead = LeadOf({3, 5, 4, 4}, {1, 2, 3, 2});
  EXPECT_DOUBLE_EQ(lead.mean, 2);
  EXPECT_DOUBLE_EQ(lead.error, std::sqrt((0 + 1 + 1 + 0) / 3.0 / 4));
}

TEST(Auto, JudgesTheSetsOfItsMethodsAndTheirVote) {
  const PlantedProblem planted(Task::kClassification, 700, 20, 3, 5);
  const Choice choice = RunMethod("auto", planted.problem, 3);
  std::vector<int> features = choice.features;
  std::sort(features.begin(), features.end());
  EXPECT_EQ(features, (std::vector<int>{0, 1, 2}));
  ASSERT_EQ(choice.tried.size(), 5u);
  EXPECT_EQ(choice.tried[0].name, "slm");
  EXPECT_EQ(choice.tried[4].name, "vote of slm, rfe, mrmr and rf");
  EXPECT_EQ(std::count_if(choice.tried.begin(), choice.tried.end(),
                          [](const TriedSet& set) { return set.taken; }),
            1);
  for (const TriedSet& set : choice.tried) EXPECT_TRUE(set.judged) << set.name;
  EXPECT_FALSE(choice.tried[0].lead);
}

TEST(Auto, JudgesSetsWithWhatIsKept) {
  PlantedProblem planted(Task::kClassification, 700, 20, 3, 5);
  planted.problem.keep = {15};
  const Choice choice = RunMethod("auto", planted.problem, 1);
  EXPECT_EQ(choice.features, std::vector<int>{15});
  ASSERT_EQ(choice.tried.size(), 5u);
  for (size_t i = 1; i < 5; ++i) EXPECT_EQ(choice.tried[i].lead, 0) << i;  // the same set
}

TEST(Auto, TakesAVoteWhereRowsAreFew) {
  const PlantedProblem planted(Task::kClassification, 60, 300, 3, 5);
  const Choice choice = RunMethod("auto", planted.problem, 5);
  ASSERT_EQ(choice.tried.size(), 1u);
  EXPECT_EQ(choice.tried[0].name, "vote of slm, rfe and mrmr");
  EXPECT_FALSE(choice.tried[0].judged);
  EXPECT_EQ(std::set<int>(choice.features.begin(), choice.features.end()).size(), 5u);
}

}  // namespace
}  // namespace slm
