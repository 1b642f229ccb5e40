#include <gtest/gtest.h>

#include <algorithm>

#include "slm/errors.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

Choice Choose(const Problem& problem, int k, const char* max_auc = "0.6") {
  return RunMethod("adversarial", problem, k, {{"trees", "60"}, {"max_auc", max_auc}});
}

// Columns 0 to 3 make the label. In the rows to come, 0 has moved, 5 has moved, and 7 has another
// spread.
struct DriftingProblem : PlantedProblem {
  explicit DriftingProblem(bool as_test) : PlantedProblem(Task::kClassification, 500, 12, 4, 1) {
    problem.test = {};
    Matrix x(200, 12);
    RandomStream random(2, 0);
    for (size_t i = 0; i < x.rows(); ++i) {
      for (size_t j = 0; j < 12; ++j) x(i, j) = static_cast<float>(random.Normal());
      x(i, 0) += 2;
      x(i, 5) -= 1.5f;
      x(i, 7) *= 5;
    }
    (as_test ? problem.test : problem.valid).x = MakeRows(std::move(x));
  }
};

bool Has(const Choice& choice, int feature) {
  return std::count(choice.features.begin(), choice.features.end(), feature) > 0;
}

TEST(Adversarial, DriftingColumnsAreDroppedAndRelevantOnesComeFirst) {
  for (bool as_test : {true, false}) {
    const DriftingProblem drifting(as_test);
    std::vector<int> first = Choose(drifting.problem, 3).features;
    std::sort(first.begin(), first.end());
    EXPECT_EQ(first, (std::vector<int>{1, 2, 3})) << as_test;
    const Choice most = Choose(drifting.problem, 9);
    for (int feature : {0, 5, 7}) {
      EXPECT_FALSE(Has(most, feature)) << feature;
      EXPECT_LT(most.scores[static_cast<size_t>(feature)], 0) << feature;
    }
  }
}

TEST(Adversarial, DriftThatIsAllowedDropsNothing) {
  const DriftingProblem drifting(true);
  std::vector<int> features = Choose(drifting.problem, 4, "1").features;
  std::sort(features.begin(), features.end());
  EXPECT_EQ(features, (std::vector<int>{0, 1, 2, 3}));
}

TEST(Adversarial, RowsFromOneSourceDropNothing) {
  const PlantedProblem planted(Task::kClassification, 60, 30, 4, 3);  // few rows: a wide AUC
  for (float score : Choose(planted.problem, 4, "0.5").scores) EXPECT_GE(score, 0);
}

TEST(Adversarial, WithoutOtherRowsSaysWhatItNeeds) {
  PlantedProblem planted(Task::kClassification, 60, 5, 2, 3);
  planted.problem.valid.x = planted.problem.test.x = MakeRows(Matrix(0, 5));
  try {
    Choose(planted.problem, 2);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kData);
  }
}

}  // namespace
}  // namespace slm
