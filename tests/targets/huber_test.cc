#include <gtest/gtest.h>

#include <vector>

#include "targets/losses.h"

namespace slm {
namespace {

// Values and derivatives of torch.nn.functional.huber_loss(r, y, reduction="none", delta=1.345) in
// double, PyTorch 1.13.0: inside the threshold, beyond it on both sides, on it, and without an
// error.
TEST(Huber, HasTheValuesAndSlopesOfPyTorch) {
  const std::vector<float> r = {0.5f, -2.0f, 3.0f, 1.345f, 0.0f}, y = {0.25f, 1.0f, -4.5f, 0, 0};
  const std::vector<double> values = {0.03125, 3.1304875, 9.1829875, 0.9045125, 0};
  const std::vector<float> slopes = {0.25f, -1.345f, 1.345f, 1.345f, 0};
  const std::unique_ptr<Loss> loss = HuberLoss().make();
  for (size_t i = 0; i < r.size(); ++i) {
    Dataset data;
    data.y.task = Task::kRegression;
    data.y.value = {y[i]};
    Matrix score(1, 1), slope(1, 1);
    score(0, 0) = r[i];
    loss->Prepare(score.view(), data, std::vector<int32_t>{0});
    EXPECT_NEAR(loss->task(), values[i], 1e-6);
    EXPECT_DOUBLE_EQ(loss->error(), (double{r[i]} - double{y[i]}) * (double{r[i]} - double{y[i]}));
    loss->Gradient(0, {}, slope.view());
    EXPECT_FLOAT_EQ(slope(0, 0), slopes[i]);
  }
}

// A row ten deviations away pulls the fitted constant as much as one of 1.345: between the mean,
// 10 / 9, and the median, 0.
TEST(Huber, FarRowsPullNoMoreThanOrdinaryOnes) {
  Dataset data;
  data.y.task = Task::kRegression;
  data.y.value = {0, 0, 0, 0, 0, 0, 0, 0, 10};
  const std::vector<int32_t> rows = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::unique_ptr<Loss> loss = HuberLoss().make();
  Matrix scores(rows.size(), 1), slopes(rows.size(), 1);
  double constant = 0, slope = 1;
  for (int step = 0; step < 200; ++step, constant -= slope) {
    for (size_t i = 0; i < rows.size(); ++i) scores(i, 0) = static_cast<float>(constant);
    loss->Prepare(scores.view(), data, rows);
    loss->Gradient(0, {}, slopes.view());
    slope = 0;
    for (size_t i = 0; i < rows.size(); ++i) slope += slopes(i, 0);
  }
  EXPECT_NEAR(constant, 1.345 / 8, 1e-5);
}

}  // namespace
}  // namespace slm
