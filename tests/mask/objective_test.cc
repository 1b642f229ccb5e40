#include "mask/objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "mask/masked_batch.h"
#include "nn/mlp.h"
#include "tests/mask/reference_loss.h"
#include "tests/mask/small_problem.h"

namespace slm {
namespace {

struct LossCase {
  std::string name;
  SmallTask task = SmallTask::kBinary;
  bool weighted = false;
  size_t count = 4;     // F, of six features
  double spread = 0.3;  // of the mask argument
  SlmOptions options;
};

void PrintTo(const LossCase& c, std::ostream* out) { *out << c.name; }

// The layers of a predictor, from the input on.
struct LayerParts {
  Parameters* weights;
  Parameters* bias;
};

std::vector<LayerParts> LayersOf(Predictor& predictor) {
  if (auto* linear = dynamic_cast<Linear*>(&predictor)) {
    return {{&linear->layer().weights(), &linear->layer().bias()}};
  }
  Mlp& mlp = dynamic_cast<Mlp&>(predictor);
  std::vector<LayerParts> layers = {{&mlp.input_layer().weights(), &mlp.input_layer().bias()}};
  for (DenseLayer& layer : mlp.dense_layers()) layers.push_back({&layer.weights(), &layer.bias()});
  return layers;
}

std::vector<ReferenceLayer> ReferenceLayersOf(Predictor& predictor) {
  std::vector<ReferenceLayer> result;
  for (const LayerParts& layer : LayersOf(predictor)) {
    const Matrix& w = layer.weights->w;
    ReferenceLayer reference;
    for (size_t i = 0; i < w.rows(); ++i) {
      reference.w.emplace_back(w.row(i), w.row(i) + w.cols());
    }
    reference.b.assign(layer.bias->w.row(0), layer.bias->w.row(0) + w.cols());
    result.push_back(std::move(reference));
  }
  return result;
}

// One step of training up to the gradients, in the engine and in the reference.
class Comparison {
 public:
  explicit Comparison(const LossCase& c)
      : small_(c.task, c.weighted, 5),
        options_(c.options),
        codes_(small_.problem.value_codes(options_.mi_bins)),
        mask_(SmallProblem::kFeatures, options_.mask_scale, options_.mask_gradient),
        batch_(small_.problem.layout, options_),
        objective_(small_.problem, codes_, options_) {
    const Problem& problem = small_.problem;
    RandomStream random(3, static_cast<uint64_t>(options_.hidden_layers));
    for (float& v : mask_.argument()) v = static_cast<float>(1 + c.spread * random.Normal());
    predictor_ = MakePredictor(problem.layout.columns(), problem.train.y.outputs(),
                               options_.hidden_layers, 7, random.Substream(1));
    for (const LayerParts& layer : LayersOf(*predictor_)) {
      Matrix& w = layer.weights->w;
      if (w(0, 0) == 0) {  // a linear model starts from zero, and so does the last layer for values
        for (size_t i = 0; i < w.rows(); ++i) {
          for (size_t j = 0; j < w.cols(); ++j) w(i, j) = static_cast<float>(random.Normal());
        }
      }
      // Biases that keep most units alive through four layers.
      for (size_t j = 0; j < layer.bias->w.cols(); ++j) {
        layer.bias->w(0, j) = static_cast<float>(random.Uniform(0.1, 0.6));
      }
    }
    for (int32_t row = 1; row < 24; row += 2) rows_.push_back(row);

    batch_.SetMask(mask_, mask_.Update(c.count));
    input_ = batch_.Gather(*problem.train.x, rows_);
    Matrix scores(rows_.size(), problem.train.y.outputs()), d_scores = scores;
    predictor_->Forward(input_, scores.view());
    d_weights_.resize(c.count);
    value_ = objective_.Compute(rows_, scores.view(), mask_, d_scores.view(), d_weights_);
    predictor_->Backward(input_, d_scores.view(), batch_.d_scale());
    batch_.AddWeightGradient(d_weights_);

    reference_ = {&problem, &options_, {}, rows_, c.count, std::nullopt};
    if (options_.mask_gradient == MaskGradient::kFixedScale) {
      reference_.fixed_scale = mask_.scale();
    }
    for (size_t i = 0; i < SmallProblem::kRows; ++i) {
      std::vector<double> values;
      for (size_t j = 0; j < SmallProblem::kFeatures; ++j) {
        const bool coded = options_.mi_bins > 0 && codes_[j].kind != ValueCodes::Kind::kFree;
        values.push_back(coded ? codes_[j].at(i) : static_cast<double>(small_.raw(i, j)));
      }
      reference_.values.push_back(std::move(values));
    }
    argument_.assign(mask_.argument().begin(), mask_.argument().end());
    layers_ = ReferenceLayersOf(*predictor_);
  }

