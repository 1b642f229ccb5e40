#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/thread_pool.h"
#include "mask/trainer.h"
#include "nn/mlp.h"
#include "search/cross_fit.h"
#include "search/filter_start.h"
#include "search/recipe.h"
#include "search/stage.h"
#include "targets/metrics.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

SlmOptions QuickOptions() {
  SlmOptions options;
  options.steps = 120;
  options.hidden_units = 16;
  options.starts = 1;
  options.filter_starts = 1;
  options.final_predictors = 1;
  options.final_steps = 100;
  return options;
}

// A class of 2 % of the rows, where the square of column 7 is large.
TEST(SearchMask, FindsWhatSetsARareClassApartIfTheMetricCountsIt) {
  PlantedProblem planted(Task::kClassification, 3000, 20, 1, 5);
  Problem& problem = planted.problem;
  for (Dataset* data : {&problem.train, &problem.valid}) {
    for (size_t i = 0; i < data->rows(); ++i) {
      data->y.index[i] = std::abs(Cells(*data).row(i)[7]) > 2.33f ? 1 : 0;
    }
  }
  problem.valid.metric = &FindMetric("auc", Task::kClassification);
  SlmOptions options = QuickOptions();
  options.steps = 600;
  options.starts = 2;
  options.cross_fit = CrossFit::kNever;
  ThreadPool pool(2);
  EXPECT_EQ(SearchMask(problem, 1, options, 0, {.pool = &pool}).features, std::vector<int>{7});
}

TEST(SearchMask, OfCrossFittedRunsTakesTheLargestSumsOfTheirWeights) {
  constexpr int kChosen = 5;
  constexpr uint64_t kSeed = 3;
  const PlantedProblem planted(Task::kClassification, 200, 40, 5, 7);
  const Problem& problem = planted.problem;
  ThreadPool pool(2);
  const Context context{.pool = &pool};
  SlmOptions options = QuickOptions();
  options.starts = options.filter_starts = 0;
  options.cross_fit = CrossFit::kAlways;
  options.cross_fit_runs = 3;

  const Stage stage = MakeRecipe(ShapeOf(problem), CrossEntropyLoss(), options).stages.at(0);
  std::vector<double> sums(problem.layout.features());
  std::vector<std::vector<int32_t>> supports;
  for (uint64_t i = 0; i < 3; ++i) {
    const PlannedRun& planned = stage.runs.at(i);
    RunInput input{.problem = &problem,
                   .codes = {},
                   .k = kChosen,
                   .options = &planned.training,
                   .steps = planned.steps,
                   .start = {},
                   .make_predictor = {},
                   .on_step = {}};
    if (i % 2 == 1) {
      input.start =
          FilterStart(DistinctScores(problem.layout, problem.train, kChosen), planned.steps / 40.0);
    }
    const RunResult run = TrainMask(input, *CrossFitted(input, RandomStream(kSeed, i)), context);
    supports.push_back(run.support);
    for (size_t j = 0; j < run.support.size(); ++j) {
      sums[static_cast<size_t>(run.support[j])] += static_cast<double>(run.weights[j]);
    }
  }
  ASSERT_TRUE(supports[0] != supports[1] || supports[1] != supports[2]) << "nothing to decide";
  std::vector<int> expected(sums.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
    return sums[static_cast<size_t>(a)] > sums[static_cast<size_t>(b)];
  });
  expected.resize(kChosen);
  EXPECT_EQ(SearchMask(problem, kChosen, options, kSeed, context).features, expected);
}

// How many training runs an observer was told of.
class CountRuns : public Observer {
 public:
  explicit CountRuns(int steps_of_a_run) : steps_(steps_of_a_run) {}
  void OnProgress(const Progress& progress) override {
    if (progress.phase == "starts") runs_ = progress.steps * 20 / steps_;  // a report in 20 steps
  }
  bool Cancelled() override { return false; }
  int runs() const { return runs_; }

 private:
  int steps_;
  int runs_ = 0;
};

