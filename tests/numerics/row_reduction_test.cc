#include "base/row_reduction.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "numerics/label_variance.h"
#include "numerics/moments.h"
#include "tests/data/cells.h"
#include "tests/data/chunked_rows.h"

namespace slm {
namespace {

// Says how it was added up.
struct Named {
  std::string text;
};
void AddSums(Named& sum, const Named& other) { sum.text = "(" + sum.text + "+" + other.text + ")"; }

std::string TreeOf(int blocks) {
  SumInTree<Named> sum;
  for (int b = 0; b < blocks; ++b) sum.Add({std::to_string(b)});
  return std::move(sum).Finish({"none"}).text;
}

TEST(RowReduction, TheTreeDependsOnNothingButTheNumberOfBlocks) {
  EXPECT_EQ(TreeOf(0), "none");
  EXPECT_EQ(TreeOf(1), "0");
  EXPECT_EQ(TreeOf(2), "(0+1)");
  EXPECT_EQ(TreeOf(3), "((0+1)+2)");
  EXPECT_EQ(TreeOf(4), "((0+1)+(2+3))");
  EXPECT_EQ(TreeOf(7), "(((0+1)+(2+3))+((4+5)+6))");
  EXPECT_EQ(TreeOf(8), "(((0+1)+(2+3))+((4+5)+(6+7)))");
}

TEST(RowReduction, RowsOfOneBlockAreOneChain) {
  std::vector<double> values;
  RandomStream random(1, 0);
  for (int i = 0; i < 5000; ++i) values.push_back(random.Normal());
  double chain = 0;
  for (double v : values) chain += v;
  const double sum = SumOverRange(values.size(), 0.0, [&](double& own, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) own += values[i];
  });
  EXPECT_EQ(sum, chain);
}

// More rows than two blocks have.
Dataset ManyRows(Task task) {
  const size_t rows = 2 * kRowsPerBlock + 1234;
  RandomStream random(7, 0);
  Matrix x(rows, 3);
  Dataset data;
  data.y.task = task;
  data.y.classes = task == Task::kClassification ? 3 : 0;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < 3; ++j) x(i, j) = static_cast<float>(random.Normal());
    data.y.index.push_back(static_cast<int32_t>(random.Below(3)));
    data.y.value.push_back(x(i, 1) + static_cast<float>(random.Normal()));
    data.weight.push_back(static_cast<float>(random.Uniform(0, 2)));
  }
  data.x = MakeRows(std::move(x));
  return data;
}

TEST(RowReduction, MomentsOfManyRowsHaveTheSameBitsFromAnySourceAndThreads) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const Dataset data = ManyRows(task), chunked = InChunks(data);
    ThreadPool one(1), four(4);
    Moments expected(data, one);
    Moments found(chunked, four);
    EXPECT_EQ(found.weight(), expected.weight());
    EXPECT_EQ(found.total(), expected.total());
    long double mean = 0, weight = 0;
    for (size_t i = 0; i < data.rows(); ++i) {
      weight += static_cast<long double>(data.weight[i]);
      mean +=
          static_cast<long double>(data.weight[i]) * static_cast<long double>(Cells(data)(i, 2));
    }
    EXPECT_NEAR(found.mean(2), static_cast<double>(mean / weight), 1e-12);
    for (size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(found.mean(j), expected.mean(j));
      EXPECT_EQ(found.variance(j), expected.variance(j));
      for (size_t o = 0; o < expected.outputs(); ++o) {
        EXPECT_EQ(found.Cross(o)[j], expected.Cross(o)[j]);
      }
      for (size_t i = 0; i < 3; ++i) EXPECT_EQ(found.Gram(i)[j], expected.Gram(i)[j]);
    }
    const std::vector<int32_t> offsets = {0, 1, 3};
    EXPECT_EQ(found.Blocks(offsets), expected.Blocks(offsets));
    EXPECT_TRUE(expected.Blocks(offsets)[0].empty());
    EXPECT_NEAR(expected.Blocks(offsets)[1][1], expected.Gram(1)[2], 1e-6);
  }
}

TEST(RowReduction, LabelVarianceOfManyRowsHasTheSameBitsFromAnySourceAndThreads) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const Dataset data = ManyRows(task), chunked = InChunks(data);
    ThreadPool pool(4);
    const Context context{.pool = &pool};
    const std::vector<VarianceParts> expected = LabelVariance(data).OfColumns();
    const std::vector<VarianceParts> found = LabelVariance(chunked).OfColumns(&context);
    for (size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(found[j].explained, expected[j].explained);
      EXPECT_EQ(found[j].residual, expected[j].residual);
    }
    if (task == Task::kRegression) {
      EXPECT_NEAR(expected[1].explained / (expected[1].explained + expected[1].residual), 0.5,
                  0.02);
    }
    EXPECT_EQ(UnitColumns(*chunked.x, std::vector<int32_t>{2, 0}, 500),
              UnitColumns(*data.x, std::vector<int32_t>{2, 0}, 500));
  }
}

}  // namespace
}  // namespace slm
