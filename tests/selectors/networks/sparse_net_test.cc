#include "selectors/networks/sparse_net.h"

#include <gtest/gtest.h>

#include "tests/data/indices.h"
#include "tests/search/planted_problem.h"

namespace slm {
namespace {

// Compares a gradient with the difference quotient of the loss of all training rows.
void ExpectSlope(SparseNet& net, float& parameter, double gradient, const char* what) {
  const float step = 1e-2f, before = parameter;
  parameter = before + step;
  const double up = net.TrainLoss();
  parameter = before - step;
  const double down = net.TrainLoss();
  parameter = before;
  EXPECT_NEAR(gradient, (up - down) / (2 * static_cast<double>(step)), 2e-3) << what;
}

TEST(SparseNet, GradientsAreTheSlopesOfTheLoss) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    PlantedProblem planted(task, 40, 6, 3, 1);
    Dataset& train = planted.problem.train;
    RandomStream random(2, 0);
    for (size_t i = 0; i < train.rows(); ++i) {
      train.weight.push_back(static_cast<float>(random.Uniform(0, 2)));
    }
    SparseNet net(train, planted.problem.valid,
                  {.hidden_layers = 2, .hidden_units = 8, .skip = true}, RandomStream(3, 0));
    net.SetActive({1, 2, 4});
    net.scale()[1] = 0.5f;
    const double loss = net.Gradients(Indices(train.rows()));
    EXPECT_NEAR(loss, net.TrainLoss(), 1e-6);
    const std::vector<float> d_scale(net.d_scale().begin(), net.d_scale().end());
    for (size_t a = 0; a < 3; ++a) {
      const size_t c = static_cast<size_t>(net.active()[a]);
      // The layers keep x^T dy; a weight's gradient is that times the column's scale.
      const double scale = net.scale()[a];
      ExpectSlope(net, net.hidden_weights()(c, 3),
                  scale * net.hidden_layer().weights().gradient(a, 3), "hidden");
      ExpectSlope(net, net.skip_weights()(c, 0), scale * net.skip_layer().weights().gradient(a, 0),
                  "skip");
      ExpectSlope(net, net.scale()[a], d_scale[a], "scale");
    }
    DenseLayer& top = net.upper_layers()[1];
    ExpectSlope(net, top.weights().w(2, 0), top.weights().gradient(2, 0), "upper");
    ExpectSlope(net, top.bias().w(0, 0), top.bias().gradient(0, 0), "upper bias");
  }
}

TEST(SparseNet, ColumnsWithoutWeightsCanBeLeftOutUnnoticed) {
  const PlantedProblem planted(Task::kClassification, 60, 8, 3, 4);
  SparseNet net(planted.problem.train, planted.problem.valid, {.hidden_units = 16, .skip = true},
                RandomStream(5, 0));
  for (size_t c : {0, 3, 4, 7}) {
    std::fill_n(net.hidden_weights().row(c), net.hidden_weights().stride(), 0.0f);
    std::fill_n(net.skip_weights().row(c), net.skip_weights().stride(), 0.0f);
  }
  const double all = net.ValidLoss();
  net.SetActive({1, 2, 5, 6});
  EXPECT_NEAR(net.ValidLoss(), all, 1e-6);
}

TEST(SparseNet, ColumnsThatChangeFromBatchToBatchAreGatheredAsOthers) {
  const PlantedProblem planted(Task::kClassification, 60, 30, 3, 4);
  auto losses = [&](bool changing) {
    SparseNet net(planted.problem.train, planted.problem.valid,
                  {.hidden_units = 16, .changing = changing}, RandomStream(5, 0));
    std::vector<double> out;
    for (const std::vector<int32_t>& columns :
         {std::vector<int32_t>{1, 2, 29}, {0, 2, 5, 17, 21}, {3}}) {
      net.SetActive(columns);
      out.push_back(net.Gradients(Indices(planted.problem.train.rows())));
      net.AdamStep(0.01);
    }
    return out;
  };
  EXPECT_EQ(losses(true), losses(false));
}

TEST(SparseNet, PenaltiesAddTwiceTheWeightTimesTheirFactor) {
  const PlantedProblem planted(Task::kRegression, 20, 4, 2, 6);
  SparseNet net(planted.problem.train, planted.problem.valid, {.hidden_units = 4, .skip = true},
                RandomStream(7, 0));
  net.SetActive({1, 3});
  net.Gradients(Indices(planted.problem.train.rows()));
  Parameters& upper = net.upper_layers()[0].weights();
  Parameters& skip = net.skip_layer().weights();
  const float upper_before = upper.gradient(2, 0), skip_before = skip.gradient(1, 0);
  net.AddUpperPenalty(0.5);
  net.AddSkipPenalty(0.25);
  EXPECT_FLOAT_EQ(upper.gradient(2, 0), upper_before + upper.w(2, 0));
  EXPECT_FLOAT_EQ(skip.gradient(1, 0), skip_before + 0.5f * skip.w(3, 0));
  EXPECT_NEAR(net.SkipSquares(),
              static_cast<double>(skip.w(1, 0)) * skip.w(1, 0) +
                  static_cast<double>(skip.w(3, 0)) * skip.w(3, 0),
              1e-7);
}

TEST(EvenBatches, VisitNoRowTwiceAndAreAllOfOneSize) {
  EvenBatches batches(10, 4, RandomStream(8, 0));
  ASSERT_EQ(batches.per_epoch(), 2u);
  batches.Shuffle();
  std::vector<int> seen(10);
  for (size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(batches.at(b).size(), 4u);
    for (int32_t row : batches.at(b)) ++seen[static_cast<size_t>(row)];
  }
  for (int times : seen) EXPECT_LE(times, 1);
  EXPECT_EQ(EvenBatches(3, 100, RandomStream(8, 0)).per_epoch(), 1u);
}

}  // namespace
}  // namespace slm
