#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "nn/fit.h"
#include "nn/mlp.h"
#include "selectors/catalog.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

std::string OptionOf(Selector& selector, const std::string& name) {
  OptionList list;
  selector.DescribeOptions(list);
  return list.Find(name)->get();
}

TEST(SlmVariants, AreSlmWithAnotherObjectiveOrMaskUnderEitherPreset) {
  struct Case {
    const char *method, *option, *value;
  };
  for (const Case& c :
       {Case{"slm", "objective", "mi"}, Case{"slm", "mask_scale", "left-end"},
        Case{"slm-hsic", "objective", "hsic"}, Case{"softmax-topk", "mask_scale", "softmax-top-k"},
        Case{"sparsemax-free", "mask_scale", "none"}}) {
    std::unique_ptr<Selector> selector = FindMethod(c.method).make();
    EXPECT_EQ(OptionOf(*selector, c.option), c.value) << c.method;
    OptionList list;
    selector->DescribeOptions(list);
    list.Set("preset", "paper");
    const std::string paper = std::string(c.value) == "left-end" ? "nearest-one" : c.value;
    EXPECT_EQ(OptionOf(*selector, c.option), paper) << c.method;
    EXPECT_EQ(OptionOf(*selector, "mask_rate"), "0.001") << c.method;
  }
}

// The way of few rows: no validation decides, and predictor and columns belong to one mean mask.
TEST(Slm, FindsPlantedColumnsWhereRowsAreFewAndColumnsMany) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    const PlantedProblem planted(Task::kClassification, 100, 400, 6, seed);
    const Choice choice = RunMethod("slm", planted.problem, 6, {{"final_steps", "50"}});
    std::vector<int32_t> ascending(choice.features.begin(), choice.features.end());
    std::sort(ascending.begin(), ascending.end());
    EXPECT_EQ(choice.model.columns, ascending);
    const auto found =
        std::count_if(ascending.begin(), ascending.end(), [](int32_t j) { return j < 6; });
    EXPECT_GE(found, 5);
  }
}

TEST(Slm, FitsGivenColumnsByItsOptionsInAnyOrderOnAnyThreads) {
  const PlantedProblem planted(Task::kClassification, 300, 12, 4, 1);
  const std::unique_ptr<Selector> selector = FindMethod("slm").make();
  OptionList list;
  selector->DescribeOptions(list);
  list.Set("final_predictors", "2");
  list.Set("final_units", "7");
  list.Set("final_steps", "50");
  ThreadPool one(1), two(2);
  const Model model =
      selector->FitOn(planted.problem, std::array{7, 0, 3}, /*seed=*/4, {.pool = &one});
  const Model other =
      selector->FitOn(planted.problem, std::array{0, 3, 7}, /*seed=*/4, {.pool = &two});
  EXPECT_EQ(model.columns, (std::vector<int32_t>{0, 3, 7}));
  // The mean of two with 7 units each is one with 14.
  EXPECT_EQ(dynamic_cast<const Mlp&>(*model.predictor).input_layer().outputs(), 14u);
  const Matrix scores = Scores(model, planted.problem.valid);
  const Matrix others = Scores(other, planted.problem.valid);
  for (size_t i = 0; i < scores.rows(); ++i) {
    for (size_t c = 0; c < scores.cols(); ++c) EXPECT_EQ(scores(i, c), others(i, c));
  }
}

// Without refits the model is the one that was trained with the mask: it, too, must have k columns.
TEST(SparsemaxFree, KeepsAModelOfExactlyKColumnsWhateverTheSupportWas) {
  const PlantedProblem planted(Task::kClassification, 300, 30, 4, 1);
  for (const char* rate : {"0.00001", "0.01"}) {  // the support stays large, and collapses
    const Choice choice = RunMethod("sparsemax-free", planted.problem, 8,
                                    {{"preset", "paper"}, {"epochs", "20"}, {"mask_rate", rate}});
    ASSERT_EQ(choice.features.size(), 8u);
    std::vector<int32_t> ascending(choice.features.begin(), choice.features.end());
    std::sort(ascending.begin(), ascending.end());
    EXPECT_EQ(choice.model.columns, ascending);
    for (int j : choice.features) EXPECT_GT(choice.weights[static_cast<size_t>(j)], 0);
  }
}

TEST(SlmVariants, GiveSetsForManyKWhetherTheMaskWalksThroughThemOrNot) {
  const PlantedProblem planted(Task::kClassification, 300, 30, 4, 1);
  ThreadPool pool(2);
  for (const char* method : {"slm", "sparsemax-free"}) {
    std::unique_ptr<Selector> selector = FindMethod(method).make();
    OptionList list;
    selector->DescribeOptions(list);
    for (const auto& [name, value] : {std::pair("steps", "200"), std::pair("cross_fit", "never"),
                                      std::pair("final_steps", "50")}) {
      list.Set(name, value);
    }
    const std::vector<int> ks = {2, 5, 30};
    std::set<int> seen;
    for (const PathSet& set : selector->SelectEach(planted.problem, ks, 0, {.pool = &pool})) {
      EXPECT_EQ(set.features.size(), static_cast<size_t>(set.k)) << method;
      EXPECT_EQ(std::set<int>(set.features.begin(), set.features.end()).size(),
                static_cast<size_t>(set.k));
      seen.insert(set.k);
    }
    EXPECT_EQ(seen, std::set<int>(ks.begin(), ks.end())) << method;
  }
}

}  // namespace
}  // namespace slm
