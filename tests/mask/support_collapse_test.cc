// Paper, "SLM avoids sparsemax support collapse": 1000 samples, 100 features, 30 to be selected, a
// perceptron with one hidden layer. With scaling the support always has 30 features; without it, it
// "consistently dwindles to well below 10 features within 15 epochs".
//
// The paper does not give its rates. What was needed here, all else as in the paper preset (literal
// mask input, Adam on both, MI objective), no tempering and batches of 64:
//   mask and predictor at 1e-3, the preset     10 left; 42 or more with batches of 256, which make
//                                              only 60 steps of 1e-3
//   mask and predictor at 1e-2                 5 to 20 left, depending on data and batch size
//   mask at 1e-2, predictor at 1e-3            3 or 4 left: the mask is ahead of the predictor
// The test takes the last; both rates are in the paper's grid of 1e-3, 3e-3 and 1e-2.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/thread_pool.h"
#include "mask/trainer.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

constexpr int kSteps = 15 * 16;  // epochs of 1000 rows in batches of 64

// The number of features in the support after each step.
std::vector<size_t> SupportSizes(uint64_t seed, MaskScale scale) {
  const PlantedProblem planted(Task::kClassification, 1000, 100, 10, seed);
  SlmOptions options = PaperOptions();
  options.batch_size = 64;
  options.schedule = Schedule::kNone;
  options.mask_scale = scale;
  options.mask_rate = 1e-2;
  const std::vector<ValueCodes> codes = planted.problem.value_codes(0);
  std::vector<size_t> sizes;
  const RunInput input{
      .problem = &planted.problem,
      .codes = codes,
      .k = 30,
      .options = &options,
      .steps = kSteps,
      .start = {},
      .make_predictor = {},
      .on_step = [&](const StepInfo& info) { sizes.push_back(info.active_features); }};
  ThreadPool pool(1);
  TrainMask(input, *OnePredictor(input, RandomStream(seed, 0)), {.pool = &pool});
  return sizes;
}

TEST(SupportCollapse, WithScalingThirtyOfThirtyFeaturesStayAtEveryStep) {
  for (uint64_t seed : {0u, 1u, 2u}) {
    for (MaskScale scale : {MaskScale::kNearestOne, MaskScale::kLeftEnd}) {
      const std::vector<size_t> sizes = SupportSizes(seed, scale);
      ASSERT_EQ(sizes.size(), static_cast<size_t>(kSteps));
      EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 30u);
      EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 30u);
    }
  }
}

TEST(SupportCollapse, WithoutScalingFewerThanTenAreLeftWithinFifteenEpochs) {
  for (uint64_t seed : {0u, 1u, 2u}) {
    const std::vector<size_t> sizes = SupportSizes(seed, MaskScale::kNone);
    EXPECT_EQ(sizes.front(), 100u);
    EXPECT_LT(sizes.back(), 10u);
    // What has left does not return.
    EXPECT_EQ(sizes.back(), *std::min_element(sizes.begin(), sizes.end()));
  }
}

}  // namespace
}  // namespace slm
