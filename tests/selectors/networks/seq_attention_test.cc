#include "selectors/networks/seq_attention.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/thread_pool.h"
#include "nn/mlp.h"
#include "tests/search/planted_problem.h"
#include "tests/selectors/golden.h"

namespace slm {
namespace {

TEST(Attention, WeightsAndGradientAreThoseOfTheReference) {
  const Golden golden("seq_attention");
  const std::vector<double>&logits = golden.at("logits"), &taken = golden.at("taken");
  Attention attention(logits.size());
  // To take a feature is to have the largest logit at that moment.
  for (size_t j = 0; j < taken.size(); ++j) {
    if (taken[j] == 0) continue;
    attention.logits()[j] = 10;
    attention.Take(1);
  }
  for (size_t j = 0; j < logits.size(); ++j) attention.logits()[j] = static_cast<float>(logits[j]);
  attention.Attend();
  attention.Backward(golden.at("d_weights"));
  for (size_t j = 0; j < logits.size(); ++j) {
    EXPECT_NEAR(attention.weights()[j], golden.at("weights")[j], 1e-6) << j;
    EXPECT_NEAR(attention.gradient()[j], golden.at("d_logits")[j], 1e-6) << j;
  }
}

// Every row in every batch and given weights make a run that both sides can repeat.
TEST(SelectByAttention, TakesTheFeaturesOfTheReferenceInItsOrder) {
  const Golden golden("seq_attention");
  Problem problem = golden.MakeProblem(Task::kClassification);
  problem.layout.names.pop_back();
  problem.layout.offsets = {0, 1, 2, 3, 4, 5, 6, 7, 9};
  const SeqAttentionOptions options{
      .hidden_units = 5, .length = {.steps = 120, .batch_size = 60}, .learning_rate = 0.01};
  Mlp mlp(9, 3, 1, 5, RandomStream(0, 0));
  mlp.input_layer().weights().w = golden.matrix("w1");
  mlp.input_layer().bias().w = golden.matrix("b1");
  mlp.dense_layers()[0].weights().w = golden.matrix("w2");
  mlp.dense_layers()[0].bias().w = golden.matrix("b2");
  ThreadPool pool(1);
  const Choice choice = SelectByAttention(
      problem, 4, options, mlp, Batches::OfAll(60, 60, RandomStream(0, 1)), {.pool = &pool});
  EXPECT_EQ(choice.features, golden.ints("order"));
  for (size_t j = 0; j < 8; ++j) EXPECT_NEAR(choice.scores[j], golden.at("scores")[j], 1e-3) << j;
}

TEST(SelectByAttention, TakesSeveralFeaturesAPhaseAndTheRestInTheLast) {
  const PlantedProblem planted(Task::kRegression, 200, 12, 3, 1);
  ThreadPool pool(1);
  struct Phases : Observer {
    std::vector<int> counts;
    void OnProgress(const Progress& p) override { counts.push_back(p.active_features); }
  } phases;
  Linear predictor(12, 1);
  const SeqAttentionOptions options{
      .length = {.steps = 300, .batch_size = 64}, .learning_rate = 0.01, .features_per_phase = 3};
  const Choice choice = SelectByAttention(planted.problem, 7, options, predictor,
                                          Batches::OfAll(200, 64, RandomStream(0, 1)),
                                          {.pool = &pool, .observer = &phases});
  EXPECT_EQ(phases.counts, (std::vector<int>{3, 6, 7}));
  std::vector<int> first(choice.features.begin(), choice.features.begin() + 3);
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, (std::vector<int>{0, 1, 2}));
}

TEST(SelectByAttention, EndsWithExactlyKWhenStoppedAtOnce) {
  const PlantedProblem planted(Task::kClassification, 100, 12, 3, 1);
  ThreadPool pool(1);
  Linear predictor(12, 2);
  const Choice choice = SelectByAttention(planted.problem, 5, {}, predictor,
                                          Batches::OfAll(100, 64, RandomStream(0, 1)),
                                          {.pool = &pool, .deadline = Context::Clock::now()});
  EXPECT_EQ(choice.features.size(), 5u);
}

}  // namespace
}  // namespace slm