  void CheckValue() const {
    const double expected = reference_.Compute(argument_, layers_);
    EXPECT_NEAR(value_, expected, 1e-5 * std::abs(expected));
  }

  void CheckMaskGradient() {
    std::vector<float> d_support(d_weights_.size());
    float d_reference = 0;
    mask_.Backward(d_weights_, d_support, &d_reference);
    std::vector<double> analytic(argument_.size());
    for (size_t i = 0; i < d_support.size(); ++i) {
      analytic[static_cast<size_t>(mask_.support()[i])] += static_cast<double>(d_support[i]);
    }
    if (mask_.reference() >= 0) {
      analytic[static_cast<size_t>(mask_.reference())] += static_cast<double>(d_reference);
    }
    for (size_t j = 0; j < objective_.d_argument().size(); ++j) {
      analytic[j] += static_cast<double>(objective_.d_argument()[j]);
    }
    Check("mask argument", analytic, [this](size_t j) { return &argument_[j]; });
  }

  void CheckPredictorGradients() {
    const std::vector<LayerParts> layers = LayersOf(*predictor_);
    for (size_t l = 0; l < layers.size(); ++l) {
      const Parameters& weights = *layers[l].weights;
      const size_t rows = weights.w.rows(), cols = weights.w.cols();
      std::vector<double> analytic(rows * cols), d_bias;
      if (l == 0) {
        // The gradient holds G = x^T dy for the active columns only; d W is scale times it.
        for (size_t a = 0; a < input_.columns.size(); ++a) {
          for (size_t j = 0; j < cols; ++j) {
            analytic[static_cast<size_t>(input_.columns[a]) * cols + j] =
                static_cast<double>(input_.scale[a]) * static_cast<double>(weights.gradient(a, j));
          }
        }
      } else {
        for (size_t i = 0; i < rows; ++i) {
          for (size_t j = 0; j < cols; ++j) {
            analytic[i * cols + j] = static_cast<double>(weights.gradient(i, j));
          }
        }
      }
      for (size_t j = 0; j < cols; ++j) {
        d_bias.push_back(static_cast<double>(layers[l].bias->gradient(0, j)));
      }
      const std::string name = "layer " + std::to_string(l);
      Check(name + " weights", analytic,
            [&](size_t i) { return &layers_[l].w[i / cols][i % cols]; });
      Check(name + " bias", d_bias, [&](size_t j) { return &layers_[l].b[j]; });
    }
  }

 private:
  // Holds a block of gradients against central differences of the reference.
  template <class Place>
  void Check(const std::string& what, const std::vector<double>& analytic, Place place) {
    std::vector<double> numeric;
    double largest = 0;
    for (size_t i = 0; i < analytic.size(); ++i) {
      constexpr double kStep = 1e-5;
      double& parameter = *place(i);
      const double before = parameter;
      parameter = before + kStep;
      const double up = reference_.Compute(argument_, layers_);
      parameter = before - kStep;
      const double down = reference_.Compute(argument_, layers_);
      parameter = before;
      numeric.push_back((up - down) / (2 * kStep));
      largest = std::max(largest, std::abs(numeric.back()));
    }
    EXPECT_GT(largest, 1e-4) << what << " has no gradient to speak of";
    for (size_t i = 0; i < analytic.size(); ++i) {
      EXPECT_NEAR(analytic[i], numeric[i], 1e-4 * std::abs(numeric[i]) + 1e-5 * largest)
          << what << ", entry " << i;
    }
  }

