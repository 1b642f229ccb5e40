#include "model/changed_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "nn/mlp.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

// The predictor behind it, not known to the library.
class Foreign : public Predictor {
 public:
  explicit Foreign(std::unique_ptr<Predictor> inner) : inner_(std::move(inner)) {}
  void Forward(const ActiveInput& input, MatrixView<float> output) override {
    inner_->Forward(input, output);
  }
  void Backward(const ActiveInput&, MatrixView<const float>, std::span<float>) override {}
  void Step(const ActiveInput&, const StepSize&) override {}
  std::unique_ptr<Predictor> Clone() const override {
    return std::make_unique<Foreign>(inner_->Clone());
  }

 private:
  std::unique_ptr<Predictor> inner_;
};

Model ModelOf(int hidden_layers, size_t columns, size_t outputs) {
  std::vector<int32_t> all(columns);
  std::iota(all.begin(), all.end(), 0);
  std::vector<float> scale;
  for (size_t j = 0; j < columns; ++j) scale.push_back(0.5f + 0.25f * static_cast<float>(j));
  Model model{MakePredictor(columns, outputs, hidden_layers, 24, RandomStream(5, 1)), all, all,
              scale};
  if (hidden_layers > 0) return model;
  Matrix& w = dynamic_cast<Linear&>(*model.predictor).layer().weights().w;  // starts from zero
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j) w(i, j) = static_cast<float>(i + 2 * j) - 3;
  }
  return model;
}

TEST(ChangedColumns, ScoresAsThePredictorDoesOnRowsThatAreChanged) {
  constexpr size_t kRows = 300, kColumns = 6, kOutputs = 3;
  RandomStream random(9, 2);
  const Matrix x = RandomMatrix(kRows, kColumns, random);
  std::vector<int32_t> from(kRows);
  std::iota(from.begin(), from.end(), 0);
  random.Shuffle(std::span(from));
  for (int hidden_layers : {0, 1, 2}) {
    const Model model = ModelOf(hidden_layers, kColumns, kOutputs);
    const Model foreign{std::make_unique<Foreign>(model.predictor->Clone()), model.columns,
                        model.inputs, model.scale};
    ChangedColumns fast(model, kOutputs), plain(foreign, kOutputs);
    fast.SetRows(x.view());
    plain.SetRows(x.view());
    EXPECT_GT(fast.Work(kColumns), fast.Work(1));
    for (auto [first, last] : {std::pair<size_t, size_t>{0, 0}, {2, 3}, {1, 5}, {0, 6}}) {
      Matrix changed = x, expected(kRows, kOutputs);
      for (size_t i = 0; i < kRows; ++i) {
        for (size_t c = first; c < last; ++c) changed(i, c) = x(static_cast<size_t>(from[i]), c);
      }
      model.predictor->Forward({changed.view(), model.inputs, model.scale}, expected.view());
      const Matrix as_it_is = fast.Scores();
      const Matrix one = fast.Scores(first, last, from), other = plain.Scores(first, last, from);
      double change = 0;
      for (size_t i = 0; i < kRows; ++i) {
        for (size_t o = 0; o < kOutputs; ++o) {
          ASSERT_NEAR(one(i, o), expected(i, o), 1e-4) << hidden_layers << " " << first << " " << i;
          ASSERT_EQ(other(i, o), expected(i, o)) << hidden_layers << " " << first << " " << i;
          change += std::abs(one(i, o) - as_it_is(i, o));
        }
      }
      EXPECT_EQ(change > 0, last > first);
    }
  }
}

}  // namespace
}  // namespace slm
