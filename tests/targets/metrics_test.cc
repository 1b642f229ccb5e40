#include "targets/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "slm/errors.h"
#include "targets/class_metrics.h"
#include "targets/measure.h"
#include "targets/target.h"

namespace slm {
namespace {

Matrix ScoresOf(const std::vector<std::vector<float>>& rows) {
  Matrix scores(rows.size(), rows[0].size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t c = 0; c < rows[i].size(); ++c) scores(i, c) = rows[i][c];
  }
  return scores;
}

double Value(const char* name, const Matrix& scores, const Dataset& data, double unit = 1) {
  return FindMetric(name, data.y.task).measure(scores, data, unit);
}

struct Classes {
  Matrix scores = ScoresOf({{2, 1}, {2, 1}, {2, 1}, {0, 3}});
  Dataset data{MakeRows(Matrix(4, 1)), {}, {}};

  Classes() {
    data.y.classes = 2;
    data.y.index = {0, 0, 1, 1};
  }
};

TEST(Metrics, OfClassesHaveTheirHandValues) {
  const Classes c;
  EXPECT_DOUBLE_EQ(Value("accuracy", c.scores, c.data), 0.75);
  EXPECT_DOUBLE_EQ(Value("balanced_accuracy", c.scores, c.data), 0.75);
  const double wrong = std::log(1 + std::exp(1)), right = std::log(1 + std::exp(-1)),
               sure = std::log(1 + std::exp(-3));
  EXPECT_NEAR(Value("log_loss", c.scores, c.data), (2 * right + wrong + sure) / 4, 1e-6);
}

TEST(MeasureForChoice, GoesByWhatTheMetricOfTheRowsCallsFor) {
  Classes c;
  auto quality = [&](const char* metric) {
    c.data.metric = &FindMetric(metric, Task::kClassification);
    return MeasureForChoice(c.scores, c.data, CrossEntropyLoss()).quality;
  };
  const double explained = 1 - Value("log_loss", c.scores, c.data) / std::log(2);
  EXPECT_DOUBLE_EQ(quality("accuracy"), 0.75);
  EXPECT_NEAR(quality("auc"), explained, 1e-6);
  EXPECT_NEAR(quality("log_loss"), explained, 1e-6);
  EXPECT_NEAR(quality("balanced_accuracy"), (0.75 + explained) / 2, 1e-6);
  // Reported figures stay what they are.
  EXPECT_DOUBLE_EQ(Value("accuracy", c.scores, c.data), 0.75);
}

TEST(MeasureForChoice, OfTheSharesOfTheClassesAloneExplainsNothing) {
  const float odds = static_cast<float>(std::log(3));
  Dataset data{MakeRows(Matrix(4, 1)), {}, {}};
  data.y.classes = 2;
  data.y.index = {0, 0, 0, 1};
  data.metric = &FindMetric("auc", Task::kClassification);
  const Matrix scores = ScoresOf({{odds, 0}, {odds, 0}, {odds, 0}, {odds, 0}});
  EXPECT_NEAR(MeasureForChoice(scores, data, CrossEntropyLoss()).quality, 0, 1e-6);
  const Matrix sure = ScoresOf({{30, 0}, {30, 0}, {30, 0}, {0, 30}});
  EXPECT_NEAR(MeasureForChoice(sure, data, CrossEntropyLoss()).quality, 1, 1e-6);
  // Rows of one class have no entropy to explain; a smaller loss is still better.
  data.y.index = {0, 0, 0, 0};
  const Matrix all_first = ScoresOf({{30, 0}, {30, 0}, {30, 0}, {30, 0}});
  EXPECT_GT(MeasureForChoice(all_first, data, CrossEntropyLoss()).quality,
            MeasureForChoice(scores, data, CrossEntropyLoss()).quality);
}

TEST(MeasureForChoice, OfValuesIsTheLossUnlessSquaresAreMeasured) {
  Dataset data{MakeRows(Matrix(3, 1)), {}, {}};
  data.y.task = Task::kRegression;
  data.y.value = {-1, 0, 1};
  const Matrix scores = ScoresOf({{-1}, {0}, {0}});
  auto quality = [&](const char* metric) {
    data.metric = &FindMetric(metric, Task::kRegression);
    return MeasureForChoice(scores, data, AbsoluteLoss()).quality;
  };
  EXPECT_NEAR(quality("mae"), -1.0 / 3, 1e-6);
  EXPECT_NEAR(quality("r2"), 0.5, 1e-6);
  EXPECT_NEAR(quality("rmse"), 0.5, 1e-6);
}

// Rows are measured in blocks of kRowsPerBlock.
TEST(Metrics, OfSeveralBlocksAreThoseOfAllRows) {
  const size_t rows = 2 * kRowsPerBlock + 1000;
  Dataset classes{MakeRows(Matrix(rows, 1)), {}, {}}, values{MakeRows(Matrix(rows, 1)), {}, {}};
  classes.y.classes = 2;
  values.y.task = Task::kRegression;
  Matrix class_scores(rows, 2), value_scores(rows, 1);
  double weights = 0, right = 0, loss = 0, error = 0;
  for (size_t i = 0; i < rows; ++i) {
    const float weight = static_cast<float>(i % 3 + (i < kRowsPerBlock ? 1 : 0));
    const bool hit = i % 5 != 0;
    classes.weight.push_back(weight);
    values.weight.push_back(weight);
    classes.y.index.push_back(static_cast<int32_t>(i % 2));
    class_scores(i, hit ? i % 2 : 1 - i % 2) = 1;
    values.y.value.push_back(0);
    value_scores(i, 0) = static_cast<float>(i % 7);
    weights += weight;
    right += hit ? weight : 0;
    loss += weight * std::log(1 + std::exp(hit ? -1 : 1));
    error += weight * static_cast<double>(i % 7);
  }
  EXPECT_NEAR(Value("accuracy", class_scores, classes), right / weights, 1e-12);
  EXPECT_NEAR(Value("log_loss", class_scores, classes), loss / weights, 1e-6);
  EXPECT_NEAR(Value("mae", value_scores, values), error / weights, 1e-6);
}

TEST(Metrics, CountRowsByTheirWeight) {
  Classes c;
  c.data.weight = {1, 1, 3, 1};
  EXPECT_NEAR(Value("accuracy", c.scores, c.data), 0.5, 1e-7);
  EXPECT_DOUBLE_EQ(Value("balanced_accuracy", c.scores, c.data), (1 + 0.25) / 2);
}

TEST(Metrics, BalancedAccuracyLeavesOutClassesWithoutRows) {
  Classes c;
  c.data.y.classes = 3;
  const Matrix scores = ScoresOf({{2, 1, 0}, {2, 1, 0}, {2, 1, 0}, {0, 3, 0}});
  EXPECT_DOUBLE_EQ(Value("balanced_accuracy", scores, c.data), 0.75);
}

TEST(Metrics, AucCountsPairsInOrderAndTiesHalf) {
  const Classes c;
  // Odds of class 1: -1, -1 | -1, 3. Of the four pairs two are in order and two tied.
  EXPECT_DOUBLE_EQ(Value("auc", c.scores, c.data), 0.75);
  Classes reversed;
  reversed.data.y.index = {1, 1, 0, 0};
  EXPECT_DOUBLE_EQ(Value("auc", reversed.scores, reversed.data), 0.25);
}

TEST(Metrics, AucWeighsPairsByTheirRows) {
  Classes c;
  c.data.weight = {1, 1, 3, 1};
  // Pairs of the third row are tied and weigh 3, those of the fourth in order.
  EXPECT_DOUBLE_EQ(Value("auc", c.scores, c.data), (3 * 0.5 + 1) / 4);
}

TEST(Metrics, AucTellsApartScoresWhoseProbabilitiesRoundToOne) {
  Classes c;
  c.data.y.index = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(Value("auc", ScoresOf({{0, 100}, {0, 101}, {0, 102}, {0, 103}}), c.data), 1);
}

TEST(Metrics, AucOfManyClassesIsTheMeanOfEachAgainstTheRest) {
  Dataset data{MakeRows(Matrix(4, 1)), {}, {}};
  data.y.classes = 4;  // the last has no rows and does not count
  data.y.index = {0, 1, 2, 2};
  auto log = [](std::vector<float> p) {
    for (float& x : p) x = std::log(x);
    return p;
  };
  const Matrix scores = ScoresOf({log({.7f, .1f, .1f, .1f}), log({.2f, .4f, .3f, .1f}),
                                  log({.15f, .5f, .25f, .1f}), log({.1f, .2f, .6f, .1f})});
  // Class 0: 1. Class 1: .4 against .1, .5, .2. Class 2: .25, .6 against .1, .3.
  EXPECT_NEAR(Value("auc", scores, data), (1 + 2.0 / 3 + 3.0 / 4) / 3, 1e-12);
}

// Rows of more classes than are summed one by one: some sure, some tied, some classes without rows.
struct ManyClasses {
  static constexpr size_t kRows = 60, kClasses = 80;
  Matrix scores{kRows, kClasses};
  Dataset data{MakeRows(Matrix(kRows, 1)), {}, {}};

