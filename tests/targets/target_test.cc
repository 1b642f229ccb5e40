#include "targets/target.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string_view>

#include "data/encoding/encoder.h"
#include "targets/losses.h"
#include "targets/weights.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Strings = std::vector<std::string>;

Table Repeated(const std::string& header, const std::string& rows, int times) {
  std::string text = header;
  for (int i = 0; i < times; ++i) text += rows;
  return ReadText(text);
}

TargetEncoder FitAll(const Table& table, size_t target, Task task) {
  return TargetEncoder::Fit(table, target, task, AllIndices(table.rows));
}

TEST(Target, TheTaskFollowsFromTheColumn) {
  auto task = [](const Table& table) { return DecideTask(table, 0, TaskChoice::kAuto); };
  EXPECT_EQ(task(Repeated("y,x\n", "a,1\nb,2\n", 5)), Task::kClassification);
  EXPECT_EQ(task(Repeated("y,x\n", "yes,1\nno,2\n", 5)), Task::kClassification);
  EXPECT_EQ(task(Repeated("y,x\n", "0,1\n1,2\n", 2)), Task::kClassification);
  EXPECT_EQ(task(Repeated("y,x\n", "1.,1\n2.,2\n3.,3\n", 10)), Task::kClassification);
  EXPECT_EQ(task(Repeated("y,x\n", "1,1\n2,2\n3,3\n", 2)), Task::kRegression);
  EXPECT_EQ(task(Repeated("y,x\n", "1.5,1\n2,2\n", 50)), Task::kRegression);
  EXPECT_EQ(task(Repeated("y,x\n", "2020-01-01,1\n2020-01-02,2\n", 50)), Task::kRegression);
  std::string many = "y,x\n";
  for (int i = 0; i < 5100; ++i) many += std::to_string(i % 51) + ",1\n";
  EXPECT_EQ(task(ReadText(many)), Task::kRegression);
}

TEST(Target, RowsWithoutATargetAreCountedUnlessTheyAreAll) {
  Table table = ReadText("y,x\na,1\n,2\nb,3\nNA,4\n");
  const std::vector<size_t> rows = RowsWithTarget(table, 0);
  EXPECT_EQ(rows, (std::vector<size_t>{0, 2}));
  KeepRows(rows, &table);
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{1, 3}));
  EXPECT_NE(table.Where(1).find("line 4"), std::string::npos) << table.Where(1);
  const Table none = ReadText("y,x\n,1\n,2\n");
  EXPECT_NE(DataErrorOf([&] { RowsWithTarget(none, 0); }).find("missing in all 2 rows"),
            std::string::npos);
}

TEST(Target, TheTaskCanBeChosenUnlessItIsText) {
  Table table = ReadText("y,t\n0,a\n1,b\n");
  EXPECT_EQ(DecideTask(table, 0, TaskChoice::kRegression), Task::kRegression);
  EXPECT_NE(DataErrorOf([&] { DecideTask(table, 1, TaskChoice::kRegression); }).find("'t'"),
            std::string::npos);
}

TEST(Target, ClassesAreInOrderOfValueOrText) {
  Table table = ReadText("n,t,b\n10,z,yes\n9,a,no\n10,m,yes\n");
  EXPECT_EQ(FitAll(table, 0, Task::kClassification).classes(), (Strings{"9", "10"}));
  EXPECT_EQ(FitAll(table, 1, Task::kClassification).classes(), (Strings{"a", "m", "z"}));
  TargetEncoder boolean = FitAll(table, 2, Task::kClassification);
  EXPECT_EQ(boolean.classes(), (Strings{"false", "true"}));
  Labels labels = boolean.Encode(table, AllIndices(3));
  EXPECT_EQ(labels.classes, 2);
  EXPECT_EQ(labels.index, (std::vector<int32_t>{1, 0, 1}));
}

