#include "selectors/fsnet.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/catalog.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

void ExpectNear(MatrixView<const float> actual, const Matrix& expected, const char* what) {
  ASSERT_EQ(actual.rows, expected.rows()) << what;
  ASSERT_EQ(actual.cols, expected.cols()) << what;
  for (size_t i = 0; i < expected.rows(); ++i) {
    for (size_t j = 0; j < expected.cols(); ++j) {
      EXPECT_NEAR(actual(i, j), expected(i, j), 1e-5f) << what << " at " << i << ", " << j;
    }
  }
}

Matrix Histograms(const Golden& golden) {
  const Problem problem = golden.MakeProblem(Task::kClassification);
  std::vector<int32_t> columns(problem.layout.columns());
  std::iota(columns.begin(), columns.end(), 0);
  return ColumnHistograms(problem.train, columns, 6);
}

TEST(ColumnHistograms, AreThoseOfTheReference) {
  const Golden golden("fsnet");
  ExpectNear(Histograms(golden).view(), golden.matrix("histograms"), "histogram");
}

TEST(ColumnHistograms, CountRowsByTheirWeights) {
  Problem problem = Golden("fsnet").MakeProblem(Task::kClassification);
  const std::vector<int32_t> columns = {0, 1};
  // A row that weighs three times counts as three rows.
  Dataset repeated{Matrix(problem.train.rows() + 2, problem.train.x.cols()), {}, {}};
  for (size_t i = 0; i < repeated.rows(); ++i) {
    const size_t from = i < problem.train.rows() ? i : 0;
    std::copy_n(problem.train.x.row(from), repeated.x.stride(), repeated.x.row(i));
  }
  problem.train.weight.assign(problem.train.rows(), 1.0f);
  problem.train.weight[0] = 3;
  ExpectNear(ColumnHistograms(problem.train, columns, 6).view(),
             ColumnHistograms(repeated, columns, 6), "histogram");
}

TEST(FeatureHistograms, AreTheMeanOverTheColumnsOfAFeature) {
  FeatureLayout layout;
  layout.names = {"a", "b"};
  layout.offsets = {0, 2, 3};
  Matrix columns(3, 2), expected(2, 2);
  for (size_t c = 0; c < 3; ++c) columns(c, 0) = static_cast<float>(c);
  columns(1, 1) = 4;
  expected(0, 0) = 0.5f;
  expected(0, 1) = 2;
  expected(1, 0) = 2;
  ExpectNear(FeatureHistograms(layout, columns).view(), expected, "histogram");
}

TEST(SelectorPredictor, LogitsAndGradientAreThoseOfTheReference) {
  const Golden golden("fsnet");
  SelectorPredictor predictor(Histograms(golden), 3, RandomStream(0, 0));
  predictor.weights().w = golden.matrix("w");
  ExpectNear(predictor.Predict().view(), golden.matrix("logits"), "logit");
  predictor.Backward(golden.matrix("d_logits"));
  ExpectNear(predictor.weights().gradient.view(), golden.matrix("d_w"), "gradient");
}

TEST(ReconstructionPredictor, OutputsAndGradientsAreThoseOfTheReference) {
  const Golden golden("fsnet");
  ReconstructionPredictor predictor(Histograms(golden), 4, RandomStream(0, 0));
  predictor.weights().w = golden.matrix("v");
  const Matrix h = golden.matrix("h"), d_made = golden.matrix("d_made");
  ExpectNear(predictor.Forward(h.view()), golden.matrix("made"), "output");
  ExpectNear(predictor.Backward(h.view(), d_made.view()), golden.matrix("d_h"), "d h");
  ExpectNear(predictor.weights().gradient.view(), golden.matrix("d_v"), "gradient");
}

// Few rows and many columns, what the method is for: most of what it chooses matters.
TEST(FsNet, FindsInformativeColumnsAmongManyOfFewRows) {
  Problem problem;
  problem.train.x = Matrix(80, 400);
  problem.train.y.classes = 2;
  RandomStream random(1, 0);
  for (size_t i = 0; i < 80; ++i) {
    problem.train.y.index.push_back(static_cast<int32_t>(i % 2));
    for (size_t j = 0; j < 400; ++j) {
      const double shift = j < 20 ? (i % 2 == 0 ? 0.9 : -0.9) : 0;
      problem.train.x(i, j) = static_cast<float>(random.Normal() + shift);
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
