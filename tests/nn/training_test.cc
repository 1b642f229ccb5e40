// The parts of a training loop: optimiser, batches, gathering, and fitting on fixed columns.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/thread_pool.h"
#include "nn/active_batch.h"
#include "nn/adam.h"
#include "nn/batches.h"
#include "nn/fit.h"
#include "slm/errors.h"
#include "tests/data/cells.h"
#include "tests/data/chunked_rows.h"

namespace slm {
namespace {

TEST(AdamClock, FollowsTheFormulaInDouble) {
  RandomStream random(1, 0);
  constexpr size_t kCount = 32;
  Parameters block(1, kCount);
  std::vector<double> w(kCount), m(kCount), v(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    block.w(0, i) = static_cast<float>(random.Normal());
    w[i] = static_cast<double>(block.w(0, i));
  }
  AdamClock clock;
  for (int t = 1; t <= 50; ++t) {
    const double rate = 0.01 / t, l2 = 0.1, g_scale = 0.7;
    clock.Tick({rate, l2});
    for (size_t i = 0; i < kCount; ++i) {
      block.gradient(0, i) = static_cast<float>(random.Normal() * (i % 2 == 0 ? 1 : 1e-4));
      const double g = g_scale * static_cast<double>(block.gradient(0, i)) + l2 * w[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      const double m_hat = m[i] / (1 - std::pow(0.9, t)), v_hat = v[i] / (1 - std::pow(0.999, t));
      w[i] -= rate * m_hat / (std::sqrt(v_hat) + 1e-8);
    }
    clock.Apply(block.w.data(), block.m.data(), block.v.data(), block.gradient.data(),
                static_cast<float>(g_scale), kCount);
    for (size_t i = 0; i < kCount; ++i) {
      ASSERT_NEAR(static_cast<double>(block.w(0, i)), w[i], 2e-6) << "step " << t;
    }
  }
}

TEST(Batches, EachEpochVisitsEveryRowOnceInBatchesOfNearlyEqualSize) {
  Batches batches = Batches::OfAll(103, 25, RandomStream(2, 0));
  EXPECT_EQ(batches.per_epoch(), 5u);
  std::vector<int32_t> first_epoch, order;
  for (int epoch = 0; epoch < 4; ++epoch) {
    order.clear();
    for (size_t i = 0; i < batches.per_epoch(); ++i) {
      std::span<const int32_t> rows = batches.Next();
      EXPECT_GE(rows.size(), 20u);
      EXPECT_LE(rows.size(), 21u);
      order.insert(order.end(), rows.begin(), rows.end());
    }
    EXPECT_EQ(std::set<int32_t>(order.begin(), order.end()).size(), 103u);
    EXPECT_EQ(order.size(), 103u);
    if (epoch == 0) first_epoch = order;
  }
  EXPECT_NE(order, first_epoch);
}

TEST(Batches, FewerRowsThanABatchAreOneBatch) {
  Batches batches(std::vector<int32_t>{4, 7}, 64, RandomStream(2, 1));
  for (int i = 0; i < 3; ++i) {
    std::span<const int32_t> rows = batches.Next();
    EXPECT_EQ(std::set<int32_t>(rows.begin(), rows.end()), (std::set<int32_t>{4, 7}));
  }
}

TEST(ActiveBatch, GathersRowsAndColumnsAndPads) {
  Matrix data(50, 40);
  for (size_t i = 0; i < 50; ++i) {
    for (size_t j = 0; j < 40; ++j) data(i, j) = static_cast<float>(100 * i + j);
  }
  const std::shared_ptr<const RowSource> source = MakeRows(data);
  ActiveBatch batch;
  auto check = [&](const std::vector<int32_t>& columns, const std::vector<int32_t>& rows) {
    batch.SetColumns(columns, columns);
    const std::vector<float> scale(columns.size(), 1.0f);
    const ActiveInput input = batch.Gather(*source, rows, scale);
    ASSERT_EQ(input.x.rows, rows.size());
    ASSERT_EQ(input.x.cols, columns.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t a = 0; a < columns.size(); ++a) {
        ASSERT_EQ(input.x(i, a), static_cast<float>(100 * rows[i] + columns[a]));
      }
    }
  };
  std::vector<int32_t> all(40);
  for (size_t j = 0; j < 40; ++j) all[j] = static_cast<int32_t>(j);
  check({3, 5, 39}, {0, 49, 7});
  check(all, {1, 2});  // more columns than before
  check({0, 17}, {9, 8, 7, 6, 5});
}

// Two classes that one column separates, another one being noise.
Dataset SeparableData(size_t rows, uint64_t seed, Task task) {
  RandomStream random(seed, 0);
  Dataset data{MakeRows(Matrix(rows, 3)), {}, {}};
  data.y.task = task;
  data.y.classes = task == Task::kClassification ? 2 : 0;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < 3; ++j) Cells(data)(i, j) = static_cast<float>(random.Normal());
    data.y.index.push_back(Cells(data)(i, 1) > 0 ? 1 : 0);
    data.y.value.push_back(0.8f * Cells(data)(i, 1) - 0.3f * Cells(data)(i, 2));
  }
  return data;
}

