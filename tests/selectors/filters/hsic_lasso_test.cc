// HSIC Lasso in parts: products of kernels, the path, the choice.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/thread_pool.h"
#include "numerics/nonnegative_lars.h"
#include "selectors/filters/kernel_gram.h"
#include "selectors/methods.h"
#include "tests/data/cells.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

using Blocks = std::vector<std::vector<int32_t>>;

std::vector<double> Products(const Problem& problem, const Blocks& blocks, int threads = 2) {
  ThreadPool pool(threads);
  std::vector<int> features(problem.layout.features());
  std::iota(features.begin(), features.end(), 0);
  return KernelGram(problem.layout, problem.train, blocks).Products(features, {.pool = &pool});
}

Blocks OneBlock(size_t rows) {
  Blocks blocks(1, std::vector<int32_t>(rows));
  std::iota(blocks[0].begin(), blocks[0].end(), 0);
  return blocks;
}

void ExpectAllNear(std::span<const double> values, std::span<const double> expected,
                   double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], tolerance) << i;
  }
}

class HsicLassoAgainstPackage : public testing::TestWithParam<Task> {
 protected:
  HsicLassoAgainstPackage()
      : golden_(GetParam() == Task::kClassification ? "hsic_lasso_classes" : "hsic_lasso_values"),
        problem_(golden_.MakeProblem(GetParam())) {}

  // The products, the path over them and what is chosen are those of the arrays PREFIX_...
  void ExpectSame(const Blocks& blocks, const std::string& prefix) const {
    const std::vector<double> products = Products(problem_, blocks);
    const size_t d = problem_.layout.features();
    const std::span<const double> xty(products.data(), d), gram(products.data() + d, d * d);
    ExpectAllNear(xty, golden_.at(prefix + "_xty"), 2e-6);
    ExpectAllNear(gram, golden_.at(prefix + "_gram"), 2e-6);
    const LarsPath path = NonNegativeLars(xty, 5, [&](int feature, std::span<const double>) {
      return gram.data() + static_cast<size_t>(feature) * d;
    });
    ExpectAllNear(path.beta, golden_.at(prefix + "_beta"), 2e-5);
    std::vector<double> lambdas = path.lambdas;
    lambdas.push_back(path.lambda);
    ExpectAllNear(lambdas, golden_.at(prefix + "_lambdas"), 2e-5);
  }

  Golden golden_;
  Problem problem_;
};

TEST_P(HsicLassoAgainstPackage, AllRowsInOneBlock) { ExpectSame(OneBlock(64), "whole"); }

TEST_P(HsicLassoAgainstPackage, BlocksInItsOrders) {
  const std::vector<int> order = golden_.ints("order");
  Blocks blocks;
  for (size_t i = 0; i < order.size(); i += 16) {
    blocks.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                        order.begin() + static_cast<std::ptrdiff_t>(i + 16));
  }
  ExpectSame(blocks, "blocks");
}

TEST_P(HsicLassoAgainstPackage, TheChoiceIsRankedLikeItsOwn) {
  EXPECT_EQ(RunMethod("hsic-lasso", problem_, 5, {{"block_size", "0"}}).features,
            golden_.ints("whole_features"));
}

INSTANTIATE_TEST_SUITE_P(Tasks, HsicLassoAgainstPackage,
                         testing::Values(Task::kClassification, Task::kRegression),
                         [](const auto& task) {
                           return task.param == Task::kClassification ? "Classes" : "Values";
                         });

TEST(KernelGram, ThreadsChangeNoBit) {
  const PlantedProblem planted(Task::kClassification, 160, 40, 3, 1);
  Blocks blocks(16);
  for (int32_t i = 0; i < 160; ++i) blocks[static_cast<size_t>(i % 16)].push_back(i);
  for (const Blocks& cut : {OneBlock(160), blocks}) {
    EXPECT_EQ(Products(planted.problem, cut, 1), Products(planted.problem, cut, 3));
  }
}

TEST(KernelGram, ARowOfWeightTwoIsTwoRows) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    PlantedProblem weighted(task, 40, 5, 2, 2), twice(task, 40, 5, 2, 2);
    Dataset& more = twice.problem.train;
    Matrix x(60, 5);
    for (size_t i = 0; i < 60; ++i) std::copy_n(Cells(more).row(i % 40), 5, x.row(i));
    more.x = MakeRows(x);
    for (size_t i = 0; i < 20; ++i) {
      if (task == Task::kClassification) {
        more.y.index.push_back(more.y.index[i]);
      } else {
        more.y.value.push_back(more.y.value[i]);
      }
    }
    weighted.problem.train.weight.assign(40, 1.0f);
    std::fill_n(weighted.problem.train.weight.begin(), 20, 2.0f);
    ExpectAllNear(Products(weighted.problem, OneBlock(40)), Products(twice.problem, OneBlock(60)),
                  2e-6);
  }
}

