#include <gtest/gtest.h>

#include <cstdlib>

#include "selectors/trees/xgboost_library.h"
#include "slm/errors.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

class Xgboost : public testing::Test {
 protected:
  void SetUp() override {
    if (!XgboostLibrary::Available()) GTEST_SKIP() << "libxgboost is not installed";
  }
};

TEST_F(Xgboost, ImportancesAreThoseOfThePythonPackage) {
  for (const char* name : {"xgboost_classes", "xgboost_two", "xgboost_values"}) {
    const Golden golden(name);
    const bool values = std::string(name) == "xgboost_values";
    Problem problem = golden.MakeProblem(values ? Task::kRegression : Task::kClassification);
    for (double w : golden.at("sample_weight")) {
      problem.train.weight.push_back(static_cast<float>(w));
    }
    for (const char* kind : {"gain", "total_gain", "weight", "cover", "total_cover"}) {
      const Choice choice = RunMethod(
          "xgboost", problem, 3,
          {{"importance", kind}, {"rounds", "15"}, {"max_depth", "3"}, {"learning_rate", "0.2"}});
      for (size_t j = 0; j < choice.scores.size(); ++j) {
        const double expected = golden.at(kind)[j];
        EXPECT_NEAR(double{choice.scores[j]}, expected, 1e-4 * expected)
            << name << " " << kind << " " << j;
      }
    }
  }
}

TEST_F(Xgboost, EarlyStoppingForgetsRoundsThatDidNotHelp) {
  PlantedProblem planted(Task::kClassification, 300, 6, 2, 1);
  RandomStream(1, 0).Shuffle(std::span(planted.problem.valid.y.index));  // nothing can help
  const Choice all = RunMethod("xgboost", planted.problem, 2, {{"importance", "weight"}});
  const Choice few =
      RunMethod("xgboost", planted.problem, 2, {{"importance", "weight"}, {"early_stopping", "3"}});
  double all_splits = 0, few_splits = 0;
  for (float x : all.scores) all_splits += double{x};
  for (float x : few.scores) few_splits += double{x};
  EXPECT_GT(few_splits, 0);
  EXPECT_LT(few_splits, all_splits / 5);
}

TEST_F(Xgboost, ColumnsOfOneFeatureCountTogether) {
  PlantedProblem planted(Task::kRegression, 200, 5, 3, 1);
  const Choice alone = RunMethod("xgboost", planted.problem, 2, {{"importance", "total_gain"}});
  planted.problem.layout.names.pop_back();
  planted.problem.layout.offsets = {0, 2, 3, 4, 5};
  const Choice joined = RunMethod("xgboost", planted.problem, 2, {{"importance", "total_gain"}});
  EXPECT_FLOAT_EQ(joined.scores[0], alone.scores[0] + alone.scores[1]);
}

TEST(XgboostLibrary, AMissingLibraryIsAFailureThatSaysHowToInstallIt) {
  const char* before = std::getenv("SLM_LIBXGBOOST");
  const std::string kept = before == nullptr ? "" : before;
  setenv("SLM_LIBXGBOOST", "/nowhere/libxgboost.so", 1);
  EXPECT_FALSE(XgboostLibrary::Available());
  try {
    XgboostLibrary::Load();
    ADD_FAILURE() << "loaded";
  } catch (const RuntimeFailure& error) {
    for (const char* part : {"/nowhere/libxgboost.so", "libxgboost0", "pip install xgboost"}) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  before == nullptr ? unsetenv("SLM_LIBXGBOOST") : setenv("SLM_LIBXGBOOST", kept.c_str(), 1);
}

}  // namespace
}  // namespace slm
