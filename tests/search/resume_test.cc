// Runs that were stopped and go on from a checkpoint end as if nothing had happened.

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/checkpoint.h"
#include "base/thread_pool.h"
#include "mask/trainer.h"
#include "search/cross_fit.h"
#include "search/mask_path.h"
#include "search/search.h"
#include "tests/data/temp_file.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

// Does work(context) in as many goes as it takes, each stopped after so many questions and one more
// than that before it, so that all get to the end.
template <class Work>
auto InManyGoes(int asks, Work work, int* goes) {
  const TempFile file("", ".ckpt");
  std::filesystem::remove(file.path());
  ThreadPool pool(1);
  for (*goes = 1;; ++*goes) {
    Checkpoint checkpoint(file.path(), Json::MakeObject(), true, 1e6);
    StopAfter observer(asks + *goes);
    const Context context{.pool = &pool, .observer = &observer, .checkpoint = &checkpoint};
    auto result = work(context);
    if (!context.ShouldStop()) return result;
    checkpoint.Flush();
  }
}

Matrix Predicted(const Model& model, const Problem& problem) {
  return Scores(model, problem.valid);
}

void ExpectSameScores(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (size_t i = 0; i < a.rows(); ++i) {
    for (size_t j = 0; j < a.cols(); ++j) ASSERT_EQ(a(i, j), b(i, j)) << i << " " << j;
  }
}

void ExpectSame(const RunResult& a, const RunResult& b, const Problem& problem) {
  EXPECT_EQ(a.support, b.support);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.argument, b.argument);
  EXPECT_EQ(a.valid.quality, b.valid.quality);
  EXPECT_EQ(a.valid.loss, b.valid.loss);
  ExpectSameScores(Predicted(a.model, problem), Predicted(b.model, problem));
  ASSERT_EQ(a.passed.size(), b.passed.size());
  for (size_t i = 0; i < a.passed.size(); ++i) {
    EXPECT_EQ(a.passed[i].support, b.passed[i].support);
    EXPECT_EQ(a.passed[i].valid.loss, b.passed[i].valid.loss);
  }
}

SlmOptions ShortRuns() {
  SlmOptions options;
  options.steps = 120;
  options.hidden_units = 16;
  options.final_units = 16;
  options.final_steps = 60;
  return options;
}

struct Variant {
  const char* name;
  Task task;
  bool cross_fit;
  void (*change)(SlmOptions&);
};

const Variant kVariants[] = {
    {"plain", Task::kClassification, false, [](SlmOptions&) {}},
    {"values", Task::kRegression, false, [](SlmOptions&) {}},
    {"linear", Task::kClassification, false,
     [](SlmOptions& options) { options.hidden_layers = 0; }},
    {"deep", Task::kClassification, false, [](SlmOptions& options) { options.hidden_layers = 3; }},
    {"dropout", Task::kClassification, false,
     [](SlmOptions& options) { options.input_dropout = 0.2; }},
    {"hsic", Task::kClassification, false,
     [](SlmOptions& options) { options.objective = Objective::kHsic; }},
    {"paper", Task::kClassification, false,
     [](SlmOptions& options) {
       options = PaperOptions();
       options.steps = 130;
     }},
    {"sparsemax", Task::kClassification, false,
     [](SlmOptions& options) {
       options.mask_scale = MaskScale::kNone;
       options.mask_rate = 1e-4;
     }},
    {"crossfit", Task::kClassification, true, [](SlmOptions&) {}}};

void ExpectSameBits(const Variant& variant) {
  SCOPED_TRACE(variant.name);
  const PlantedProblem planted(variant.task, 200, 30, 4, 1);
  const Problem& problem = planted.problem;
  SlmOptions options = ShortRuns();
  variant.change(options);
  const std::vector<ValueCodes> codes = problem.value_codes(options.mi_bins);
  const RunInput input{.problem = &problem,
                       .codes = codes,
                       .k = 4,
                       .options = &options,
                       .steps = options.steps,
                       .start = {},
                       .make_predictor = {},
                       .on_step = {},
                       .stops = {4, 8, 20}};
  auto run = [&](const Context& context) {
    // As in the product, a run that was finished is not begun again.
    return Checkpointed(
        context, "run",
        [&](Archive& archive, RunResult& result) { Serialize(archive, result, problem); },
        [&](const Context& own) {
          const RandomStream random(3, 0);
          return TrainMask(
              input, variant.cross_fit ? *CrossFitted(input, random) : *OnePredictor(input, random),
              own);
        });
  };
  ThreadPool pool(1);
  const RunResult whole = run({.pool = &pool});
  for (int asks : {4, 7, 50, 119}) {
    int goes = 0;
    const RunResult parts = InManyGoes(asks, run, &goes);
    EXPECT_GT(goes, 1);
    ExpectSame(parts, whole, problem);
  }
}

TEST(Resume, EndsWithTheSameBitsAtEveryMoment) {
  for (const Variant& variant : kVariants) ExpectSameBits(variant);
}

TEST(Resume, ASearchThatIsStoppedAgainAndAgainFindsTheSame) {
  const PlantedProblem planted(Task::kClassification, 200, 30, 4, 1);
  const Problem& problem = planted.problem;
  SlmOptions options = ShortRuns();
  options.cross_fit = CrossFit::kAlways;
  auto search = [&](const Context& context) { return SearchMask(problem, 4, options, 5, context); };
  ThreadPool pool(1);
  const Choice whole = search({.pool = &pool});
  int goes = 0;
  const Choice parts = InManyGoes(200, search, &goes);
  EXPECT_GT(goes, 2);
  EXPECT_EQ(parts.features, whole.features);
  EXPECT_EQ(parts.weights, whole.weights);
  EXPECT_EQ(parts.scores, whole.scores);
  ExpectSameScores(Predicted(parts.model, problem), Predicted(whole.model, problem));
}

TEST(Resume, AStopBeforeTheFirstStepLeavesNoSnapshot) {
  const PlantedProblem planted(Task::kClassification, 200, 30, 4, 1);
  SlmOptions options = ShortRuns();
  options.starts = 0;  // filter starts, whose scores the stop cuts short
  options.cross_fit = CrossFit::kNever;
  auto search = [&](const Context& context) {
    return SearchMask(planted.problem, 4, options, 5, context);
  };
  ThreadPool pool(1);
  const Choice whole = search({.pool = &pool});
  const TempFile file("", ".ckpt");
  std::filesystem::remove(file.path());
  Checkpoint checkpoint(file.path(), Json::MakeObject(), false, 1e6);
  StopAfter now(0);
  search({.pool = &pool, .observer = &now, .checkpoint = &checkpoint});
  const Choice after = search({.pool = &pool, .checkpoint = &checkpoint});
  EXPECT_EQ(after.features, whole.features);
  EXPECT_EQ(after.scores, whole.scores);
}

}  // namespace
}  // namespace slm
