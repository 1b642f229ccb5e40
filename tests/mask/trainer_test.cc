#include "mask/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/thread_pool.h"
#include "search/cross_fit.h"
#include "search/search.h"
#include "tests/mask/small_problem.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

SlmOptions QuickOptions() {
  SlmOptions options;
  options.steps = 250;
  options.hidden_units = 16;
  options.learning_rate = 1e-2;
  return options;
}

struct Runner {
  ThreadPool pool{1};
  SlmOptions options = QuickOptions();
  int k = 5;
  std::vector<float> start;
  PredictorFactory make_predictor;
  std::vector<StepInfo> steps;
  Observer* observer = nullptr;
  uint64_t seed = 0;
  bool cross_fit = false;
  std::vector<size_t> stops;

  int StepsFor(size_t rows) const {
    const int per_epoch = static_cast<int>((rows + 63) / 64);
    return options.epochs > 0 ? options.epochs * per_epoch : options.steps;
  }

  RunResult Run(const Problem& problem) {
    const std::vector<ValueCodes> codes = problem.value_codes(options.mi_bins);
    steps.clear();
    const RunInput input{.problem = &problem,
                         .codes = codes,
                         .k = k,
                         .options = &options,
                         .steps = StepsFor(problem.train.rows()),
                         .start = start,
                         .make_predictor = make_predictor,
                         .on_step = [&](const StepInfo& info) { steps.push_back(info); },
                         .stops = stops};
    const Context context{.pool = &pool, .observer = observer};
    const RandomStream random(seed, 0);
    return TrainMask(input, cross_fit ? *CrossFitted(input, random) : *OnePredictor(input, random),
                     context);
  }
};

void ExpectExactly(const RunResult& run, size_t k, size_t features) {
  ASSERT_EQ(run.support.size(), k);
  ASSERT_EQ(run.weights.size(), k);
  EXPECT_TRUE(std::is_sorted(run.support.begin(), run.support.end()));
  EXPECT_EQ(std::set<int32_t>(run.support.begin(), run.support.end()).size(), k);
  EXPECT_GE(run.support.front(), 0);
  EXPECT_LT(run.support.back(), static_cast<int32_t>(features));
  for (float p : run.weights) EXPECT_GT(p, 0.0f);
  ASSERT_NE(run.model.predictor, nullptr);
}

const std::vector<int32_t> kFirstFive = {0, 1, 2, 3, 4};

TEST(TrainMask, FindsPlantedFeaturesOfClassesAndValues) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const PlantedProblem planted(task, 800, 50, 5, 1);
    Runner runner;
    runner.options.steps = 800;
    const RunResult run = runner.Run(planted.problem);
    EXPECT_EQ(run.support, kFirstFive);
    ExpectExactly(run, 5, 50);
    EXPECT_GT(run.valid.quality, task == Task::kClassification ? 0.85 : -0.3);
    EXPECT_EQ(
        Evaluate(run.model, planted.problem.valid, DefaultLoss(planted.problem.train.y)).quality,
        run.valid.quality);
  }
}

