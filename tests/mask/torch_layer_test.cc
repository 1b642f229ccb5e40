// The engine and the PyTorch layer of the Python package give the same numbers: the values of
// golden/sparse_mask.txt are the layer's (tests/reference/sparse_mask.py).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "mask/mask.h"
#include "mask/objective.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

void ExpectNear(const std::vector<double>& found, const std::vector<double>& expected,
                const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  double size = 0;
  for (double x : expected) size = std::max(size, std::abs(x));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 2e-5 * size + 5e-7) << what << ", entry " << i;
  }
}

std::vector<double> Dense(const Mask& mask, std::span<const float> values) {
  std::vector<double> dense(mask.argument().size());
  for (size_t i = 0; i < values.size(); ++i) {
    dense[static_cast<size_t>(mask.support()[i])] = static_cast<double>(values[i]);
  }
  return dense;
}

// The gradient of the argument from that of the weights of the support.
std::vector<double> ArgumentGradient(const Mask& mask, std::span<const float> d_weights) {
  std::vector<float> d_support(d_weights.size());
  float d_reference = 0;
  mask.Backward(d_weights, d_support, &d_reference);
  std::vector<double> dense = Dense(mask, d_support);
  if (mask.reference() >= 0) {
    dense[static_cast<size_t>(mask.reference())] += static_cast<double>(d_reference);
  }
  return dense;
}

Mask MakeMask(const Golden& golden, const std::string& v, MaskScale scale, MaskGradient gradient) {
  const std::vector<double>& values = golden.at(v);
  Mask mask(values.size(), scale, gradient);
  std::transform(values.begin(), values.end(), mask.argument().begin(),
                 [](double x) { return static_cast<float>(x); });
  return mask;
}

TEST(TorchLayer, HasTheWeightsAndGradientsOfTheMask) {
  const Golden golden("sparse_mask");
  const std::pair<std::string, MaskScale> scales[] = {{"left_end", MaskScale::kLeftEnd},
                                                      {"nearest_one", MaskScale::kNearestOne}};
  const std::pair<std::string, MaskGradient> gradients[] = {
      {"fixed_scale", MaskGradient::kFixedScale}, {"through_scale", MaskGradient::kThroughScale}};
  for (const char* name : {"spread", "narrow", "wide", "ties", "equal"}) {
    for (const auto& [scale_name, scale] : scales) {
      for (const auto& [gradient_name, gradient] : gradients) {
        const std::string key = std::string(name) + "_" + scale_name + "_" + gradient_name;
        Mask mask = MakeMask(golden, "v_" + std::string(name), scale, gradient);
        const size_t d = mask.argument().size();
        for (size_t count = 1; count <= d; ++count) {
          auto row = [&](const std::string& array) {
            const double* first = &golden.at(array)[(count - 1) * d];
            return std::vector<double>(first, first + d);
          };
          mask.Update(count);
          const std::string what = key + ", F = " + std::to_string(count);
          ExpectNear(Dense(mask, mask.weights()), row("p_" + key), what + ", weights");
          std::vector<float> d_weights;
          for (int32_t j : mask.support()) {
            d_weights.push_back(static_cast<float>(golden.at("dp")[static_cast<size_t>(j)]));
          }
          ExpectNear(ArgumentGradient(mask, d_weights), row("dv_" + key), what + ", gradient");
        }
      }
    }
  }
}

TEST(TorchLayer, HasTheLossesAndGradientsOfTheObjective) {
  const Golden golden("sparse_mask");
  for (const std::string task : {"classes", "values"}) {
    Problem problem = golden.MakeProblem(
        task == "classes" ? Task::kClassification : Task::kRegression, "x", "y_" + task);
    for (double w : golden.at("weight")) problem.train.weight.push_back(static_cast<float>(w));
    const std::vector<ValueCodes> codes = problem.value_codes(0);
    const Matrix scores = golden.matrix("scores_" + task);
    std::vector<int32_t> rows(scores.rows());
    std::iota(rows.begin(), rows.end(), 0);
    const auto count = static_cast<size_t>(golden.at("count")[0]);

    struct Computed {
      double value;
      std::vector<double> d_scores, d_argument;
    };
    auto compute = [&](Objective objective) {
      SlmOptions options;
      options.objective = objective;
      options.alpha = 0.7;
      options.rcs_weight = 1.5;
      Mask mask = MakeMask(golden, "v", options.mask_scale, options.mask_gradient);
      mask.Update(count);
      BatchObjective batch(problem, codes, options);
      Matrix d_scores(scores.rows(), scores.cols());
      std::vector<float> d_weights(count);
      Computed out;
      out.value = batch.Compute(rows, scores.view(), mask, d_scores.view(), d_weights);
      for (size_t i = 0; i < d_scores.rows(); ++i) {
        for (size_t c = 0; c < d_scores.cols(); ++c) {
          out.d_scores.push_back(static_cast<double>(d_scores(i, c)));
        }
      }
      out.d_argument = ArgumentGradient(mask, d_weights);
      for (size_t j = 0; j < batch.d_argument().size(); ++j) {
        out.d_argument[j] += static_cast<double>(batch.d_argument()[j]);
      }
      return out;
    };
    const Computed alone = compute(Objective::kTaskOnly);
    Computed mi = compute(Objective::kMi), hsic = compute(Objective::kHsic);
    for (size_t i = 0; i < mi.d_scores.size(); ++i) mi.d_scores[i] -= alone.d_scores[i];
    ExpectNear({mi.value - alone.value}, golden.at("loss_" + task + "_mi"), task + ", MI");
    ExpectNear(mi.d_scores, golden.at("dscores_" + task), task + ", scores");
    ExpectNear(mi.d_argument, golden.at("dv_" + task + "_mi"), task + ", argument");
    ExpectNear({hsic.value - alone.value}, golden.at("loss_" + task + "_hsic"), task + ", HSIC");
    ExpectNear(hsic.d_argument, golden.at("dv_" + task + "_hsic"), task + ", HSIC's argument");
  }
}

}  // namespace
}  // namespace slm
