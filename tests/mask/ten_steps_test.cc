// Ten steps of training against the independent reference of tests/reference/ten_steps.py.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/encoding/value_codes.h"
#include "mask/mask_update.h"
#include "mask/masked_batch.h"
#include "mask/objective.h"
#include "mask/tempering.h"
#include "nn/mlp.h"

namespace slm {
namespace {

struct GoldenStep {
  double loss;
  std::vector<int32_t> support;
  std::vector<double> argument;              // after the step
  std::vector<std::vector<double>> weights;  // W1, b1, W2, b2 after the step, row by row
};

struct GoldenRun {
  std::string name;
  int classes;  // 0 for regression
  std::vector<double> x, y, weight, argument;
  std::vector<std::vector<double>> start;  // W1, b1, W2, b2
  std::vector<std::vector<int32_t>> batches;
  std::vector<GoldenStep> steps;
};

// Keeps failure messages to the name instead of every byte.
void PrintTo(const GoldenRun& run, std::ostream* out) { *out << run.name; }

const std::vector<GoldenRun>& GoldenRuns() {
  static const std::vector<GoldenRun> runs = {
#include "tests/reference/ten_steps.inc"
  };
  return runs;
}

constexpr size_t kFeatures = 6, kHidden = 4;

struct Setting {
  int k;
  SlmOptions options;
};

// The same settings as in the script.
Setting SettingOf(const std::string& name) {
  Setting s;
  SlmOptions& o = s.options;
  if (name == "paper") {
    s.k = 2;
    o = PaperOptions();
    o.mask_rate = o.learning_rate = 1e-2;
    o.decay_steps = 4;
  } else if (name == "default") {
    s.k = 2;
  } else if (name == "weighted_regression") {
    s.k = 3;
    o.mask_rate = 0.5;
    o.drops = 3;
    o.tempering = 0.6;
    o.learning_rate = 1e-2;
    o.l2 = 0.05;
    o.alpha = 0.8;
    o.rcs_weight = 1.5;
  } else {
    s.k = 2;
    o.mask_gradient = MaskGradient::kThroughScale;
    o.mask_update = MaskUpdate::kAdam;
    o.mask_rate = 0.05;
    o.schedule = Schedule::kLinear;
    o.drops = 2;
    o.tempering = 0.4;
    o.learning_rate = 1e-2;
    o.decay_rate = 0.5;
    o.decay_steps = 5;
    o.alpha = 2;
    o.rcs_weight = 0.5;
  }
  return s;
}

void SetWeights(Matrix& w, const std::vector<double>& values) {
  ASSERT_EQ(values.size(), w.rows() * w.cols());
  for (size_t i = 0; i < values.size(); ++i) {
    w(i / w.cols(), i % w.cols()) = static_cast<float>(values[i]);
  }
}

void ExpectClose(const Matrix& w, const std::vector<double>& expected, const char* what) {
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(w(i / w.cols(), i % w.cols())), expected[i],
                1e-4 * std::max(0.1, std::abs(expected[i])))
        << what << " entry " << i;
  }
}

class TenSteps : public testing::TestWithParam<GoldenRun> {};

// The loop of TrainMask, with weights and batches from the reference.
TEST_P(TenSteps, GiveTheLossesMaskAndWeightsOfTheReference) {
  const GoldenRun& golden = GetParam();
  const Setting setting = SettingOf(golden.name);
  const SlmOptions& options = setting.options;
  const size_t rows = golden.y.size();
  Problem problem;
  problem.layout.names.resize(kFeatures);
  for (int32_t j = 1; j <= static_cast<int32_t>(kFeatures); ++j) {
    problem.layout.offsets.push_back(j);
  }
  Dataset& train = problem.train;
  Matrix x(rows, kFeatures);
  SetWeights(x, golden.x);
  train.x = MakeRows(std::move(x));
  train.y.task = golden.classes > 0 ? Task::kClassification : Task::kRegression;
  train.y.classes = golden.classes;
  for (double y : golden.y) {
    train.y.index.push_back(static_cast<int32_t>(y));
    train.y.value.push_back(static_cast<float>(y));
  }
  train.weight.assign(golden.weight.begin(), golden.weight.end());
  const std::vector<ValueCodes> codes = BuildValueCodes(train.x->InMemory(), 0);

  Mlp mlp(kFeatures, train.y.outputs(), 1, kHidden, RandomStream(0, 0));
  Matrix* parts[] = {&mlp.input_layer().weights().w, &mlp.input_layer().bias().w,
                     &mlp.dense_layers()[0].weights().w, &mlp.dense_layers()[0].bias().w};
  for (size_t i = 0; i < 4; ++i) SetWeights(*parts[i], golden.start[i]);
  Mask mask(kFeatures, options.mask_scale, options.mask_gradient);
  std::copy(golden.argument.begin(), golden.argument.end(), mask.argument().begin());
  MaskUpdater updater(kFeatures, options);
  const int steps = static_cast<int>(golden.steps.size());
  Tempering tempering(kFeatures, static_cast<size_t>(setting.k), options.schedule, options.drops,
                      options.tempering, steps);
  BatchObjective objective(problem, codes, options);
  MaskedBatch batch(problem.layout, options);
  Matrix scores(golden.batches[0].size(), train.y.outputs()), d_scores = scores;
  std::vector<float> d_weights;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const GoldenStep& expected = golden.steps[static_cast<size_t>(step)];
    const std::vector<int32_t>& batch_rows = golden.batches[static_cast<size_t>(step)];
    batch.SetMask(mask, mask.Update(tempering.Features(step)));
    ASSERT_EQ(std::vector<int32_t>(mask.support().begin(), mask.support().end()), expected.support);
    ActiveInput active = batch.Gather(*train.x, batch_rows);
    mlp.Forward(active, scores.view());
    d_weights.resize(mask.support().size());
    const double loss =
        objective.Compute(batch_rows, scores.view(), mask, d_scores.view(), d_weights);
    mlp.Backward(active, d_scores.view(), batch.d_scale());
    batch.AddWeightGradient(d_weights);
    mlp.Step(active,
             {options.learning_rate *
                  std::pow(options.decay_rate, static_cast<double>(step) / options.decay_steps),
              options.l2});
    updater.Apply(mask, d_weights, objective.d_argument());

    EXPECT_NEAR(loss, expected.loss, 1e-4 * expected.loss);
    for (size_t j = 0; j < kFeatures; ++j) {
      EXPECT_NEAR(static_cast<double>(mask.argument()[j]), expected.argument[j],
                  1e-4 * std::max(0.1, std::abs(expected.argument[j])))
          << "mask argument " << j;
    }
    const char* names[] = {"W1", "b1", "W2", "b2"};
    for (size_t i = 0; i < 4; ++i) ExpectClose(*parts[i], expected.weights[i], names[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, TenSteps, testing::ValuesIn(GoldenRuns()),
                         [](const testing::TestParamInfo<GoldenRun>& run) {
                           return run.param.name;
                         });

}  // namespace
}  // namespace slm
