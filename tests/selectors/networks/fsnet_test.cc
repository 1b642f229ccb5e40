#include "selectors/networks/fsnet.h"

#include <gtest/gtest.h>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/catalog.h"
#include "tests/data/cells.h"
#include "tests/data/indices.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

void ExpectNear(MatrixView<const float> actual, const Matrix& expected, double error,
                const char* what) {
  ASSERT_EQ(actual.rows, expected.rows()) << what;
  ASSERT_EQ(actual.cols, expected.cols()) << what;
  for (size_t i = 0; i < expected.rows(); ++i) {
    for (size_t j = 0; j < expected.cols(); ++j) {
      EXPECT_NEAR(actual(i, j), expected(i, j), error) << what << " at " << i << ", " << j;
    }
  }
}

TEST(ColumnHistograms, AreThoseOfTheReferenceRawAndWhitened) {
  const Golden golden("fsnet");
  const Problem problem = golden.MakeProblem(Task::kClassification);
  const std::vector<int32_t> columns = Indices(problem.layout.columns());
  Matrix histograms = ColumnHistograms(problem.train, columns, 6);
  ExpectNear(histograms.view(), golden.matrix("histograms"), 1e-6, "histogram");
  ThreadPool pool(1);
  Whiten(histograms, {.pool = &pool});
  ExpectNear(histograms.view(), golden.matrix("whitened"), 1e-3, "whitened");
}

TEST(ColumnHistograms, CountRowsByTheirWeights) {
  Problem problem = Golden("fsnet").MakeProblem(Task::kClassification);
  const std::vector<int32_t> columns = {0, 1};
  // A row that weighs three times counts as three rows.
  Dataset repeated{MakeRows(Matrix(problem.train.rows() + 2, problem.train.x->columns())), {}, {}};
  for (size_t i = 0; i < repeated.rows(); ++i) {
    const size_t from = i < problem.train.rows() ? i : 0;
    std::copy_n(Cells(problem.train).row(from), repeated.x->stride(), Cells(repeated).row(i));
  }
  problem.train.weight.assign(problem.train.rows(), 1.0f);
  problem.train.weight[0] = 3;
  ExpectNear(ColumnHistograms(problem.train, columns, 6).view(),
             ColumnHistograms(repeated, columns, 6), 1e-5, "histogram");
}

TEST(SelectorPredictor, LogitsAndGradientAreThoseOfTheReference) {
  const Golden golden("fsnet");
  SelectorPredictor predictor(golden.matrix("whitened"), 3, RandomStream(0, 0));
  predictor.weights().w = golden.matrix("w");
  ExpectNear(predictor.Predict().view(), golden.matrix("logits"), 1e-5, "logit");
  predictor.Backward(golden.matrix("d_logits"));
  ExpectNear(predictor.weights().gradient.view(), golden.matrix("d_w"), 1e-5, "gradient");
}

TEST(ReconstructionPredictor, OutputsAndGradientsAreThoseOfTheReference) {
  const Golden golden("fsnet");
  ReconstructionPredictor predictor(golden.matrix("whitened"), 4, RandomStream(0, 0));
  predictor.weights().w = golden.matrix("v");
  const Matrix h = golden.matrix("h"), d_made = golden.matrix("d_made");
  ExpectNear(predictor.Forward(h.view()), golden.matrix("made"), 1e-5, "output");
  ExpectNear(predictor.Backward(h.view(), d_made.view()), golden.matrix("d_h"), 1e-5, "d h");
  ExpectNear(predictor.weights().gradient.view(), golden.matrix("d_v"), 1e-5, "gradient");
}

// Few rows and many columns, what the method is for: most of what it chooses matters.
TEST(FsNet, FindsInformativeColumnsAmongManyOfFewRows) {
  Problem problem;
  problem.train.x = MakeRows(Matrix(80, 400));
  problem.train.y.classes = 2;
  RandomStream random(1, 0);
  for (size_t i = 0; i < 80; ++i) {
    problem.train.y.index.push_back(static_cast<int32_t>(i % 2));
    for (size_t j = 0; j < 400; ++j) {
      const double shift = j < 20 ? (i % 2 == 0 ? 0.9 : -0.9) : 0;
      Cells(problem.train)(i, j) = static_cast<float>(random.Normal() + shift);
    }
  }
  problem.valid = problem.train;
  for (int j = 0; j < 400; ++j) {
    problem.layout.names.push_back("x" + std::to_string(j));
    problem.layout.offsets.push_back(j + 1);
  }
  ThreadPool pool(1);
  const Choice choice = FindMethod("fsnet").make()->Select(problem, 10, 0, {.pool = &pool});
  const auto right =
      std::count_if(choice.features.begin(), choice.features.end(), [](int j) { return j < 20; });
  EXPECT_GE(right, 5);  // one in two; by chance it would be one in twenty
}

}  // namespace
}  // namespace slm
