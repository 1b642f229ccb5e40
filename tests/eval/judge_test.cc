#include "eval/judge.h"

#include <gtest/gtest.h>

#include <array>

#include "base/thread_pool.h"
#include "eval/prepare.h"
#include "nn/mlp.h"
#include "slm/options.h"
#include "tests/eval/planted_table.h"

namespace slm {
namespace {

TEST(FitChosen, IsTheMeanOfAsManyPredictorsAsSlmsOwnInAnyOrderOfFeaturesOnAnyThreads) {
  const SelectTables tables{PlantedTable(300, 9, true, 1), std::nullopt, std::nullopt};
  SelectRequest request;
  request.target = "y";
  request.k = 3;
  ThreadPool one(1), two(2);
  const Preparation prepared(tables, request, one);
  const Model model =
      FitChosen(prepared.problem(), std::array{2, 0, 1}, /*seed=*/4, {.pool = &one});
  const Model other =
      FitChosen(prepared.problem(), std::array{0, 1, 2}, /*seed=*/4, {.pool = &two});

  const SlmOptions defaults;
  const auto& mean = dynamic_cast<const Mlp&>(*model.predictor);
  EXPECT_EQ(mean.input_layer().outputs(),
            static_cast<size_t>(defaults.final_predictors * defaults.final_units));
  EXPECT_EQ(model.columns, (std::vector<int32_t>{0, 1, 2}));
  const Matrix scores = Scores(model, prepared.problem().valid);
  const Matrix others = Scores(other, prepared.problem().valid);
  for (size_t i = 0; i < scores.rows(); ++i) {
    for (size_t c = 0; c < scores.cols(); ++c) EXPECT_EQ(scores(i, c), others(i, c));
  }
  EXPECT_GT(prepared.Validate(model), 0.8);
}

}  // namespace
}  // namespace slm
