#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/thread_pool.h"
#include "selectors/linear/l1_model.h"
#include "selectors/methods.h"
#include "tests/data/cells.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

// Solves for the lambdas of the file, one after the other, and expects its coefficients: one row
// for each lambda and output.
void ExpectCoefficients(const Golden& golden, const Dataset& data, const std::string& key) {
  ThreadPool pool(2);
  const std::unique_ptr<L1Model> model = data.y.task == Task::kClassification
                                             ? MakeL1Logistic(data, 1e-20, {.pool = &pool})
                                             : MakeL1Squared(data, 1e-18, pool);
  const std::vector<double>& expected = golden.at(key);
  const size_t outputs = model->outputs(), columns = data.x->columns();
  size_t row = 0;
  for (double lambda : golden.at("lambdas")) {
    model->Solve(lambda, {.pool = &pool});
    for (size_t o = 0; o < outputs; ++o, ++row) {
      for (size_t c = 0; c < columns; ++c) {
        const double found = model->coefficients()[c * outputs + o];
        EXPECT_NEAR(found, expected[row * columns + c], 1e-6)
            << key << " at lambda " << lambda << ", output " << o << ", column " << c;
      }
    }
  }
  EXPECT_EQ(row * columns, expected.size());
}

TEST(L1Model, HasTheCoefficientsOfScikitLearn) {
  const Golden golden("lasso");
  for (const std::string key : {"value", "two", "three"}) {
    Dataset data = key == "value"
                       ? golden.MakeProblem(Task::kRegression).train
                       : golden.MakeProblem(Task::kClassification, "class_x", key + "_y").train;
    ExpectCoefficients(golden, data, key);
    for (double w : golden.at("weight")) data.weight.push_back(static_cast<float>(w));
    ExpectCoefficients(golden, data, key + "_weighted");
  }
}

TEST(L1Model, StartsWhereTheFirstColumnEnters) {
  const Golden golden("lasso");
  const Dataset data = golden.MakeProblem(Task::kClassification, "class_x", "three_y").train;
  ThreadPool pool(1);
  const std::unique_ptr<L1Model> model = MakeL1Logistic(data, 1e-12, {.pool = &pool});
  double largest = 0;
  for (double slope : model->slopes()) largest = std::max(largest, slope);
  const auto active = [&](double lambda) {
    model->Solve(lambda, {.pool = &pool});
    return std::count_if(model->coefficients().begin(), model->coefficients().end(),
                         [](double b) { return b != 0; });
  };
  EXPECT_EQ(active(1.001 * largest), 0);
  EXPECT_EQ(active(0.999 * largest), 1);
}

TEST(Lasso, RanksByTheOrderOfEntryOfScikitLearnsPath) {
  const Golden golden("lasso");
  ThreadPool pool(2);
  const Choice choice =
      MakeLasso()->Select(golden.MakeProblem(Task::kRegression), 5, 0, {.pool = &pool});
  EXPECT_EQ(choice.features, golden.ints("order"));
}

TEST(Lasso, TakesTheLargerCoefficientWhereTwoEnterAtOnce) {
  // Column 3 is column 0 with the sign turned: no lambda lets in one without the other, were
  // rounding not to decide; k features come out all the same.
  PlantedProblem planted(Task::kClassification, 200, 6, 2, 4);
  for (size_t i = 0; i < 200; ++i)
    Cells(planted.problem.train)(i, 3) = -Cells(planted.problem.train)(i, 0);
  ThreadPool pool(2);
  for (int k = 1; k <= 6; ++k) {
    const Choice choice = MakeLasso()->Select(planted.problem, k, 0, {.pool = &pool});
    EXPECT_EQ(std::set<int>(choice.features.begin(), choice.features.end()).size(),
              static_cast<size_t>(k));
  }
}

}  // namespace
}  // namespace slm
