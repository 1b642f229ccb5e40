#include <gtest/gtest.h>

#include <algorithm>

#include "base/thread_pool.h"
#include "numerics/kmeans.h"
#include "tests/data/cells.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

Choice ChooseByPfa(const Problem& problem, int k, const char* variability = "0.9") {
  return RunMethod("pfa", problem, k, {{"variability", variability}, {"restarts", "1000"}});
}

std::vector<int> Sorted(std::vector<int> features) {
  std::sort(features.begin(), features.end());
  return features;
}

// More rows than columns, and fewer: the two forms of the decomposition.
TEST(Pfa, ChoosesWhatTheNumpyFormChooses) {
  for (const char* name : {"pfa", "pfa_wide"}) {
    const Golden golden(name);
    const Problem problem = golden.MakeProblem(Task::kRegression);
    for (int k : {2, 4, 6, 9}) {
      EXPECT_EQ(Sorted(ChooseByPfa(problem, k).features), golden.ints("k" + std::to_string(k)))
          << name << " " << k;
    }
    EXPECT_EQ(Sorted(ChooseByPfa(problem, 4, "0.5").features), golden.ints("few")) << name;
  }
}

TEST(Pfa, ScoresOfChosenFeaturesCountTheFeaturesTheyStandFor) {
  const Problem problem = Golden("pfa").MakeProblem(Task::kRegression);
  const Choice choice = ChooseByPfa(problem, 4);
  double sum = 0;
  for (int j : choice.features) sum += double{choice.scores[static_cast<size_t>(j)]};
  EXPECT_EQ(sum, 16);
  for (size_t j = 0; j < 16; ++j) EXPECT_EQ(choice.scores[j] >= 1, choice.weights[j] > 0);
}

TEST(Pfa, ARowOfWeightTwoIsTwoRows) {
  PlantedProblem twice(Task::kRegression, 60, 8, 2, 1), weighted(Task::kRegression, 60, 8, 2, 1);
  Matrix more(90, 8);
  for (size_t i = 0; i < 90; ++i) {
    std::copy_n(Cells(twice.problem.train).row(i % 60), 8, more.row(i));
  }
  twice.problem.train.x = MakeRows(more);
  weighted.problem.train.weight.assign(60, 1);
  std::fill_n(weighted.problem.train.weight.begin(), 30, 2.0f);
  EXPECT_EQ(ChooseByPfa(twice.problem, 4).features, ChooseByPfa(weighted.problem, 4).features);
}

TEST(KMeans, FindsClustersThatAreApartAndFillsEveryOneOfThem) {
  RandomStream random(1, 0);
  Matrix points(40, 3);
  for (size_t i = 0; i < 40; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      points(i, j) = static_cast<float>(10 * double(i % 4 == j + 1) + 0.1 * random.Normal());
    }
  }
  ThreadPool pool(2);
  const Context context{.pool = &pool};
  const Clusters clusters = KMeans(points, 4, 5, 0, context);
  for (size_t i = 4; i < 40; ++i) EXPECT_EQ(clusters.cluster[i], clusters.cluster[i % 4]);
  EXPECT_LT(clusters.inertia, 40 * 3 * 0.02);

  const Clusters equal = KMeans(Matrix(7, 3), 5, 2, 0, context);  // all points are the same
  for (int32_t c = 0; c < 5; ++c) {
    EXPECT_GT(std::count(equal.cluster.begin(), equal.cluster.end(), c), 0) << c;
  }
}

}  // namespace
}  // namespace slm
