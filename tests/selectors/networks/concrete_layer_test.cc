#include "selectors/networks/concrete_layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "selectors/networks/leaky_network.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

FeatureLayout Layout(std::vector<int32_t> offsets) {
  FeatureLayout layout;
  layout.names.resize(offsets.size() - 1);
  layout.offsets = std::move(offsets);
  return layout;
}

TEST(ConcreteLayer, SamplesOutputsAndGradientAreThoseOfTheReference) {
  const Golden golden("concrete");
  const std::vector<int> offsets = golden.ints("offsets");
  ConcreteLayer layer(Layout({offsets.begin(), offsets.end()}), 3);
  const Matrix x = golden.matrix("x"), y = golden.matrix("y"), d_y = golden.matrix("d_y");
  const size_t rows = x.rows(), slots = 3;
  Matrix own_x(rows, x.cols()), own_y(rows, layer.outputs()), own_dy(rows, layer.outputs());
  for (size_t i = 0; i < rows; ++i) {
    for (size_t a = 0; a < x.cols(); ++a) {
      own_x(i, a) = x(i, static_cast<size_t>(layer.columns()[a]));
    }
  }
  const size_t pitch = (layer.outputs() - 3) / (slots - 1);  // from one output to the next
  for (size_t s = 0; s < slots; ++s) {
    for (size_t i = 0; i < rows; ++i) {
      for (size_t n = 0; n < 3; ++n) own_dy(i, s * pitch + n) = d_y(s * rows + i, n);
    }
  }
  layer.Sample(golden.matrix("logits"), golden.at("temperature")[0], golden.matrix("noise"));
  layer.Forward(own_x.view(), own_y.view());
  Matrix d_logits(3, 5);
  layer.Backward(own_x.view(), own_dy.view(), d_logits);
  const Matrix samples = golden.matrix("samples"), expected = golden.matrix("d_logits");
  for (size_t n = 0; n < 3; ++n) {
    for (size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR(layer.samples()(n, j), samples(n, j), 1e-6f);
      EXPECT_NEAR(d_logits(n, j), expected(n, j), 1e-5f);
    }
    for (size_t s = 0; s < slots; ++s) {
      for (size_t i = 0; i < rows; ++i) {
        EXPECT_NEAR(own_y(i, s * pitch + n), y(s * rows + i, n), 1e-5f);
      }
    }
  }
}

// Argmax of logits plus Gumbel noise is a draw from their softmax, whatever the temperature.
TEST(ConcreteLayer, DrawsFeaturesByTheSoftmaxOfTheLogits) {
  ConcreteLayer layer(Layout({0, 1, 2, 3}), 1);
  Matrix logits(1, 3);
  logits(0, 1) = 1;
  logits(0, 2) = -1;
  const Matrix p = SelectionProbabilities(logits);
  std::vector<double> drawn(3);
  constexpr int kDraws = 20000;
  for (int t = 0; t < kDraws; ++t) {
    layer.Sample(logits, 0.1, RandomStream(3, static_cast<uint64_t>(t)));
    const float* m = layer.samples().row(0);
    drawn[static_cast<size_t>(std::max_element(m, m + 3) - m)] += 1.0 / kDraws;
  }
  for (size_t j = 0; j < 3; ++j) EXPECT_NEAR(drawn[j], p(0, j), 0.015) << j;
}

TEST(Temperature, FollowsTheScheduleOfTheReference) {
  const std::vector<double> expected = Golden("concrete").at("temperatures");
  for (size_t t = 0; t < expected.size(); ++t) {
    EXPECT_NEAR(Temperature(10, 0.1, static_cast<int>(t), static_cast<int>(expected.size())),
                expected[t], 1e-9 * expected[t]);
  }
}

TEST(DistinctFeatures, GiveEachNodeOneAsTheReferenceDoes) {
  const Golden golden("concrete");
  EXPECT_EQ(DistinctFeatures(golden.matrix("probabilities")), golden.ints("order"));
}

TEST(DistinctFeatures, CoverEveryFeatureWhereThereAreAsManyNodes) {
  Matrix same(4, 4);
  for (size_t i = 0; i < 4; ++i) same(i, 2) = 1;
  EXPECT_EQ(DistinctFeatures(same), (std::vector<int>{2, 0, 1, 3}));
}

TEST(MeanLargest, IsOneWhenEveryNodeHasDecided) {
  Matrix p(2, 3);
  p(0, 1) = 1;
  p(1, 0) = 0.5f;
  p(1, 2) = 0.5f;
  EXPECT_DOUBLE_EQ(MeanLargest(p), 0.75);
}

// Loss = sum of out * c for random c; numeric derivatives of the same network and dropout.
TEST(LeakyNetwork, GradientsAreThoseOfFiniteDifferences) {
  const size_t widths[] = {4, 6, 5, 3};
  for (LeakyNetwork::Last last : {LeakyNetwork::Last::kLeaky, LeakyNetwork::Last::kLinear}) {
    LeakyNetwork network(widths, last, 0.2, 0.25, RandomStream(1, 0));
    RandomStream random(2, 0);
    Matrix x(7, 4), c(7, 3);
    for (Matrix* m : {&x, &c}) {
      for (size_t i = 0; i < 7; ++i) {
        for (size_t j = 0; j < m->cols(); ++j) (*m)(i, j) = static_cast<float>(random.Normal());
      }
    }
    auto value = [&] {
      const MatrixView<const float> out = network.Forward(x.view(), RandomStream(5, 0));
      double sum = 0;
      for (size_t i = 0; i < 7; ++i) {
        for (size_t j = 0; j < 3; ++j) sum += static_cast<double>(out(i, j)) * c(i, j);
      }
      return sum;
    };
    value();
    Matrix d_x(7, 4);
    const MatrixView<const float> d = network.Backward(x.view(), c.view());
    for (size_t i = 0; i < 7; ++i) std::copy_n(d.row(i), 4, d_x.row(i));
    auto check = [&](float& at, float analytic, const char* what) {
      constexpr float kStep = 1e-3f;
      const float before = at;
      at = before + kStep;
      const double up = value();
      at = before - kStep;
      const double down = value();
      at = before;
      EXPECT_NEAR(analytic, (up - down) / (2 * kStep), 5e-3) << what;
    };
    for (size_t i = 0; i < 7; ++i) {
      for (size_t j = 0; j < 4; ++j) check(x(i, j), d_x(i, j), "input");
    }
    for (LeakyNetwork::Layer& layer : network.layers()) {
      for (Parameters* p : {&layer.weights, &layer.bias}) {
        for (size_t i = 0; i < p->w.rows(); ++i) {
          for (size_t j = 0; j < p->w.cols(); ++j) check(p->w(i, j), p->gradient(i, j), "weight");
        }
      }
    }
  }
}

}  // namespace
}  // namespace slm
