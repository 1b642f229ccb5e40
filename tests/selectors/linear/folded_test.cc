#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/thread_pool.h"
#include "selectors/linear/folded_model.h"
#include "tests/counted_memory.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"
#include "tests/selectors/run_method.h"

namespace slm {
namespace {

constexpr FoldedPenalty kMcp = {.kind = FoldedPenalty::Kind::kMcp, .gamma = 2.5};
constexpr FoldedPenalty kScad = {.kind = FoldedPenalty::Kind::kScad, .gamma = 3.2};

TEST(FoldedPenalty, ProxIsTheMinimumAndTheSlopeThatOfTheValue) {
  for (const FoldedPenalty& penalty : {kMcp, kScad}) {
    for (const double curvature : {0.25, 1.0, 3.0}) {
      const double lambda = 0.7, further = curvature == 1 ? 1 : 1.7;
      for (int i = 0; i <= 60; ++i) {
        const double z = 0.1 * i / curvature;
        const double t = penalty.Prox(z, further * curvature, curvature, lambda);
        const auto objective = [&](double at) {
          return further * curvature / 2 * (at - z) * (at - z) +
                 penalty.Value(at, curvature, lambda);
        };
        for (int step = 0; step <= 400; ++step) {
          EXPECT_LE(objective(t), objective(0.02 * step / curvature) + 1e-12) << z;
        }
        const double difference = (penalty.Value(z + 1e-6, curvature, lambda) -
                                   penalty.Value(std::max(0.0, z - 1e-6), curvature, lambda)) /
                                  (z > 0 ? 2e-6 : 1e-6);
        EXPECT_NEAR(penalty.Slope(z, curvature, lambda), difference, 1e-5) << z;
      }
    }
  }
}

void ExpectPath(const std::string& labels, const FoldedPenalty& penalty, const std::string& name) {
  const Golden golden("folded");
  const bool classes = labels == "two";
  const Problem problem = golden.MakeProblem(classes ? Task::kClassification : Task::kRegression,
                                             labels + "_x", labels);
  ThreadPool pool(2);
  FoldedModel model(problem, penalty, 1e-14, {.pool = &pool});
  const std::vector<double>& lambdas = golden.at(classes ? "class_lambdas" : "lambdas");
  const std::vector<double>& expected = golden.at(labels + "_" + name);
  const size_t columns = problem.train.x->columns();
  for (size_t i = 0; i < lambdas.size(); ++i) {
    model.Solve(lambdas[i], {.pool = &pool});
    for (size_t c = 0; c < columns; ++c) {
      EXPECT_NEAR(model.coefficients()[c], expected[i * (columns + 1) + c], 1e-5)
          << labels << " " << name << ", lambda " << lambdas[i] << ", column " << c;
    }
  }
}

TEST(FoldedModel, HasTheCoefficientsOfSkglm) {
  ExpectPath("value", kMcp, "mcp");
  ExpectPath("value", kScad, "scad");
  ExpectPath("wide_value", kMcp, "mcp");
  ExpectPath("wide_value", kScad, "scad");
  ExpectPath("two", kMcp, "mcp");
}

// Where no other implementation has the model: the slope of the loss along the coefficients of a
// feature is that of its penalty, and no longer than lambda where they are 0.
void ExpectStationary(const Problem& problem, const FoldedModel& model,
                      const FoldedPenalty& penalty, double lambda) {
  const size_t outputs = model.outputs();
  for (size_t j = 0; j < problem.layout.features(); ++j) {
    std::vector<double> beta, slope;
    for (int32_t c = problem.layout.offsets[j]; c < problem.layout.offsets[j + 1]; ++c) {
      for (size_t o = 0; o < outputs; ++o) {
        beta.push_back(model.coefficients()[static_cast<size_t>(c) * outputs + o]);
        slope.push_back(model.gradient()[o * model.stride() + static_cast<size_t>(c)]);
      }
    }
    const double norm = std::sqrt(Dot(beta.data(), beta.data(), beta.size()));
    const double own = lambda * model.factor(j);
    if (norm == 0) {
      EXPECT_LE(std::sqrt(Dot(slope.data(), slope.data(), slope.size())), own * (1 + 1e-4)) << j;
      continue;
    }
    for (size_t i = 0; i < beta.size(); ++i) {
      EXPECT_NEAR(slope[i], -penalty.Slope(norm, model.curvature(j), own) * beta[i] / norm, 2e-5)
          << j;
    }
  }
}

TEST(FoldedModel, FeaturesOfSeveralColumnsAndManyClassesAreStationary) {
  GroupedProblem grouped(200, 5);
  Dataset& train = grouped.problem.train;
  for (size_t i = 0; i < train.rows(); ++i) {
    train.weight.push_back(i % 3 == 0 ? 1.6f : 0.7f);
    if (Cells(train)(i, static_cast<size_t>(grouped.problem.layout.offsets[7])) > 0.8f) {
      train.y.index[i] = 2;
    }
  }
  train.y.classes = 3;
  ThreadPool pool(2);
  for (const FoldedPenalty& penalty : {kMcp, kScad}) {
    FoldedModel model(grouped.problem, penalty, 1e-15, {.pool = &pool});
    for (const double lambda : {0.2, 0.1, 0.05}) {
      model.Solve(lambda, {.pool = &pool});
      ExpectStationary(grouped.problem, model, penalty, lambda);
    }
    const std::vector<double> norms = model.Norms();
    EXPECT_GT(norms[GroupedProblem::kText], 0);
    EXPECT_GT(norms[GroupedProblem::kNumber], 0);
    EXPECT_GT(norms[7], 0);
  }
}

TEST(FoldedModel, WeightsOfRowsAreRepetitions) {
  const PlantedProblem planted(Task::kRegression, 60, 8, 3, 6);
  Problem weighted, repeated;
  weighted.layout = repeated.layout = planted.problem.layout;
  weighted.train = planted.problem.train;
  const MatrixView<const float> x = weighted.train.x->InMemory();
  Matrix twice(90, 8);
  repeated.train.y = weighted.train.y;
  for (size_t i = 0; i < 90; ++i) {
    const size_t from = i < 60 ? i : i - 60;  // the first thirty rows again
    for (size_t c = 0; c < 8; ++c) twice(i, c) = x(from, c);
    if (i >= 60) repeated.train.y.value.push_back(weighted.train.y.value[from]);
  }
  for (size_t i = 0; i < 60; ++i) weighted.train.weight.push_back(i < 30 ? 4.0f / 3 : 2.0f / 3);
  repeated.train.x = MakeRows(std::move(twice));
  ThreadPool pool(1);
  FoldedModel one(weighted, kMcp, 1e-14, {.pool = &pool});
  FoldedModel two(repeated, kMcp, 1e-14, {.pool = &pool});
  for (const double lambda : {0.3, 0.1}) {
    one.Solve(lambda, {.pool = &pool});
    two.Solve(lambda, {.pool = &pool});
    for (size_t c = 0; c < 8; ++c) {
      EXPECT_NEAR(one.coefficients()[c], two.coefficients()[c], 1e-6);
    }
  }
}

// The lasso pays for what it shrinks with columns that correlate with what is left.
TEST(Folded, KeepsToTheFewColumnsWhereTheLassoTakesOthersIn) {
  PlantedProblem planted(Task::kRegression, 200, 60, 3, 8);
  for (size_t i = 0; i < 200; ++i) {
    const float* row = Cells(planted.problem.train).row(i);
    for (size_t c = 3; c < 20; ++c) {
      Cells(planted.problem.train)(i, c) = 0.5f * row[c] + 0.5f * row[c % 3];
    }
  }
  for (const char* method : {"mcp", "scad"}) {
    const std::vector<int> chosen = RunMethod(method, planted.problem, 3).features;
    EXPECT_EQ(std::set<int>(chosen.begin(), chosen.end()), (std::set<int>{0, 1, 2})) << method;
  }
}

TEST(Moments, RowsLetGoHaveTheSameBitsWhenTheyAreNeededAgain) {
  const PlantedProblem planted(Task::kRegression, 150, 90, 4, 5);
  ThreadPool pool(2);
  Moments kept(planted.problem.train, pool), bounded(planted.problem.train, pool);
  std::vector<size_t> all(90);
  for (size_t c = 0; c < 90; ++c) all[c] = c;
  kept.PrepareGram(all);
  const size_t most = 10 * sizeof(double) * bounded.stride();
  for (size_t first = 0; first < 90; ++first) {
    const size_t count = std::min<size_t>(1 + first % 7, 90 - first);
    bounded.PrepareGram(std::span(all).subspan(first, count), most);
    for (size_t c = first; c < first + count; ++c) {
      const std::vector<double> row(bounded.Gram(c), bounded.Gram(c) + bounded.stride());
      EXPECT_EQ(row, std::vector<double>(kept.Gram(c), kept.Gram(c) + kept.stride())) << c;
    }
  }
}

TEST(Moments, RowsLetGoGiveTheirMemoryBack) {
  const PlantedProblem planted(Task::kRegression, 20, 600, 4, 5);
  ThreadPool pool(1);
  Moments moments(planted.problem.train, pool);
  const size_t row = sizeof(double) * moments.stride();
  const size_t peak = PeakOf([&] {
    for (size_t first = 0; first < 600; first += 10) {
      std::vector<size_t> ten;
      for (size_t c = first; c < first + 10; ++c) ten.push_back(c);
      moments.PrepareGram(ten, 50 * row);
    }
  });
  EXPECT_LT(peak, 100 * row);
}

TEST(FoldedSelector, PricesTheRowsOfColumnsThatMayComeIn) {
  Problem problem;
  problem.layout.names.resize(60000);
  problem.layout.offsets.resize(60001);
  for (int32_t j = 0; j <= 60000; ++j) problem.layout.offsets[static_cast<size_t>(j)] = j;
  for (const char* method : {"mcp", "scad"}) {
    const MemoryNeed need = FindMethod(method).make()->Memory(problem, 200);
    EXPECT_NEAR(need.bytes, 8.0 * 60000 * 800, 1) << method;
    EXPECT_NE(need.advice.find("lasso"), std::string::npos);
  }
}

}  // namespace
}  // namespace slm