TEST(Target, ClassesOfAnotherFileAreMatchedByText) {
  Table train = ReadText("y,x\nb,1\nc,2\nb,3\n"), test = ReadText("y,x\nc,1\nb,2\n");
  TargetEncoder encoder = FitAll(train, 0, Task::kClassification);
  EXPECT_EQ(encoder.Encode(test, AllIndices(2)).index, (std::vector<int32_t>{1, 0}));
  Table unseen = ReadText("y,x\nc,1\na,2\n");
  std::string message = DataErrorOf([&] { encoder.Encode(unseen, AllIndices(2)); });
  EXPECT_NE(message.find("line 3"), std::string::npos) << message;
  EXPECT_NE(message.find("'a'"), std::string::npos) << message;
}

TEST(Target, ARegressionTargetIsStandardisedByTrainingRows) {
  Table table = ReadText("y,x\n1,1\n3,2\n100,3\n");
  std::vector<size_t> train = {0, 1};
  TargetEncoder encoder = TargetEncoder::Fit(table, 0, Task::kRegression, train);
  Labels labels = encoder.Encode(table, AllIndices(3));
  EXPECT_EQ(labels.value, (std::vector<float>{-1, 1, 98}));
  Matrix scores(1, 1);
  scores(0, 0) = 98;
  EXPECT_EQ(encoder.Decode(scores).values, std::vector<double>{100});
}

TEST(Target, MissingCellsAreNamedByLine) {
  Table table = ReadText("y,x\na,1\n,2\nb,3\nNA,4\n");
  std::string message = DataErrorOf([&] { FitAll(table, 0, Task::kClassification); });
  EXPECT_NE(message.find("2 rows"), std::string::npos) << message;
  EXPECT_NE(message.find("line 3"), std::string::npos) << message;
  EXPECT_NE(message.find("line 5"), std::string::npos) << message;
  EXPECT_EQ(DataErrorOf([&] { StrataOfRows(table, 0, Task::kClassification); }), message);
}

TEST(Target, OneClassOrOneValueIsAnError) {
  Table table = ReadText("y,n,x\na,5,1\na,5,2\na,5,3\n");
  EXPECT_NE(DataErrorOf([&] { FitAll(table, 0, Task::kClassification); }).find("one class only"),
            std::string::npos);
  EXPECT_NE(DataErrorOf([&] { FitAll(table, 1, Task::kRegression); }).find("same value"),
            std::string::npos);
}

TEST(Target, ScoresOfClassesAreDecodedToTheFirstOfTheBest) {
  const Table table = ReadText("y,x\nb,1\na,2\nc,3\n");
  Matrix scores(2, 3);
  scores(0, 1) = 3;  // then all are equal
  const Predictions found = FitAll(table, 0, Task::kClassification).Decode(scores);
  EXPECT_EQ(found.classes, (std::vector<int32_t>{1, 0}));
  EXPECT_FLOAT_EQ(found.probabilities(1, 2), 1.0f / 3);
  EXPECT_TRUE(found.values.empty());
}

TEST(Target, ClassesAreStrataAndValuesAreNot) {
  const Table table = ReadText("n,t\n10,z\n9,a\n10,z\n");
  EXPECT_EQ(StrataOfRows(table, 0, Task::kClassification), (std::vector<int32_t>{1, 0, 1}));
  EXPECT_EQ(StrataOfRows(table, 1, Task::kClassification), (std::vector<int32_t>{1, 0, 1}));
  EXPECT_TRUE(StrataOfRows(table, 0, Task::kRegression).empty());
}

TEST(Target, ARareClassIsMeasuredByTheAreaUnderTheCurve) {
  std::string text = "y,x\n";
  for (int i = 0; i < 100; ++i) text += i < 5 ? "sick,1\n" : "well,2\n";
  const Table table = ReadText(text);
  const DefaultMetric rare = ClassTarget().MetricFor(table, table.columns[0]);
  EXPECT_EQ(rare.name, "auc");
  EXPECT_NE(rare.remark.find("'sick' has 5 of 100 rows"), std::string::npos) << rare.remark;
  const Table even = Repeated("y,x\n", "a,1\nb,2\n", 5);
  EXPECT_EQ(ClassTarget().MetricFor(even, even.columns[0]).name, "accuracy");
}

