#include "search/cross_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/hsic.h"
#include "tests/data/cells.h"
#include "tests/mask/stop_after.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

constexpr size_t kRows = 40, kFeatures = 6;

using RowLog = std::vector<std::vector<int32_t>>;

// Predicts nothing, learns nothing, and writes down which rows it is shown. The first column of the
// data is the number of the row.
class Witness : public Predictor {
 public:
  explicit Witness(RowLog* log) : log_(log) {}

  void Forward(const ActiveInput& input, MatrixView<float> output) override {
    std::vector<int32_t> rows;
    for (size_t i = 0; i < input.x.rows; ++i) {
      rows.push_back(static_cast<int32_t>(std::lround(input.x(i, 0) * kRows)));
      for (size_t c = 0; c < output.cols; ++c) output(i, c) = 0;
    }
    log_->push_back(std::move(rows));
  }
  void Backward(const ActiveInput&, MatrixView<const float>, std::span<float> d_scale) override {
    std::fill(d_scale.begin(), d_scale.end(), 0.0f);
  }
  void Step(const ActiveInput&, const StepSize&) override {}
  std::unique_ptr<Predictor> Clone() const override { return std::make_unique<Witness>(*this); }

 private:
  RowLog* log_;
};

class CrossFitStep : public testing::Test {
 protected:
  CrossFitStep() : planted_(Task::kClassification, kRows, kFeatures, 3, 1) {
    for (size_t i = 0; i < kRows; ++i) {
      Cells(planted_.problem.train)(i, 0) = static_cast<float>(i) / kRows;
    }
    options_.schedule = Schedule::kNone;
    options_.objective = Objective::kHsic;
    const RunInput input{
        .problem = &planted_.problem,
        .codes = {},
        .k = static_cast<int>(kFeatures),
        .options = &options_,
        .steps = 1,
        .start = {},
        .make_predictor = [&](size_t, size_t,
                              uint64_t) { return std::make_unique<Witness>(&log_); },
        .on_step = {}};
    ThreadPool pool(1);
    run_ = TrainMask(input, *CrossFitted(input, RandomStream(1, 0)), {.pool = &pool});
    // Four predictors, each shown rows to learn from, then rows it has not seen; validation
    // follows.
    for (size_t f = 0; f < 4; ++f) {
      learned_.push_back(log_.at(2 * f));
      asked_.push_back(log_.at(2 * f + 1));
    }
  }

  PlantedProblem planted_;
  SlmOptions options_;
  RowLog log_, learned_, asked_;
  RunResult run_;
};

TEST_F(CrossFitStep, AsksEveryRowOnceAndNeverOneThatWasLearned) {
  std::set<int32_t> all_asked;
  for (size_t f = 0; f < 4; ++f) {
    std::set<int32_t> learned(learned_[f].begin(), learned_[f].end());
    for (int32_t row : asked_[f]) EXPECT_FALSE(learned.contains(row));
    EXPECT_EQ(learned.size() + asked_[f].size(), kRows);
    all_asked.insert(asked_[f].begin(), asked_[f].end());
  }
  EXPECT_EQ(all_asked.size(), kRows);
}

// With all features active the weights are an affine function of the argument, so that they show
// the direction of the step: against the sum of the gradients of all parts.
TEST_F(CrossFitStep, MovesTheMaskByTheHsicOfEveryPart) {
  std::vector<double> gradient(kFeatures);
  for (const std::vector<int32_t>& rows : asked_) {
    Matrix x(rows.size(), kFeatures);
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t j = 0; j < kFeatures; ++j) {
        x(i, j) = Cells(planted_.problem.train)(static_cast<size_t>(rows[i]), j);
      }
    }
    std::vector<float> part(kFeatures);
    Hsic().Compute(x.view(), std::vector<float>(kFeatures, 1.0f), planted_.problem.train.y, rows,
                   {}, part);
    for (size_t j = 0; j < kFeatures; ++j) gradient[j] -= static_cast<double>(part[j]);
  }
  double mean = 0, product = 0, gradient_square = 0, weight_square = 0;
  for (double g : gradient) mean += g / kFeatures;
  for (size_t j = 0; j < kFeatures; ++j) {
    const double g = gradient[j] - mean, p = static_cast<double>(run_.weights[j]) - 1.0 / kFeatures;
    product -= g * p;
    gradient_square += g * g;
    weight_square += p * p;
  }
  EXPECT_GT(weight_square, 1e-4);
  EXPECT_GT(product / std::sqrt(gradient_square * weight_square), 0.99999);
}

// Of millions of columns a predictor takes seconds to make.
TEST_F(CrossFitStep, StoppedBeforeAStepMakesNoMorePredictors) {
  for (int asks : {0, 1, 2, 3, 4, 5}) {
    StopAfter stop(asks);
    int made = 0;
    RunInput input{.problem = &planted_.problem,
                   .codes = {},
                   .k = 2,
                   .options = &options_,
                   .steps = 1,
                   .start = {},
                   .make_predictor =
                       [&](size_t, size_t, uint64_t) {
                         ++made;
                         return std::make_unique<Witness>(&log_);
                       },
                   .on_step = {}};
    ThreadPool pool(1);
    const RunResult run = TrainMask(input, *CrossFitted(input, RandomStream(1, 0)),
                                    {.pool = &pool, .observer = &stop});
    // The first ask is before the step; one predictor is what a result cannot do without.
    EXPECT_EQ(made, asks < 5 ? std::max(asks - 1, 0) + 1 : 4) << asks;
    EXPECT_EQ(run.support.size(), 2u);
    EXPECT_NE(run.model.predictor, nullptr);
  }
}

}  // namespace
}  // namespace slm