struct Variant {
  const char* name;
  void (*change)(SlmOptions&);
  size_t at_least = 4;  // of five
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

class EveryVariant : public testing::TestWithParam<Variant> {};

TEST_P(EveryVariant, FindsPlantedFeatures) {
  const PlantedProblem planted(Task::kClassification, 800, 30, 5, 2);
  Runner runner;
  runner.options.steps = 400;
  GetParam().change(runner.options);
  const RunResult run = runner.Run(planted.problem);
  ExpectExactly(run, 5, 30);
  std::vector<int32_t> found;
  std::set_intersection(run.support.begin(), run.support.end(), kFirstFive.begin(),
                        kFirstFive.end(), std::back_inserter(found));
  EXPECT_GE(found.size(), GetParam().at_least) << testing::PrintToString(run.support);
}

INSTANTIATE_TEST_SUITE_P(
    Options, EveryVariant,
    testing::Values(  // A feature must leave the support before another is looked at.
        Variant{"no_tempering", [](SlmOptions& o) { o.schedule = Schedule::kNone; }, 3},
        Variant{"linear", [](SlmOptions& o) { o.schedule = Schedule::kLinear; }},
        Variant{"epochs", [](SlmOptions& o) { o.epochs = 50; }},
        Variant{"dropout", [](SlmOptions& o) { o.input_dropout = 0.2; }},
        Variant{"l2", [](SlmOptions& o) { o.l2 = 1e-3; }},
        Variant{"decay", [](SlmOptions& o) { o.decay_rate = 0.5, o.decay_steps = 100; }},
        Variant{"hsic", [](SlmOptions& o) { o.objective = Objective::kHsic; }},
        Variant{"task_only", [](SlmOptions& o) { o.objective = Objective::kTaskOnly; }},
        Variant{"bins", [](SlmOptions& o) { o.mi_bins = 4; }},
        Variant{"blocks", [](SlmOptions& o) { o.mi_bins = 4, o.rcs_block = 16; }},
        Variant{"through_scale",
                [](SlmOptions& o) { o.mask_gradient = MaskGradient::kThroughScale; }},
        Variant{"linear_predictor", [](SlmOptions& o) { o.hidden_layers = 0; }},
        Variant{"three_layers", [](SlmOptions& o) { o.hidden_layers = 3; }},
        Variant{"paper",
                [](SlmOptions& o) {
                  const SlmOptions quick = o;
                  o = PaperOptions();
                  o.epochs = 0;
                  o.steps = 600;
                  o.batch_size = quick.batch_size;
                  o.hidden_units = quick.hidden_units;
                  o.learning_rate = o.mask_rate = 1e-2;
                }}),
    [](const testing::TestParamInfo<Variant>& variant) { return variant.param.name; });

TEST(TrainMask, TellsEveryStepAndFallsToK) {
  const PlantedProblem planted(Task::kClassification, 200, 40, 5, 3);
  Runner runner;
  runner.Run(planted.problem);
  ASSERT_EQ(runner.steps.size(), 250u);
  EXPECT_EQ(runner.steps.front().active_features, 40u);
  for (size_t i = 1; i < runner.steps.size(); ++i) {
    EXPECT_EQ(runner.steps[i].step, static_cast<int>(i) + 1);
    EXPECT_LE(runner.steps[i].active_features, runner.steps[i - 1].active_features);
  }
  EXPECT_EQ(runner.steps.back().active_features, 5u);
  EXPECT_TRUE(std::isnan(runner.steps.front().valid.quality));
  EXPECT_GT(runner.steps.back().valid.quality, 0.5);
}

TEST(TrainMask, EpochsCountPassesOverTheRows) {
  const PlantedProblem planted(Task::kClassification, 200, 10, 2, 3);
  Runner runner;
  runner.options.epochs = 3;
  runner.k = 2;
  runner.Run(planted.problem);
  EXPECT_EQ(runner.steps.size(), 3u * 4u);  // batches of at most 64 rows
}

TEST(TrainMask, StoppedAtAnyTimeItHasExactlyK) {
  const PlantedProblem planted(Task::kClassification, 200, 40, 5, 4);
  for (bool cross_fit : {false, true}) {
    for (int asks : {0, 1, 60, 200}) {
      Runner runner;
      runner.cross_fit = cross_fit;
      StopAfter stop(asks);
      runner.observer = &stop;
      const RunResult run = runner.Run(planted.problem);
      // It asks before each step, and before each predictor of a cross-fitted one.
      const size_t most = static_cast<size_t>(asks);
      EXPECT_LE(runner.steps.size(), most);
      if (!cross_fit) {
        EXPECT_EQ(runner.steps.size(), most);
      }
      EXPECT_TRUE(stop.stopped());
      ExpectExactly(run, 5, 40);
    }
  }
}

TEST(TrainMask, SelectsOneFeatureOrAllOfThem) {
  const PlantedProblem planted(Task::kClassification, 300, 12, 1, 5);
  for (bool cross_fit : {false, true}) {
    for (int k : {1, 12}) {
      Runner runner;
      runner.cross_fit = cross_fit;
      runner.k = k;
      const RunResult run = runner.Run(planted.problem);
      ExpectExactly(run, static_cast<size_t>(k), 12);
      if (k == 1) {
        EXPECT_EQ(run.support[0], 0);
        EXPECT_EQ(run.weights[0], 1.0f);
      }
    }
  }
}

TEST(TrainMask, AFeatureOfSeveralColumnsCountsOnce) {
  SmallProblem small(SmallTask::kManyClasses, true, 2);
  // The label is the level of the text column.
  for (Dataset* data : {&small.problem.train, &small.problem.valid}) {
    data->y.classes = 3;
    for (size_t i = 0; i < SmallProblem::kRows; ++i) {
      data->y.index[i] = static_cast<int32_t>(small.raw(i, 3));
    }
  }
  for (int k : {1, 2, 6}) {
    Runner runner;
    runner.k = k;
    const RunResult run = runner.Run(small.problem);
    ExpectExactly(run, static_cast<size_t>(k), SmallProblem::kFeatures);
    EXPECT_TRUE(std::binary_search(run.support.begin(), run.support.end(), 3));
    EXPECT_EQ(run.model.columns, small.problem.layout.ColumnsOf(run.support));
    EXPECT_EQ(run.model.columns.size(), static_cast<size_t>(k) + 2);
  }
}

TEST(TrainMask, AStartDecidesWhereNothingElseDoes) {
  const PlantedProblem planted(Task::kClassification, 100, 20, 2, 6);
  Runner runner;
  runner.k = 3;
  runner.start.assign(20, 0.0f);
  for (size_t j : {4u, 9u, 16u}) runner.start[j] = 1e6f;
  runner.options.schedule = Schedule::kNone;
  EXPECT_EQ(runner.Run(planted.problem).support, (std::vector<int32_t>{4, 9, 16}));
}

TEST(TrainMask, IsTheSameTwiceAndAnotherForAnotherSeed) {
  const PlantedProblem planted(Task::kClassification, 200, 20, 5, 7);
  Runner runner;
  const RunResult first = runner.Run(planted.problem), again = runner.Run(planted.problem);
  EXPECT_EQ(first.support, again.support);
  EXPECT_EQ(first.weights, again.weights);
  runner.seed = 1;
  EXPECT_NE(runner.Run(planted.problem).weights, first.weights);
}

TEST(TrainCrossFitted, FindsPlantedFeatures) {
  const PlantedProblem planted(Task::kClassification, 400, 30, 5, 8);
  Runner runner;
  runner.cross_fit = true;
  runner.options.drops = 5;
  const RunResult run = runner.Run(planted.problem);
  EXPECT_EQ(run.support, kFirstFive);
  ExpectExactly(run, 5, 30);
}

// Four parts are made of the rows; with fewer rows than parts some would be empty.
TEST(TrainCrossFitted, WorksOnAHandfulOfRows) {
  for (size_t rows : {2u, 3u, 5u}) {
    const PlantedProblem planted(Task::kRegression, 3 * rows, 6, 2, 9);
    PlantedProblem few(Task::kRegression, rows, 6, 2, 9);
    few.problem.valid = planted.problem.train;
    Runner runner;
    runner.cross_fit = true;
    runner.k = 2;
    runner.options.steps = 20;
    ExpectExactly(runner.Run(few.problem), 2, 6);
  }
}

TEST(TrainMask, KeepsTheSupportOfEveryStopThatItPasses) {
  const PlantedProblem planted(Task::kClassification, 400, 30, 3, 1);
  for (bool cross_fit : {false, true}) {
    Runner runner;
    runner.k = 2;
    runner.cross_fit = cross_fit;
    runner.stops = {2, 3, 7, 30};
    const RunResult run = runner.Run(planted.problem);
    ASSERT_EQ(run.passed.size(), 4u);
    std::set<size_t> counts;
    for (const PassedSupport& passed : run.passed) {
      counts.insert(passed.count);
      EXPECT_EQ(passed.support.size(), passed.count);
      EXPECT_GT(passed.valid.quality, 0);
    }
    EXPECT_EQ(counts, std::set<size_t>({2, 3, 7, 30}));
    Runner plain;
    plain.k = 2;
    plain.cross_fit = cross_fit;
    EXPECT_EQ(plain.Run(planted.problem).support, run.support) << "stops change nothing";
  }
}

// Rare errors of fifty standard deviations: squared, they outweigh all that the columns say.
TEST(SearchMask, FindsTheColumnsBehindAHeavyTailedTarget) {
  PlantedProblem planted(Task::kRegression, 600, 40, 4, 5);
  RandomStream random(6, 0);
  for (Dataset* data : {&planted.problem.train, &planted.problem.valid}) {
    for (float& y : data->y.value) {
      if (random.Uniform() < 0.03) y += random.Uniform() < 0.5 ? -50.0f : 50.0f;
    }
  }
  ThreadPool pool(2);
  SlmOptions options;
  options.filter_starts = 0;
  options.cross_fit = CrossFit::kNever;
  options.starts = 2;
  Choice choice = SearchMask(planted.problem, 4, options, 1, {.pool = &pool});
  std::sort(choice.features.begin(), choice.features.end());
  EXPECT_EQ(choice.features, (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace slm