  ManyClasses() {
    data.y.classes = static_cast<int>(kClasses);
    for (size_t i = 0; i < kRows; ++i) {
      const size_t own = i * 7 % 50;
      data.y.index.push_back(static_cast<int32_t>(own));
      data.weight.push_back(static_cast<float>(1 + i % 3));
      for (size_t c = 0; c < kClasses; ++c) {
        scores(i, c) = static_cast<float>((i * 31 + c * 17) % 13) / 2 + (c == own ? 2.0f : 0.0f);
      }
      if (i % 5 == 0) scores(i, own) = 80.0f + static_cast<float>(i);
    }
  }

  // The logarithm of the odds, term by term.
  double Odds(size_t i, size_t of) const {
    double rest = 0;
    for (size_t c = 0; c < kClasses; ++c) {
      if (c != of) rest += std::exp(static_cast<double>(scores(i, c)) - 10);
    }
    return static_cast<double>(scores(i, of)) - 10 - std::log(rest);
  }

  // Mean over the classes with rows of pairs in order, counted one by one.
  double Auc() const {
    constexpr double kSame = 1e-9;
    double sum = 0, present = 0;
    for (size_t of = 0; of < kClasses; ++of) {
      double ordered = 0, pairs = 0;
      for (size_t a = 0; a < kRows; ++a) {
        if (static_cast<size_t>(data.y.index[a]) != of) continue;
        for (size_t b = 0; b < kRows; ++b) {
          if (static_cast<size_t>(data.y.index[b]) == of) continue;
          const double weight = data.weight[a] * data.weight[b];
          const double ahead = Odds(a, of) - Odds(b, of);
          pairs += weight;
          ordered += ahead > kSame ? weight : ahead < -kSame ? 0 : weight / 2;
        }
      }
      if (pairs <= 0) continue;
      sum += ordered / pairs;
      ++present;
    }
    return sum / present;
  }
};

TEST(Metrics, AucOfHundredsOfClassesCountsTheSamePairs) {
  const ManyClasses many;
  EXPECT_NEAR(Value("auc", many.scores, many.data), many.Auc(), 1e-12);
  EXPECT_GT(many.Auc(), 0.6);
  EXPECT_LT(many.Auc(), 1);
}

TEST(Metrics, AucOfASingleClassIsUndefined) {
  Classes c;
  c.data.y.index = {1, 1, 1, 1};
  EXPECT_TRUE(std::isnan(Value("auc", c.scores, c.data)));
}

// Scores of two classes whose odds of class 1 have the order of `odds`.
Matrix Odds(const std::vector<float>& odds) {
  std::vector<std::vector<float>> rows;
  for (float x : odds) rows.push_back({0, x});
  return ScoresOf(rows);
}

TEST(Metrics, AveragePrecisionIsThatOfTheLaterOfTwoClasses) {
  Classes c;
  c.data.y.index = {0, 0, 1, 1};
  // From the top: a hit (1 of 1), a miss, a hit (2 of 3).
  EXPECT_DOUBLE_EQ(Value("average_precision", Odds({.1f, .4f, .35f, .8f}), c.data),
                   (1 + 2.0 / 3) / 2);
}

TEST(Metrics, AveragePrecisionTakesTiedRowsAtOnceAndByWeight) {
  Classes c;
  c.data.y.index = {1, 0, 1, 0};
  const Matrix scores = Odds({.8f, .8f, .4f, .2f});
  EXPECT_DOUBLE_EQ(Value("average_precision", scores, c.data), 0.5 * 0.5 + 0.5 * 2 / 3);
  c.data.weight = {3, 1, 1, 1};
  EXPECT_DOUBLE_EQ(Value("average_precision", scores, c.data), 0.75 * 0.75 + 0.25 * 0.8);
}

TEST(Metrics, AveragePrecisionOfManyClassesIsTheMeanOfEachAgainstTheRest) {
  Dataset data{MakeRows(Matrix(3, 1)), {}, {}};
  data.y.classes = 3;
  data.y.index = {0, 1, 2};
  const Matrix scores = ScoresOf({{3, 0, 0}, {0, 3, 0}, {0, 3, 0}});
  // Class 0 first of three; class 1 in a tie of two at the top; class 2 in one of two at the end.
  EXPECT_DOUBLE_EQ(Value("average_precision", scores, data), (1 + 0.5 + 1.0 / 3) / 3);
}

TEST(Metrics, F1IsThatOfTheLaterOfTwoClasses) {
  Dataset data{MakeRows(Matrix(5, 1)), {}, {}};
  data.y.classes = 2;
  data.y.index = {1, 1, 0, 0, 1};
  const Matrix scores = Odds({1, -1, -1, 1, 1});  // two of three found, two of three right
  EXPECT_DOUBLE_EQ(Value("f1", scores, data), 2.0 / 3);
  data.weight = {2, 1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(Value("f1", scores, data), 2 * 3.0 / (4 + 4));
}

TEST(Metrics, F1OfManyClassesIsTheMeanOverThoseThatAreThereOrPredicted) {
  Dataset data{MakeRows(Matrix(4, 1)), {}, {}};
  data.y.classes = 4;
  data.y.index = {0, 0, 1, 2};
  const Matrix scores = ScoresOf({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}});
  EXPECT_DOUBLE_EQ(Value("f1", scores, data), (2.0 / 3 + 0.5 + 0) / 3);
}

TEST(FindRareClass, NeedsLessThanAFifthOfAnEvenShare) {
  std::vector<int32_t> classes(100, 0);
  std::fill(classes.begin(), classes.begin() + 10, 1);
  EXPECT_FALSE(FindRareClass(classes));
  classes[0] = 0;
  ASSERT_TRUE(FindRareClass(classes));
  EXPECT_EQ(FindRareClass(classes)->index, 1);
  EXPECT_EQ(FindRareClass(classes)->rows, 9u);
}

TEST(FindRareClass, ManyClassesOfOneSizeAreNotRare) {
  std::vector<int32_t> classes;
  for (int i = 0; i < 260; ++i) classes.push_back(i % 26);
  EXPECT_FALSE(FindRareClass(classes));
  EXPECT_FALSE(FindRareClass(std::vector<int32_t>(10, 3)));
}

TEST(Metrics, ScoresThatSeparateNothingAreNoSuccess) {
  const Classes c;
  const Matrix equal(4, 2);
  EXPECT_DOUBLE_EQ(Value("accuracy", equal, c.data), 0.5);
  EXPECT_DOUBLE_EQ(Value("balanced_accuracy", equal, c.data), 0.5);
  EXPECT_DOUBLE_EQ(Value("auc", equal, c.data), 0.5);
}

TEST(Metrics, OfValuesHaveTheirHandValuesInTheUnitOfTheTarget) {
  Dataset data{MakeRows(Matrix(4, 1)), {}, {}};
  data.y.task = Task::kRegression;
  data.y.value = {0, 1, 2, 3};
  const Matrix scores = ScoresOf({{0}, {2}, {2}, {1}});  // errors 0, 1, 0, 2
  EXPECT_DOUBLE_EQ(Value("mae", scores, data, 10), 7.5);
  EXPECT_DOUBLE_EQ(Value("rmse", scores, data, 10), 10 * std::sqrt(5.0 / 4));
  EXPECT_DOUBLE_EQ(Value("r2", scores, data, 10), 0);
  EXPECT_DOUBLE_EQ(Value("median_ae", scores, data, 10), 5);
  data.weight = {1, 0, 1, 0};
  EXPECT_DOUBLE_EQ(Value("mae", scores, data), 0);
  EXPECT_DOUBLE_EQ(Value("r2", scores, data), 1);
  data.weight = {1, 1, 1, 4};
  EXPECT_DOUBLE_EQ(Value("median_ae", scores, data), 2);
}

TEST(FindMetric, AutoIsAccuracyOrMeanAbsoluteError) {
  EXPECT_EQ(FindMetric("auto", Task::kClassification).name, "accuracy");
  EXPECT_EQ(FindMetric("auto", Task::kRegression).name, "mae");
}

TEST(FindMetric, EveryNameOfTheTableIsFound) {
  for (const Target* target : Targets()) {
    for (const Metric& metric : target->metrics()) {
      EXPECT_EQ(&FindMetric(metric.name, target->task()), &metric);
      EXPECT_EQ(FindMetricOfAnyTask(metric.name), &metric);
    }
  }
  EXPECT_EQ(FindMetricOfAnyTask("acuracy"), nullptr);
}

InputError::Kind KindOfError(const char* name, Task task, std::string* message) {
  try {
    FindMetric(name, task);
  } catch (const InputError& error) {
    *message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << name << " was accepted";
  return InputError::Kind::kUsage;
}

TEST(FindMetric, AnUnknownNameIsAUsageErrorThatSuggestsOne) {
  std::string message;
  EXPECT_EQ(KindOfError("acuracy", Task::kClassification, &message), InputError::Kind::kUsage);
  EXPECT_NE(message.find("'accuracy'"), std::string::npos) << message;
}

TEST(FindMetric, AMetricOfTheOtherTaskIsADataError) {
  std::string message;
  EXPECT_EQ(KindOfError("rmse", Task::kClassification, &message), InputError::Kind::kData);
  EXPECT_EQ(KindOfError("accuracy", Task::kRegression, &message), InputError::Kind::kData);
}

}  // namespace
}  // namespace slm