  SmallProblem small_;
  SlmOptions options_;
  std::vector<ValueCodes> codes_;
  Mask mask_;
  MaskedBatch batch_;
  BatchObjective objective_;
  std::unique_ptr<Predictor> predictor_;
  std::vector<int32_t> rows_;
  ActiveInput input_;
  std::vector<float> d_weights_;
  double value_ = 0;
  ReferenceLoss reference_;
  std::vector<double> argument_;
  std::vector<ReferenceLayer> layers_;
};

std::vector<LossCase> EveryCombination() {
  struct Kind {
    const char* name;
    Objective objective;
    double rcs_weight;
  };
  constexpr Kind kKinds[] = {{"mi", Objective::kMi, 0.7},
                             {"mi_without_rcs", Objective::kMi, 0},
                             {"hsic", Objective::kHsic, 0.7},
                             {"task_only", Objective::kTaskOnly, 0.7}};
  std::vector<LossCase> cases;
  for (SmallTask task : {SmallTask::kBinary, SmallTask::kManyClasses, SmallTask::kRegression}) {
    for (const Kind& kind : kKinds) {
      for (int layers = 0; layers <= 4; ++layers) {
        for (bool weighted : {false, true}) {
          LossCase c;
          c.name = std::string(SmallTaskName(task)) + "_" + kind.name + "_" +
                   std::to_string(layers) + "_layers" + (weighted ? "_weighted" : "");
          c.task = task;
          c.weighted = weighted;
          c.options.alpha = 1.3;
          c.options.objective = kind.objective;
          c.options.rcs_weight = kind.rcs_weight;
          c.options.hidden_layers = layers;
          cases.push_back(c);
        }
      }
    }
  }
  return cases;
}

// Every option that changes the loss or the path of its gradient, one at a time.
std::vector<LossCase> EveryOption() {
  std::vector<LossCase> cases;
  auto add = [&](const char* name, auto&& change) {
    LossCase c;
    c.name = name;
    c.task = SmallTask::kManyClasses;
    c.weighted = true;
    change(c);
    cases.push_back(c);
  };
  add("literal_input", [](LossCase& c) { c.options.mask_input = MaskInput::kLiteral; });
  add("blocks", [](LossCase& c) { c.options.rcs_block = 5; });
  add("bins", [](LossCase& c) { c.options.mi_bins = 3; });
  add("through_scale", [](LossCase& c) { c.options.mask_gradient = MaskGradient::kThroughScale; });
  add("through_scale_hsic", [](LossCase& c) {
    c.options.mask_gradient = MaskGradient::kThroughScale;
    c.options.objective = Objective::kHsic;
  });
  add("nearest_one_at_one", [](LossCase& c) {
    c.options.mask_scale = MaskScale::kNearestOne;
    c.count = 6;
    c.spread = 0.05;
  });
  add("nearest_one_at_right_end", [](LossCase& c) {
    c.options.mask_scale = MaskScale::kNearestOne;
    c.options.mask_gradient = MaskGradient::kThroughScale;
    c.spread = 5;
  });
  add("all_features", [](LossCase& c) { c.count = 6; });
  add("one_feature", [](LossCase& c) {
    c.count = 1;
    c.options.mask_gradient = MaskGradient::kThroughScale;
  });
  return cases;
}

std::string CaseName(const testing::TestParamInfo<LossCase>& info) { return info.param.name; }

class WholeLoss : public testing::TestWithParam<LossCase> {};

TEST_P(WholeLoss, HasTheValueAndTheGradientsOfTheReference) {
  Comparison comparison(GetParam());
  comparison.CheckValue();
  // A mask of one feature is one, whatever its argument.
  if (GetParam().count > 1) comparison.CheckMaskGradient();
  comparison.CheckPredictorGradients();
}

INSTANTIATE_TEST_SUITE_P(Combinations, WholeLoss, testing::ValuesIn(EveryCombination()), CaseName);
INSTANTIATE_TEST_SUITE_P(Options, WholeLoss, testing::ValuesIn(EveryOption()), CaseName);

TEST(BatchObjective, GivesNoArgumentGradientWhereOnlyTheWeightsMatter) {
  SmallProblem small(SmallTask::kBinary, false, 1);
  SlmOptions options;
  EXPECT_TRUE(BatchObjective(small.problem, {}, options).d_argument().empty());
  options.objective = Objective::kHsic;
  EXPECT_EQ(BatchObjective(small.problem, {}, options).d_argument().size(),
            SmallProblem::kFeatures);
}

TEST(BatchObjective, NeedsPairsOnlyWhereTheyWeighSomething) {
  SlmOptions options;
  EXPECT_TRUE(BatchObjective::UsesPairTerm(options));
  options.rcs_weight = 0;
  EXPECT_FALSE(BatchObjective::UsesPairTerm(options));
  options = {};
  options.alpha = 0;
  EXPECT_FALSE(BatchObjective::UsesPairTerm(options));
  options = {};
  options.objective = Objective::kHsic;
  EXPECT_FALSE(BatchObjective::UsesPairTerm(options));
}

}  // namespace
}  // namespace slm