TEST(Fit, TrainsAndScoresWithTheSameBitsWhereverTheRowsAre) {
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  const FitOptions options{.hidden_units = 16, .steps = 100, .make_predictor = {}};
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const Dataset train = SeparableData(600, 1, task), valid = SeparableData(300, 2, task);
    const std::vector<int32_t> columns = {2, 1};
    const FitResult expected = Fit(train, valid, columns, options, RandomStream(3, 0), context);
    const FitResult found =
        Fit(InChunks(train), InChunks(valid), columns, options, RandomStream(3, 0), context);
    EXPECT_EQ(found.valid.quality, expected.valid.quality);
    const Matrix scores = Scores(expected.model, valid);
    const Matrix chunked = Scores(found.model, InChunks(valid));
    for (size_t i = 0; i < scores.rows(); ++i) {
      for (size_t c = 0; c < scores.cols(); ++c) ASSERT_EQ(chunked(i, c), scores(i, c));
    }
  }
}

TEST(Fit, LearnsASeparableProblemFromItsColumns) {
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  const Dataset train = SeparableData(300, 1, Task::kClassification);
  const Dataset valid = SeparableData(200, 2, Task::kClassification);
  const FitOptions options{
      .hidden_units = 16, .steps = 300, .learning_rate = 1e-2, .make_predictor = {}};
  const FitResult good =
      Fit(train, valid, std::vector<int32_t>{1}, options, RandomStream(3, 0), context);
  EXPECT_GT(good.valid.quality, 0.97);
  EXPECT_EQ(Evaluate(good.model, valid, CrossEntropyLoss()).quality, good.valid.quality);
  const FitResult noise =
      Fit(train, valid, std::vector<int32_t>{0, 2}, options, RandomStream(3, 0), context);
  EXPECT_LT(noise.valid.quality, 0.65);
}

TEST(Fit, LearnsValuesWithALinearModel) {
  ThreadPool pool(1);
  const Context context{.pool = &pool};
  const Dataset train = SeparableData(300, 1, Task::kRegression);
  const Dataset valid = SeparableData(200, 2, Task::kRegression);
  const FitOptions options{
      .hidden_layers = 0, .steps = 800, .learning_rate = 2e-2, .make_predictor = {}};
  const FitResult fit =
      Fit(train, valid, std::vector<int32_t>{1, 2}, options, RandomStream(3, 0), context);
  EXPECT_GT(fit.valid.quality, -0.05);
  EXPECT_EQ(fit.valid.quality, -fit.valid.loss);
}

TEST(Fit, ForValuesLearnsFasterAndDecaysWeights) {
  const FitOptions plain;
  const FitOptions classes = SuitedTo(CrossEntropyLoss(), plain);
  EXPECT_EQ(classes.learning_rate, plain.learning_rate);
  EXPECT_EQ(classes.l2, plain.l2);
  const FitOptions values = SuitedTo(AbsoluteLoss(), plain);
  EXPECT_GT(values.learning_rate, plain.learning_rate);
  EXPECT_GT(values.l2, plain.l2);
}

class StopAtOnce : public Observer {
 public:
  void OnProgress(const Progress&) override {}
  bool Cancelled() override { return true; }
};

TEST(Fit, GivesAModelEvenWhenToldToStopAtOnce) {
  ThreadPool pool(1);
  StopAtOnce stop;
  const Dataset data = SeparableData(100, 1, Task::kClassification);
  const FitResult fit = Fit(data, data, std::vector<int32_t>{0, 1}, {}, RandomStream(3, 0),
                            {.pool = &pool, .observer = &stop});
  ASSERT_NE(fit.model.predictor, nullptr);
  EXPECT_EQ(Scores(fit.model, data).rows(), 100u);
}

TEST(Fit, RefusesToLearnFromNoRows) {
  Dataset none;
  none.y.classes = 2;
  ThreadPool pool(1);
  EXPECT_THROW(Fit(none, none, {}, {}, RandomStream(1, 0), {.pool = &pool}), InputError);
}

}  // namespace
}  // namespace slm
