#include "nn/mlp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "nn/active_batch.h"
#include "tests/data/indices.h"

namespace slm {
namespace {

struct Input {
  Matrix x{9, 5};
  std::vector<int32_t> columns{0, 1, 2, 3, 4};
  std::vector<float> scale{0.5f, 1.0f, 2.0f, 0.25f, 1.5f};

  explicit Input(uint64_t seed) {
    RandomStream random(seed, 0);
    for (size_t i = 0; i < x.rows(); ++i) {
      for (size_t j = 0; j < x.cols(); ++j) x(i, j) = static_cast<float>(random.Normal());
    }
  }
  ActiveInput view() const { return {x.view(), columns, scale}; }
};

Matrix OutputOf(Predictor& predictor, const ActiveInput& input, size_t outputs) {
  Matrix y(input.x.rows, outputs);
  predictor.Forward(input, y.view());
  return y;
}

// Everything that starts from zero becomes something else.
void Randomise(Predictor& predictor, RandomStream& random) {
  auto randomise = [&](Parameters& block) {
    for (size_t i = 0; i < block.w.rows(); ++i) {
      for (size_t j = 0; j < block.w.cols(); ++j) {
        block.w(i, j) = static_cast<float>(random.Normal());
      }
    }
  };
  if (auto* linear = dynamic_cast<Linear*>(&predictor)) {
    randomise(linear->layer().weights());
    return randomise(linear->layer().bias());
  }
  Mlp& mlp = dynamic_cast<Mlp&>(predictor);
  randomise(mlp.input_layer().bias());
  for (DenseLayer& layer : mlp.dense_layers()) randomise(layer.bias());
}

TEST(AverageOf, GivesTheMeanOfTheOutputs) {
  const Input input(1);
  for (int layers = 0; layers <= 4; ++layers) {
    RandomStream random(7, static_cast<uint64_t>(layers));
    std::vector<std::unique_ptr<Predictor>> parts;
    std::vector<const Predictor*> pointers;
    for (uint64_t i = 0; i < 3; ++i) {
      parts.push_back(MakePredictor(5, 4, layers, 19, random.Substream(i)));
      Randomise(*parts.back(), random);
      pointers.push_back(parts.back().get());
    }
    std::unique_ptr<Predictor> mean = AverageOf(pointers);
    const Matrix got = OutputOf(*mean, input.view(), 4);
    std::vector<Matrix> outputs;
    for (auto& part : parts) outputs.push_back(OutputOf(*part, input.view(), 4));
    for (size_t i = 0; i < 9; ++i) {
      for (size_t c = 0; c < 4; ++c) {
        const float sum = outputs[0](i, c) + outputs[1](i, c) + outputs[2](i, c);
        EXPECT_NEAR(got(i, c), sum / 3, 1e-4f * (1 + std::abs(sum))) << layers << " layers";
      }
    }
  }
}

TEST(Mlp, IgnoresColumnsThatAreNotActive) {
  const Input input(2);
  Mlp mlp(5, 3, 1, 8, RandomStream(1, 1));
  std::vector<float> scale = input.scale;
  scale[1] = scale[3] = 0;
  const Matrix expected = OutputOf(mlp, {input.x.view(), input.columns, scale}, 3);

  ActiveBatch batch;
  const std::vector<int32_t> active = {0, 2, 4};
  const std::vector<int32_t> rows = Indices(9);
  batch.SetColumns(active, active);
  const std::vector<float> active_scale = {scale[0], scale[2], scale[4]};
  const Matrix got = OutputOf(mlp, batch.Gather(*MakeRows(input.x), rows, active_scale), 3);
  for (size_t i = 0; i < 9; ++i) {
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(got(i, c), expected(i, c), 1e-5f);
  }
}

TEST(Mlp, StepLeavesRowsOutsideTheSupportAlone) {
  const Input input(3);
  Mlp mlp(5, 2, 2, 8, RandomStream(1, 2));
  const Matrix before = mlp.input_layer().weights().w;
  ActiveBatch batch;
  const std::vector<int32_t> active = {1, 4}, rows = {0, 1, 2};
  batch.SetColumns(active, active);
  const std::vector<float> scale = {1, 1};
  const ActiveInput view = batch.Gather(*MakeRows(input.x), rows, scale);
  Matrix y = OutputOf(mlp, view, 2), dy(3, 2);
  for (size_t i = 0; i < 3; ++i) dy(i, 0) = 1;
  std::vector<float> d_scale(2);
  mlp.Backward(view, dy.view(), d_scale);
  mlp.Step(view, {0.01});
  const Matrix& after = mlp.input_layer().weights().w;
  for (size_t row = 0; row < 5; ++row) {
    bool moved = false;
    for (size_t j = 0; j < 8; ++j) moved |= before(row, j) != after(row, j);
    EXPECT_EQ(moved, row == 1 || row == 4) << "row " << row;
  }
}

TEST(Mlp, ACloneLearnsOnItsOwn) {
  const Input input(4);
  Mlp mlp(5, 2, 1, 8, RandomStream(1, 3));
  std::unique_ptr<Predictor> clone = mlp.Clone();
  const Matrix before = OutputOf(mlp, input.view(), 2);
  Matrix dy(9, 2);
  dy(0, 0) = 1;
  std::vector<float> d_scale(5);
  OutputOf(*clone, input.view(), 2);
  clone->Backward(input.view(), dy.view(), d_scale);
  clone->Step(input.view(), {0.1});
  const Matrix after = OutputOf(mlp, input.view(), 2);
  EXPECT_EQ(before(0, 0), after(0, 0));
  EXPECT_NE(OutputOf(*clone, input.view(), 2)(0, 0), before(0, 0));
}

TEST(Mlp, StartsFromZeroForValuesAndLearnsFromThere) {
  const Input input(5);
  Mlp mlp(5, 1, 2, 8, RandomStream(1, 3));
  EXPECT_EQ(OutputOf(mlp, input.view(), 1)(0, 0), 0);
  Matrix dy(9, 1);
  dy(0, 0) = 1;
  std::vector<float> d_scale(5);
  for (int step = 0; step < 2; ++step) {
    OutputOf(mlp, input.view(), 1);
    mlp.Backward(input.view(), dy.view(), d_scale);
    mlp.Step(input.view(), {0.1});
  }
  EXPECT_LT(OutputOf(mlp, input.view(), 1)(0, 0), 0);
  EXPECT_NE(OutputOf(*MakePredictor(5, 2, 2, 8, RandomStream(1, 3)), input.view(), 2)(0, 0), 0);
}

TEST(MakePredictor, DependsOnTheStreamAlone) {
  const Input input(5);
  auto first = [&](uint64_t stream) {
    return OutputOf(*MakePredictor(5, 2, 2, 8, RandomStream(9, stream)), input.view(), 2)(0, 0);
  };
  EXPECT_EQ(first(0), first(0));
  EXPECT_NE(first(0), first(1));
}

}  // namespace
}  // namespace slm
