#include "nn/mean_fit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "tests/data/cells.h"
#include "tests/data/indices.h"

namespace slm {
namespace {

constexpr size_t kColumns = 20;
constexpr size_t kClasses = 4;

// Classes around centres of their own, or values that a few columns make.
Dataset Rows(size_t rows, Task task, double spread, uint64_t seed) {
  RandomStream centres(99, 0), random(seed, 1);
  Matrix centre(kClasses, kColumns);
  for (size_t c = 0; c < kClasses; ++c) {
    for (size_t j = 0; j < kColumns; ++j) centre(c, j) = static_cast<float>(centres.Normal());
  }
  Dataset data{MakeRows(Matrix(rows, kColumns)), {}, {}};
  data.y.task = task;
  data.y.classes = kClasses;
  for (size_t i = 0; i < rows; ++i) {
    const size_t c = i % kClasses;
    for (size_t j = 0; j < kColumns; ++j) {
      Cells(data)(i, j) = centre(c, j) + static_cast<float>(spread * random.Normal());
    }
    data.y.index.push_back(static_cast<int32_t>(c));
    data.y.value.push_back(Cells(data)(i, 0) * Cells(data)(i, 1));
  }
  return data;
}

Problem MakeProblem(Task task, double spread) {
  Problem problem;
  for (size_t j = 0; j < kColumns; ++j) {
    problem.layout.names.push_back("x" + std::to_string(j));
    problem.layout.offsets.push_back(static_cast<int32_t>(j + 1));
  }
  problem.train = Rows(60, task, spread, 1);
  problem.valid = Rows(2000, task, spread, 2);
  return problem;
}

// Many passes over few rows.
const FitOptions kFit{
    .hidden_units = 32, .steps = 600, .passes = 200, .batch_size = 20, .make_predictor = {}};

FitResult FitFour(const Problem& problem, double noise, int threads = 1) {
  ThreadPool pool(threads);
  const std::vector<int32_t> columns = Indices(kColumns);
  MeanFitOptions options;
  options.fit = kFit;
  options.noise = noise;
  return FitMean("predictor", problem, columns, options, 5, StreamOf::kRun, {.pool = &pool});
}

TEST(FitMean, TakesNoiseOnInputsWhereValidationGainsByIt) {
  const Problem overfitted = MakeProblem(Task::kClassification, 2);
  EXPECT_GT(FitFour(overfitted, 1).valid.quality, FitFour(overfitted, 0).valid.quality);
}

TEST(FitMean, LeavesNoiseThatDrownsTheInputs) {
  const Problem clear = MakeProblem(Task::kClassification, 1);
  EXPECT_EQ(FitFour(clear, 30).valid.loss, FitFour(clear, 0).valid.loss);
}

TEST(FitMean, GivesValuesNoNoise) {
  const Problem values = MakeProblem(Task::kRegression, 1);
  EXPECT_EQ(FitFour(values, 0.3).valid.loss, FitFour(values, 0).valid.loss);
}

TEST(FitMean, IsTheMeanOfItsMembers) {
  const Problem problem = MakeProblem(Task::kClassification, 2);
  ThreadPool pool(1);
  const std::vector<int32_t> columns = Indices(kColumns);
  MeanFitOptions options;
  options.fit = kFit;
  options.noise = 0;
  std::vector<Matrix> scores;
  const FitResult mean = FitMean(
      "predictor", problem, columns, options, 5, StreamOf::kRun, {.pool = &pool},
      [&](const FitResult& member) { scores.push_back(Scores(member.model, problem.valid)); });
  ASSERT_EQ(scores.size(), 4u);
  const Matrix merged = Scores(mean.model, problem.valid);
  for (size_t i = 0; i < 50; ++i) {
    for (size_t c = 0; c < kClasses; ++c) {
      const float sum = scores[0](i, c) + scores[1](i, c) + scores[2](i, c) + scores[3](i, c);
      ASSERT_NEAR(merged(i, c), sum / 4, 1e-4);
    }
  }
}

TEST(FitMean, ThreadsChangeNoBit) {
  const Problem problem = MakeProblem(Task::kClassification, 2);
  EXPECT_EQ(FitFour(problem, 0.5, 1).valid.loss, FitFour(problem, 0.5, 3).valid.loss);
}

}  // namespace
}  // namespace slm
