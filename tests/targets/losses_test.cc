#include "targets/losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "slm/errors.h"
#include "tests/data/indices.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

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
  // I_q, Eq. 6 of the paper.
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
    const std::unique_ptr<Loss> loss = CrossEntropyLoss().make();
    loss->Prepare(scores.view(), data, Indices(p_.size()));
    return loss->error();
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

TEST(CrossEntropy, HasTheHandValuesOfTwoRows) {
  Dataset data = ClassesOf({0, 1}, 2);
  Matrix scores(2, 2);
  scores(0, 0) = std::log(3.0f);  // R = 3/4, 1/4; true class 0
  scores(1, 0) = std::log(9.0f);  // R = 9/10, 1/10; true class 1
  const std::unique_ptr<Loss> loss = CrossEntropyLoss().make();
  loss->Prepare(scores.view(), data, Indices(2));
  EXPECT_NEAR(loss->task(), -(std::log(0.75) + std::log(0.1)) / 2, 1e-6);
  EXPECT_NEAR(loss->error(), (2 * 0.25 * 0.25 + 2 * 0.9 * 0.9) / 2, 1e-6);
  EXPECT_EQ(loss->quality(), 0.5);
  EXPECT_NEAR(static_cast<double>(loss->predictions()[1]), 0.1, 1e-7);

  data.weight = {3, 1};
  loss->Prepare(scores.view(), data, Indices(2));
  EXPECT_NEAR(loss->task(), -(3 * std::log(0.75) + std::log(0.1)) / 4, 1e-6);
  EXPECT_EQ(loss->quality(), 0.75);
}

TEST(AbsoluteError, HasTheHandValuesOfTwoRows) {
  Dataset data{MakeRows(Matrix(3, 1)), {}, {}};
  data.y.task = Task::kRegression;
  data.y.value = {9, 1, -2};
  Matrix scores(2, 1);
  scores(0, 0) = 1.5f;
  scores(1, 0) = -4;
  const std::unique_ptr<Loss> loss = AbsoluteLoss().make();
  loss->Prepare(scores.view(), data, std::vector<int32_t>{1, 2});
  EXPECT_DOUBLE_EQ(loss->task(), (0.5 + 2) / 2);
  EXPECT_DOUBLE_EQ(loss->error(), (0.25 + 4) / 2);
}

TEST(CrossEntropy, StaysFiniteForScoresThatSettleEverything) {
  Dataset data = ClassesOf({1}, 3);
  Matrix scores(1, 3), d_scores = scores;
  scores(0, 0) = 500;
  scores(0, 1) = -500;
  const std::unique_ptr<Loss> loss = CrossEntropyLoss().make();
  loss->Prepare(scores.view(), data, Indices(1));
  EXPECT_DOUBLE_EQ(loss->task(), 1000);
  loss->Gradient(1, {}, d_scores.view());
  for (size_t c = 0; c < 3; ++c) EXPECT_TRUE(std::isfinite(d_scores(0, c)));
}

// Scores that do not tell classes apart are no success: the first of the best counts as the answer.
TEST(CrossEntropy, EqualScoresAreOneAnswerNotAllOfThem) {
  Dataset data = ClassesOf({0, 1, 2, 0}, 3);
  Matrix scores(4, 3);
  const std::unique_ptr<Loss> loss = CrossEntropyLoss().make();
  loss->Prepare(scores.view(), data, Indices(4));
  EXPECT_EQ(loss->quality(), 0.5);
}

// Rows that suit the labels of a loss, scores for them and, where asked for, unequal weights.
struct Batch {
  Batch(const LossKind& kind, bool weighted, uint64_t seed)
      : data{MakeRows(Matrix(kRows, 1)), {}, {}} {
    RandomStream random(seed, 0);
    data.y.task = kind.task;
    data.y.classes = kind.task == Task::kClassification ? 3 : 0;
    for (size_t i = 0; i < kRows; ++i) {
      if (data.y.has_classes()) {
        data.y.index.push_back(static_cast<int32_t>(random.Below(3)));
      } else {
        data.y.value.push_back(static_cast<float>(random.Normal()));
      }
      if (weighted) data.weight.push_back(static_cast<float>(random.Uniform(0, 3)));
    }
    scores = Matrix(kRows, data.y.outputs());
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t c = 0; c < scores.cols(); ++c) scores(i, c) = static_cast<float>(random.Normal());
      d_predictions.push_back(static_cast<float>(random.Normal() / 10));
    }
  }

  static constexpr size_t kRows = 19;
  Dataset data;
  Matrix scores;
  std::vector<float> d_predictions;
};

class EveryLoss : public testing::TestWithParam<const LossKind*> {};

INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss, testing::ValuesIn(Losses().begin(), Losses().end()),
                         [](const auto& param) {
                           std::string name(param.param->name);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EveryLoss, HasTheGradientOfCentralDifferences) {
  constexpr double kErrorWeight = 0.7;
  const std::unique_ptr<Loss> loss = GetParam()->make();
  for (const bool weighted : {false, true}) {
    Batch batch(*GetParam(), weighted, 5);
    auto total = [&] {
      loss->Prepare(batch.scores.view(), batch.data, Indices(Batch::kRows));
      double sum = loss->task() + kErrorWeight * loss->error();
      for (size_t i = 0; i < Batch::kRows; ++i) {
        sum += double{batch.d_predictions[i]} * double{loss->predictions()[i]};
      }
      return sum;
    };
    total();
    Matrix gradient(Batch::kRows, batch.scores.cols());
    loss->Gradient(kErrorWeight, batch.d_predictions, gradient.view());
    for (size_t i = 0; i < Batch::kRows; ++i) {
      for (size_t c = 0; c < batch.scores.cols(); ++c) {
        float& score = batch.scores(i, c);
        const float here = score, above = here + 0.01f, below = here - 0.01f;
        score = above;
        const double up = total();
        score = below;
        const double down = total();
        score = here;
        EXPECT_NEAR((up - down) / (double{above} - double{below}), double{gradient(i, c)}, 1e-4)
            << "row " << i << ", output " << c;
      }
    }
  }
}

TEST_P(EveryLoss, EqualWeightsAreLikeNone) {
  Batch batch(*GetParam(), false, 6);
  const std::unique_ptr<Loss> plain = GetParam()->make(), weighted = GetParam()->make();
  plain->Prepare(batch.scores.view(), batch.data, Indices(Batch::kRows));
  batch.data.weight.assign(Batch::kRows, 2.0f);
  weighted->Prepare(batch.scores.view(), batch.data, Indices(Batch::kRows));
  EXPECT_NEAR(plain->task(), weighted->task(), 1e-6);
  EXPECT_NEAR(plain->error(), weighted->error(), 1e-6);
  EXPECT_NEAR(plain->quality(), weighted->quality(), 1e-6);
}

TEST_P(EveryLoss, ABatchWithoutWeightTeachesNothing) {
  Batch batch(*GetParam(), false, 7);
  batch.data.weight.assign(Batch::kRows, 0.0f);
  const std::unique_ptr<Loss> loss = GetParam()->make();
  loss->Prepare(batch.scores.view(), batch.data, Indices(Batch::kRows));
  Matrix gradient(Batch::kRows, batch.scores.cols());
  std::fill_n(gradient.data(), gradient.rows() * gradient.stride(), 1.0f);
  loss->Gradient(1, {}, gradient.view());
  EXPECT_EQ(loss->task(), 0);
  for (size_t i = 0; i < gradient.rows() * gradient.stride(); ++i) {
    EXPECT_EQ(gradient.data()[i], 0.0f);
  }
}

TEST(Losses, AgreeWithPyTorch) {
  const Golden golden("losses");
  const std::vector<double>& weight = golden.at("weight");
  const std::vector<float> d(golden.at("d_predictions").begin(), golden.at("d_predictions").end());
  for (const std::string name : {"absolute", "cross-entropy", "squared"}) {
    const bool classes = name == "cross-entropy";
    Dataset data =
        golden
            .MakeProblem(classes ? Task::kClassification : Task::kRegression,
                         classes ? "class_scores" : "value_scores", classes ? "classes" : "values")
            .train;
    data.weight.assign(weight.begin(), weight.end());
    const Matrix scores = golden.matrix(classes ? "class_scores" : "value_scores");
    const Matrix expected = golden.matrix(name + "_gradient");
    const std::unique_ptr<Loss> loss = FindLoss(name, data.y).make();
    loss->Prepare(scores.view(), data, Indices(data.rows()));
    EXPECT_NEAR(loss->task(), golden.at(name + "_parts")[0], 1e-6) << name;
    EXPECT_NEAR(loss->error(), golden.at(name + "_parts")[1], 1e-6) << name;
    Matrix gradient(scores.rows(), scores.cols());
    loss->Gradient(0.7, d, gradient.view());
    for (size_t i = 0; i < scores.rows(); ++i) {
      for (size_t c = 0; c < scores.cols(); ++c) {
        EXPECT_NEAR(gradient(i, c), expected(i, c), 1e-6f) << name << ", row " << i;
      }
    }
  }
}

TEST(Losses, AreSortedByNameWithOneByDefaultForEachTask) {
  std::string_view last;
  std::vector<Task> served;
  for (const LossKind* loss : Losses()) {
    EXPECT_LT(last, loss->name);
    last = loss->name;
    if (loss->by_default) served.push_back(loss->task);
  }
  std::sort(served.begin(), served.end());
  EXPECT_EQ(served, (std::vector<Task>{Task::kClassification, Task::kRegression}));
}

std::string UsageErrorOf(std::string_view name, const Labels& labels) {
  try {
    FindLoss(name, labels);
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Losses, AnUnfitOrUnknownNameIsAUsageErrorThatListsWhatFits) {
  const Labels classes = ClassesOf({0, 1}, 2).y;
  EXPECT_EQ(&FindLoss("auto", classes), &CrossEntropyLoss());
  const std::string unfit = UsageErrorOf("squared", classes);
  EXPECT_NE(unfit.find("take one of: auto, cross-entropy"), std::string::npos) << unfit;
  const std::string unknown = UsageErrorOf("cross_entropy", classes);
  EXPECT_NE(unknown.find("did you mean 'cross-entropy'?"), std::string::npos) << unknown;
}

}  // namespace
}  // namespace slm