// What each line of the table has to bring along.
TEST(Targets, HaveANameAndATaskOfTheirOwnALossAndSortedMetrics) {
  std::set<std::string_view> names;
  std::set<Task> tasks;
  for (const Target* target : Targets()) {
    EXPECT_TRUE(names.insert(target->name()).second) << target->name();
    EXPECT_TRUE(tasks.insert(target->task()).second) << target->name();
    EXPECT_EQ(FindTarget(target->name()), target);
    EXPECT_EQ(&TargetOf(target->task()), target);
    Labels labels;
    labels.task = target->task();
    EXPECT_EQ(DefaultLoss(labels).task, target->task());
    EXPECT_EQ(FindMetric("auto", target->task()).name, target->default_metric());
    std::string_view last;
    for (const Metric& metric : target->metrics()) {
      EXPECT_LT(last, metric.name);
      last = metric.name;
    }
  }
  EXPECT_EQ(FindTarget("clustering"), nullptr);
}

TEST(Weights, HaveMeanOneOverTrainingRows) {
  Table table = ReadText("y,w\n0,1\n1,3\n0,8\n");
  std::vector<size_t> train = {0, 1};
  Labels labels;
  labels.classes = 2;
  labels.index = {0, 1};
  WeightRule rule = WeightRule::Fit(table, train, labels, "w", false);
  EXPECT_EQ(rule.Weights(table, train, labels), (std::vector<float>{0.5, 1.5}));
  std::vector<size_t> test = {2};
  labels.index = {0};
  EXPECT_EQ(rule.Weights(table, test, labels), (std::vector<float>{4}));
}

TEST(Weights, BalancedClassesHaveTheSameTotal) {
  Table table = ReadText("y,w\n0,1\n1,1\n0,1\n0,2\n");
  Labels labels;
  labels.classes = 2;
  labels.index = {0, 1, 0, 0};
  WeightRule rule = WeightRule::Fit(table, AllIndices(4), labels, "", true);
  std::vector<float> weights = rule.Weights(table, AllIndices(4), labels);
  EXPECT_FLOAT_EQ(weights[1], 2);
  EXPECT_FLOAT_EQ(weights[0] + weights[2] + weights[3], 2);
  weights = WeightRule::Fit(table, AllIndices(4), labels, "w", true)
                .Weights(table, AllIndices(4), labels);
  EXPECT_FLOAT_EQ(weights[1], 2);
  EXPECT_FLOAT_EQ(weights[3], 1);
}

TEST(Weights, EqualWeightsAreNone) {
  Table table = ReadText("y,w\n0,1\n1,1\n");
  Labels labels;
  labels.classes = 2;
  labels.index = {0, 1};
  WeightRule rule = WeightRule::Fit(table, AllIndices(2), labels, "", false);
  EXPECT_TRUE(rule.Weights(table, AllIndices(2), labels).empty());
}

TEST(Weights, NegativeMissingTextAndZeroOnesAreErrors) {
  Table table = ReadText("y,neg,none,text,zero\n0,1,1,a,0\n1,-1,,b,0\n");
  Labels labels;
  labels.classes = 2;
  labels.index = {0, 1};
  auto message = [&](const std::string& column) {
    return DataErrorOf([&] { WeightRule::Fit(table, AllIndices(2), labels, column, false); });
  };
  EXPECT_NE(message("neg").find("line 3"), std::string::npos);
  EXPECT_NE(message("none").find("missing"), std::string::npos);
  EXPECT_NE(message("text").find("'text'"), std::string::npos);
  EXPECT_NE(message("zero").find("'zero'"), std::string::npos);
  EXPECT_NE(message("negg").find("did you mean 'neg'"), std::string::npos);
}

}  // namespace
}  // namespace slm
