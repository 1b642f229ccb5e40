#include "targets/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace slm {
namespace {

std::vector<int32_t> AllRows(size_t rows) {
  std::vector<int32_t> all(rows);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Dataset ClassesOf(std::vector<int32_t> classes, int count) {
  Dataset data{MakeRows(Matrix(classes.size(), 1)), {}, {}};
  data.y.classes = count;
  data.y.index = std::move(classes);
  return data;
}

// A joint distribution of a feature and a label, both discrete.
class Joint {
 public:
  Joint(size_t states, size_t classes, RandomStream& random)
      : states_(states), classes_(classes), p_(states * classes) {
    double sum = 0;
    for (double& p : p_) sum += p = random.Below(4) == 0 ? 0 : random.Uniform();
    p_[0] += 0.01;
    for (double& p : p_) p /= sum + 0.01;
  }

  double P(size_t x, size_t y) const { return p_[x * classes_ + y]; }
  double OfState(size_t x) const {
    double sum = 0;
    for (size_t y = 0; y < classes_; ++y) sum += P(x, y);
    return sum;
  }
  double SquaresOfClasses() const {
    double squares = 0;
    for (size_t y = 0; y < classes_; ++y) {
      double sum = 0;
      for (size_t x = 0; x < states_; ++x) sum += P(x, y);
      squares += sum * sum;
    }
    return squares;
  }
  // I_q, Eq. 7 of the paper.
  double QuadraticInformation() const {
    double sum = 0;
    for (size_t x = 0; x < states_; ++x) {
      for (size_t y = 0; y < classes_ && OfState(x) > 0; ++y) sum += P(x, y) * P(x, y) / OfState(x);
    }
    return sum - SquaresOfClasses();
  }

  // E of the predictor R, a distribution over classes for each state: a row for each outcome, which
  // weighs as much as it is probable.
  double Error(const std::vector<double>& r) const {
    Dataset data = ClassesOf({}, static_cast<int>(classes_));
    data.x = MakeRows(Matrix(p_.size(), 1));
    Matrix scores(p_.size(), classes_);
    for (size_t i = 0; i < p_.size(); ++i) {
      data.y.index.push_back(static_cast<int32_t>(i % classes_));
      data.weight.push_back(static_cast<float>(p_[i]));
      for (size_t y = 0; y < classes_; ++y) {
        scores(i, y) =
            static_cast<float>(std::log(std::max(1e-30, r[i / classes_ * classes_ + y])));
      }
    }
    BatchLoss loss;
    loss.Prepare(scores.view(), data, AllRows(p_.size()));
    return loss.error();
  }

  std::vector<double> Conditional() const {
    std::vector<double> r(p_.size(), 1.0 / static_cast<double>(classes_));
    for (size_t i = 0; i < r.size(); ++i) {
      if (OfState(i / classes_) > 0) r[i] = p_[i] / OfState(i / classes_);
    }
    return r;
  }

 private:
  size_t states_, classes_;
  std::vector<double> p_;
};

TEST(Theorem41, TheLeastErrorIsOneMinusSquaresMinusQuadraticInformation) {
  RandomStream random(41, 0);
  for (int trial = 0; trial < 300; ++trial) {
    const size_t classes = 2 + random.Below(6);
    const Joint joint(1 + random.Below(8), classes, random);
    const std::vector<double> best = joint.Conditional();
    const double least = joint.Error(best);
    EXPECT_NEAR(least, 1 - joint.SquaresOfClasses() - joint.QuadraticInformation(), 1e-5);

    // Any other predictor is worse: mix the best one with a random distribution.
    std::vector<double> other = best;
    double moved = 0;
    for (size_t x = 0; x < best.size() / classes; ++x) {
      std::vector<double> noise(classes);
      double sum = 0;
      for (double& n : noise) sum += n = random.Uniform();
      for (size_t y = 0; y < classes; ++y) {
        other[x * classes + y] = 0.8 * best[x * classes + y] + 0.2 * noise[y] / sum;
        const double change = other[x * classes + y] - best[x * classes + y];
        moved += joint.OfState(x) * change * change;
      }
    }
    // E is quadratic in R: it rises by exactly the mean squared change.
    EXPECT_NEAR(joint.Error(other) - least, moved, 1e-5);
    EXPECT_GT(moved, 0);
  }
}

TEST(BatchLoss, HasTheHandValuesOfTwoRows) {
  Dataset data = ClassesOf({0, 1}, 2);
  Matrix scores(2, 2);
  scores(0, 0) = std::log(3.0f);  // R = 3/4, 1/4; true class 0
  scores(1, 0) = std::log(9.0f);  // R = 9/10, 1/10; true class 1
  BatchLoss loss;
  loss.Prepare(scores.view(), data, AllRows(2));
  EXPECT_NEAR(loss.task(), -(std::log(0.75) + std::log(0.1)) / 2, 1e-6);
  EXPECT_NEAR(loss.error(), (2 * 0.25 * 0.25 + 2 * 0.9 * 0.9) / 2, 1e-6);
  EXPECT_EQ(loss.accuracy(), 0.5);
  EXPECT_NEAR(static_cast<double>(loss.predictions()[1]), 0.1, 1e-7);

  data.weight = {3, 1};
  loss.Prepare(scores.view(), data, AllRows(2));
  EXPECT_NEAR(loss.task(), -(3 * std::log(0.75) + std::log(0.1)) / 4, 1e-6);
  EXPECT_EQ(loss.accuracy(), 0.75);
}

TEST(BatchLoss, IsTheSameForEqualWeightsAndForNone) {
  std::vector<int32_t> classes(37);
  Matrix scores(classes.size(), 3);
  RandomStream random(11, 0);
  for (size_t i = 0; i < classes.size(); ++i) {
    classes[i] = static_cast<int32_t>(random.Below(3));
    for (size_t c = 0; c < 3; ++c) scores(i, c) = static_cast<float>(10 * random.Normal());
  }
  Dataset data = ClassesOf(classes, 3);
  BatchLoss plain, weighted;
  plain.Prepare(scores.view(), data, AllRows(classes.size()));
  data.weight.assign(classes.size(), 2.0f);
  weighted.Prepare(scores.view(), data, AllRows(classes.size()));
  EXPECT_NEAR(plain.task(), weighted.task(), 1e-6);
  EXPECT_EQ(plain.accuracy(), weighted.accuracy());
}

TEST(BatchLoss, HasTheHandValuesOfARegression) {
  Dataset data{MakeRows(Matrix(3, 1)), {}, {}};
  data.y.task = Task::kRegression;
  data.y.value = {9, 1, -2};
  Matrix scores(2, 1);
  scores(0, 0) = 1.5f;
  scores(1, 0) = -4;
  BatchLoss loss;
  loss.Prepare(scores.view(), data, std::vector<int32_t>{1, 2});
  EXPECT_DOUBLE_EQ(loss.task(), (0.5 + 2) / 2);
  EXPECT_DOUBLE_EQ(loss.error(), (0.25 + 4) / 2);
}

TEST(BatchLoss, StaysFiniteForScoresThatSettleEverything) {
  Dataset data = ClassesOf({1}, 3);
  Matrix scores(1, 3), d_scores = scores;
  scores(0, 0) = 500;
  scores(0, 1) = -500;
  BatchLoss loss;
  loss.Prepare(scores.view(), data, AllRows(1));
  EXPECT_DOUBLE_EQ(loss.task(), 1000);
  loss.Gradient(1, {}, d_scores.view());
  for (size_t c = 0; c < 3; ++c) EXPECT_TRUE(std::isfinite(d_scores(0, c)));
}

// Scores that do not tell classes apart are no success: the first of the best counts as the answer.
TEST(BatchLoss, EqualScoresAreOneAnswerNotAllOfThem) {
  Dataset data = ClassesOf({0, 1, 2, 0}, 3);
  Matrix scores(4, 3);
  BatchLoss loss;
  loss.Prepare(scores.view(), data, AllRows(4));
  EXPECT_EQ(loss.accuracy(), 0.5);
}

TEST(BatchLoss, ABatchWithoutWeightTeachesNothing) {
  Dataset data = ClassesOf({0, 1}, 2);
  data.weight = {0, 0};
  Matrix scores(2, 2), d_scores = scores;
  scores(0, 1) = 1;
  BatchLoss loss;
  loss.Prepare(scores.view(), data, AllRows(2));
  loss.Gradient(1, {}, d_scores.view());
  EXPECT_EQ(loss.task(), 0);
  for (size_t i = 0; i < 2; ++i) {
    for (size_t c = 0; c < 2; ++c) EXPECT_EQ(d_scores(i, c), 0.0f);
  }
}

}  // namespace
}  // namespace slm