TEST(SearchMask, HasLinearRunsBesideOthersForValuesOnly) {
  struct Case {
    Task task;
    int starts, linear_starts, hidden_layers;
    bool own_predictor;
    int runs;
  };
  const PredictorFactory perceptron = [](size_t columns, size_t outputs, uint64_t seed) {
    return MakePredictor(columns, outputs, 1, 8, RandomStream(seed, 0));
  };
  for (const Case& c : std::vector<Case>{{Task::kRegression, 1, 2, 1, false, 3},
                                         {Task::kRegression, 1, 0, 1, false, 1},
                                         {Task::kRegression, 1, 2, 0, false, 1},
                                         {Task::kRegression, 1, 2, 1, true, 1},
                                         {Task::kRegression, 0, 2, 1, false, 0},
                                         {Task::kClassification, 1, 2, 1, false, 1}}) {
    const PlantedProblem planted(c.task, 60, 20, 4, 7);
    ThreadPool pool(1);
    SlmOptions options = QuickOptions();
    options.starts = c.starts;
    options.filter_starts = 0;
    options.linear_starts = c.linear_starts;
    options.hidden_layers = c.hidden_layers;
    if (c.starts == 0) options.cross_fit = CrossFit::kAlways;
    CountRuns observer(120);
    SearchMask(planted.problem, 4, options, 1, {.pool = &pool, .observer = &observer},
               c.own_predictor ? perceptron : PredictorFactory{});
    EXPECT_EQ(observer.runs(), c.runs) << "starts " << c.starts << ", linear " << c.linear_starts;
  }
}

// Twelve columns of sixty and as much noise, 250 rows: perceptrons alone miss some.
TEST(SearchMask, FindsMoreOfALinearSumWithLinearRuns) {
  int with = 0, without = 0;
  for (uint64_t draw = 0; draw < 4; ++draw) {
    PlantedProblem planted(Task::kRegression, 250, 60, 12, draw);
    RandomStream noise(draw, 1);
    for (Dataset* data : {&planted.problem.train, &planted.problem.valid}) {
      for (float& y : data->y.value) y += static_cast<float>(noise.Normal());
    }
    ThreadPool pool(2);
    SlmOptions options;
    options.cross_fit = CrossFit::kNever;
    options.final_predictors = 1;
    options.final_steps = 100;
    auto found = [&] {
      const Choice choice = SearchMask(planted.problem, 12, options, 1, {.pool = &pool});
      return static_cast<int>(std::count_if(choice.features.begin(), choice.features.end(),
                                            [](int j) { return j < 12; }));
    };
    with += found();
    options.linear_starts = 0;
    without += found();
  }
  EXPECT_GT(with, without);
}

// Wherever the work is cut off there are k features and a predictor that reads just them.
TEST(SearchMask, StoppedAtAnyMomentHasAModelOfItsFeatures) {
  for (const Task task : {Task::kClassification, Task::kRegression}) {
    for (const size_t columns : {20u, 150u}) {  // many rows, and few
      const PlantedProblem planted(task, 60, columns, 4, 7);
      ThreadPool pool(1);
      int cut_short = 0;
      bool stopped = true;
      for (int asks = 0; stopped; asks = asks * 5 / 4 + 1) {
        StopAfter observer(asks);
        const Choice choice = SearchMask(planted.problem, 4, QuickOptions(), 1,
                                         {.pool = &pool, .observer = &observer});
        stopped = observer.stopped();
        cut_short += stopped ? 1 : 0;
        std::vector<int> features = choice.features;
        std::sort(features.begin(), features.end());
        ASSERT_EQ(features.size(), 4u);
        ASSERT_NE(choice.model.predictor, nullptr) << "after " << asks;
        EXPECT_EQ(std::vector<int>(choice.model.columns.begin(), choice.model.columns.end()),
                  features);
      }
      EXPECT_GT(cut_short, 10);
    }
  }
}

TEST(RepeatsOfClasses, AreBoundedByRowsHoweverLittleAClassWeighs) {
  const PlantedProblem planted(Task::kClassification, 1000, 2, 1, 5);
  Dataset data = planted.problem.train;
  for (size_t i = 0; i < data.rows(); ++i) data.y.index[i] = i % 10 == 0 ? 1 : 0;
  EXPECT_EQ(RepeatsOfClasses(data, 0.5), (std::vector<int32_t>{1, 3}));
  for (const float weight : {1e-6f, 1e-14f, 1e-30f}) {
    data.weight.clear();
    for (int32_t label : data.y.index) data.weight.push_back(label == 1 ? weight : 1e6f);
    EXPECT_EQ(RepeatsOfClasses(data, 0.5), (std::vector<int32_t>{1, 9})) << weight;
    for (size_t i = 0; i < data.rows(); ++i) data.weight[i] = data.y.index[i] == 0 ? weight : 1e6f;
    EXPECT_EQ(RepeatsOfClasses(data, 0.5), (std::vector<int32_t>{1, 1})) << weight;
  }
}

}  // namespace
}  // namespace slm