// Every third feature has two columns: the kernel is that of the pair of them.
TEST(KernelGram, AFeatureOfSeveralColumnsHasOneKernel) {
  PlantedProblem planted(Task::kRegression, 30, 8, 2, 3);
  planted.problem.layout.names = {"a", "b", "c", "d", "e", "f"};
  planted.problem.layout.offsets = {0, 2, 3, 4, 6, 7, 8};
  const MatrixView<const float> x = planted.problem.train.x->InMemory();
  auto centred = [&](size_t first, size_t columns) {
    double variance = 0;
    for (size_t c = first; c < first + columns; ++c) {
      double mean = 0;
      for (size_t i = 0; i < 30; ++i) mean += double{x(i, c)} / 30;
      for (size_t i = 0; i < 30; ++i) variance += std::pow(double{x(i, c)} - mean, 2) / 30;
    }
    std::vector<double> k(900), row(30);
    double mean = 0, square = 0;
    for (size_t i = 0; i < 900; ++i) {
      double distance = 0;
      for (size_t c = first; c < first + columns; ++c) {
        distance += std::pow(double{x(i / 30, c)} - double{x(i % 30, c)}, 2);
      }
      k[i] = std::exp(-distance / (2 * variance));
      row[i / 30] += k[i] / 30;
      mean += k[i] / 900;
    }
    for (size_t i = 0; i < 900; ++i) {
      k[i] += mean - row[i / 30] - row[i % 30];
      square += k[i] * k[i];
    }
    for (double& value : k) value /= std::sqrt(square);
    return k;
  };
  const std::vector<double> a = centred(0, 2), d = centred(4, 2), f = centred(7, 1);
  const std::vector<double> products = Products(planted.problem, OneBlock(30));
  auto product = [&](size_t i, size_t j) { return products[(i + 1) * 6 + j]; };
  EXPECT_NEAR(product(0, 3), std::inner_product(a.begin(), a.end(), d.begin(), 0.0), 1e-6);
  EXPECT_NEAR(product(5, 0), std::inner_product(a.begin(), a.end(), f.begin(), 0.0), 1e-6);
  EXPECT_NEAR(product(3, 3), 1, 1e-6);
}

TEST(KernelGram, AConstantFeatureHasNoProducts) {
  PlantedProblem planted(Task::kClassification, 40, 3, 2, 4);
  for (size_t i = 0; i < 40; ++i) Cells(planted.problem.train)(i, 1) = 0.7f;
  const std::vector<double> products = Products(planted.problem, OneBlock(40));
  for (size_t m = 0; m < 4; ++m) EXPECT_EQ(products[m * 3 + 1], 0) << m;
}

// X^T X and X^T y of random vectors with a common part, so that features push others out again.
struct RandomProducts {
  size_t d;
  std::vector<double> gram, xty;

  RandomProducts(size_t features, uint64_t seed) : d(features), gram(d * d), xty(d) {
    RandomStream random(seed, 0);
    constexpr size_t kRows = 25;
    std::vector<double> x(kRows * d), y(kRows);
    for (size_t i = 0; i < kRows; ++i) {
      const double common = random.Normal();
      for (size_t j = 0; j < d; ++j) x[i * d + j] = common + random.Normal();
      for (size_t j = 0; j < d; ++j) y[i] += x[i * d + j] * random.Uniform(-0.5, 1);
    }
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t a = 0; a < d; ++a) {
        xty[a] += x[i * d + a] * y[i];
        for (size_t b = 0; b < d; ++b) gram[a * d + b] += x[i * d + a] * x[i * d + b];
      }
    }
  }
  LarsPath Follow(size_t most) const {
    return NonNegativeLars(xty, most, [&](int feature, std::span<const double>) {
      return gram.data() + static_cast<size_t>(feature) * d;
    });
  }
};

TEST(NonNegativeLars, EveryPointOfThePathIsOptimal) {
  bool one_left = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const RandomProducts products(12, seed);
    for (size_t most : {1, 3, 6, 12}) {
      const LarsPath path = products.Follow(most);
      const double tolerance = 1e-9 * products.gram[0];
      size_t active = 0;
      for (size_t j = 0; j < 12; ++j) {
        double residual = products.xty[j];
        for (size_t i = 0; i < 12; ++i) residual -= products.gram[j * 12 + i] * path.beta[i];
        EXPECT_NEAR(path.residual[j], residual, tolerance);
        EXPECT_GE(path.beta[j], 0);
        EXPECT_LE(residual, path.lambda + tolerance);
        if (path.beta[j] > 0) {
          ++active;
          EXPECT_NEAR(residual, path.lambda, tolerance);
        }
      }
      EXPECT_LE(active, most);
      one_left |= path.entered.size() > active + 1;
    }
  }
  EXPECT_TRUE(one_left) << "no feature ever left: the case is not tried";
}

TEST(NonNegativeLars, ARepeatedFeatureNeverEnters) {
  const RandomProducts products(4, 1);
  std::vector<double> gram(25), xty(5);
  auto source = [](size_t j) { return j == 4 ? size_t{0} : j; };
  for (size_t i = 0; i < 5; ++i) {
    xty[i] = products.xty[source(i)];
    for (size_t j = 0; j < 5; ++j) gram[i * 5 + j] = products.gram[source(i) * 4 + source(j)];
  }
  const LarsPath path = NonNegativeLars(
      xty, 5, [&](int feature, std::span<const double>) { return gram.data() + feature * 5; });
  const LarsPath plain = products.Follow(4);
  EXPECT_NEAR(path.beta[0] + path.beta[4], plain.beta[0], 1e-9);
  EXPECT_EQ(path.beta[0] * path.beta[4], 0);
  for (size_t j = 1; j < 4; ++j) EXPECT_NEAR(path.beta[j], plain.beta[j], 1e-9);
}

}  // namespace
}  // namespace slm
